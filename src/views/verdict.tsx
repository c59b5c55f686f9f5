import type { JSX } from 'preact';
import { formatCount, formatSeconds } from '../model';
import type { Update } from '../protocol';
import type { Session } from '../store';
import { Prose } from './prose';

const STATES: Record<Update['state'], { words: string; glyph: string }> = {
  running: { words: 'Recording', glyph: '●' },
  ok: { words: '', glyph: '' },
  error: { words: 'Failed', glyph: '✕' },
  cut_off: { words: 'Recording was cut off', glyph: '✕' }
};

/** The answer in one sentence, and where and for how long it was recorded. */
export function Verdict(props: { session: Session }): JSX.Element {
  const { recording, cutOff } = props.session;
  const { newest } = recording;
  const lost = cutOff && newest.state === 'running';
  const state = lost ? 'cut_off' : newest.state;
  const { words, glyph } = STATES[state];
  return (
    <header class="jtv-header" data-state={state}>
      <p class="jtv-verdict" role="status">
        {words ? (
          <span class="jtv-state">
            <span aria-hidden="true">{glyph} </span>
            {words}
            {'. '}
          </span>
        ) : null}
        <Prose text={newest.verdict} />
      </p>
      <p class="jtv-facts">{facts(props.session).join(' · ')}</p>
      <Notes session={props.session} />
    </header>
  );
}

function facts({ recording }: Session): string[] {
  const { cell, environment, seconds } = recording.newest;
  const { platform, devices, jax } = environment;
  const count = cell.execution_count;
  const where = count === null ? [] : [`cell [${count}]`];
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
  if (dropped.events > 0) {
    notes.push(
      `${formatCount(dropped.events)} events came after the recording was full and are not shown.`
    );
  }
  if (environment.limited.length > 0) {
    notes.push(
      `Limited with this JAX: ${environment.limited.join(', ')} cannot be observed.`
    );
  }
  notes.push(...faults.map(fault => `Error in jax_trace_viz: ${fault}`));
  return notes.length > 0 ? (
    <ul class="jtv-notes">
      {notes.map(text => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  ) : null;
}
