import type { JSX } from 'preact';
import {
  STALE,
  formatCount,
  formatSeconds,
  limitedWords,
  trans
} from '../model';
import type { Update } from '../protocol';
import type { Session } from '../store';
import { Prose } from './prose';

/**
 * `hits`: all that was called came from the cache, which is as it should be. `stale`: what came from there was made with
 * values that have changed.
 */
type State = Update['state'] | 'hits' | 'stale';

const GLYPHS: Record<State, string> = {
  hits: '✓',
  stale: STALE.glyph,
  running: '●',
  ok: '',
  error: '✕',
  cut_off: '✕'
};

/** The answer in one sentence, and where and for how long it was recorded. */
export function Verdict(props: { session: Session }): JSX.Element {
  const { session } = props;
  const { newest } = session.recording;
  const lost = session.cutOff && newest.state === 'running';
  const state = lost ? 'cut_off' : stateOf(session);
  const text = lost ? asCutOff(newest.verdict) : newest.verdict;
  return (
    <div class="jtv-header" data-state={state}>
      <p class="jtv-verdict" role="status">
        {GLYPHS[state] ? (
          <span class="jtv-state" aria-hidden="true">
            {GLYPHS[state]}{' '}
          </span>
        ) : null}
        <Prose text={text} />
      </p>
      <p class="jtv-facts">{facts(session).join(' · ')}</p>
      <Notes session={session} />
    </div>
  );
}

function stateOf({ recording }: Session): State {
  const { state, findings } = recording.newest;
  if (state === 'ok' && findings.some(({ kind }) => kind === 'stale_value')) {
    return 'stale';
  }
  const called = recording.functions.records.filter(
    fn => fn.origin === 'user' && fn.calls > 0
  );
  const onlyHits =
    called.length > 0 &&
    called.every(fn => fn.cache_hits === fn.calls && fn.traces === 0);
  return state === 'ok' && onlyHits ? 'hits' : state;
}

/** The kernel said that it goes on; we know that nobody does. */
function asCutOff(verdict: string): string {
  return trans.__('Recording was cut off%1', verdict.replace(/^Recording/, ''));
}

function facts({ recording }: Session): string[] {
  const { cell, environment, seconds } = recording.newest;
  const { platform, devices, jax } = environment;
  const count = cell.execution_count;
  const where = count === null ? [] : [trans.__('cell [%1]', count)];
  if (platform) {
    const many = devices.length > 1 ? ` × ${devices.length}` : '';
    where.push(`${platform}${many}`);
  }
  if (jax) {
    where.push(`jax ${jax}`);
  }
  return [...where, ...(seconds > 0 ? [formatSeconds(seconds)] : [])];
}

/** What the picture lacks: nothing is left out silently. */
function Notes(props: { session: Session }): JSX.Element | null {
  const { dropped, environment, faults, note } = props.session.recording.newest;
  const notes = note ? [note] : [];
  if (dropped.events > 0 && dropped.memory_mb === null) {
    notes.push(
      trans.__(
        '%1 events came after the recording was full and are not shown.',
        formatCount(dropped.events)
      )
    );
  }
  if (environment.limited.length > 0) {
    notes.push(limitedWords(environment.limited));
  }
  notes.push(
    ...faults.map(fault => trans.__('Error in jax_trace_viz: %1', fault))
  );
  return notes.length > 0 ? (
    <ul class="jtv-notes">
      {notes.map(text => (
        <li key={text}>
          <Prose text={text} />
        </li>
      ))}
    </ul>
  ) : null;
}
