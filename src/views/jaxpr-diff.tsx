import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  LineNames,
  Words,
  counted,
  lineNames,
  traceName,
  trans
} from '../model';
import type { DiffLine, JaxprDiff, Trace } from '../protocol';
import type { Session } from '../store';
import type { Actions } from './actions';
import { useAsking } from './asking';
import { LineNumber, withGutter } from './gutter';
import { Progress } from './progress';

const SIGNS: Record<DiffLine['sign'], { glyph: string; word: Words }> = {
  same: { glyph: '', word: () => '' },
  skipped: { glyph: '⋯', word: () => '' },
  removed: { glyph: '−', word: () => trans.__('removed') },
  added: { glyph: '+', word: () => trans.__('added') },
  before: { glyph: '−', word: () => trans.__('before') },
  after: { glyph: '+', word: () => trans.__('now') }
};

interface Props {
  readonly session: Session;
  readonly trace: Trace;
  readonly actions: Actions;
}

/** What a retrace changed in the program, asked for because it can be large. */
export function JaxprComparison(props: Props): JSX.Element | null {
  const { session, trace, actions } = props;
  const asking = useAsking();
  const { busy, ask } = asking;
  const diff = session.diffs.get(trace.id);
  if (trace.compared_with === null || trace.jaxpr === null) {
    return null;
  }
  if (diff) {
    const fn = session.recording.functions.get(trace.function);
    return (
      <Diff
        diff={diff}
        fn={fn?.name ?? trace.function}
        names={lineNames(session.recording)}
      />
    );
  }
  const request = session.cutOff ? null : actions.compare;
  const compare = (): void => {
    if (request) {
      ask(signal => request(session.id, trace.id, signal));
    }
  };
  return (
    <div class="jtv-compare" aria-busy={busy}>
      <button
        type="button"
        class="jtv-button"
        disabled={busy || !request}
        onClick={compare}
      >
        {trans.__('Compare the two jaxprs')}
      </button>
      <Progress
        asking={asking}
        doing={trans.__('The kernel is comparing…')}
        otherwise={
          request
            ? ''
            : trans.__('Comparing needs the kernel that recorded this.')
        }
      />
    </div>
  );
}

function Diff(props: {
  diff: JaxprDiff;
  /** The name of the function whose traces they are. */
  fn: string;
  names: LineNames;
}): JSX.Element {
  const { diff, fn, names } = props;
  const others = diff.added + diff.removed + diff.changed - diff.resized;
  const [sizes, setSizes] = useState(false);
  const lines = sizes ? diff.lines : withoutSizes(diff.lines);
  return (
    <div class="jtv-diff">
      <p>
        <b>{trans.__('What changed in the jaxpr')}</b>,{' '}
        {traceName(fn, diff.before)} → {traceName(fn, diff.after)}:{' '}
        {summary(diff)}
      </p>
      {diff.resized > 0 ? (
        <label class="jtv-toggle">
          <input
            type="checkbox"
            checked={sizes}
            onChange={event => setSizes(event.currentTarget.checked)}
          />
          {trans.__('Show what differs in types and sizes only')}
        </label>
      ) : null}
      {others > 0 || sizes ? <Lines lines={lines} names={names} /> : null}
      {diff.note ? <p class="jtv-note">{diff.note}</p> : null}
    </div>
  );
}

/** A line for each run of lines that are about types and sizes only. */
function withoutSizes(lines: readonly DiffLine[]): DiffLine[] {
  return lines.flatMap((line, i) => {
    if (!line.sizes_only) {
      return [line];
    }
    const goesOn = i > 0 && lines[i - 1]?.sizes_only;
    return goesOn ? [] : [{ ...line, sign: 'skipped', text: '', place: null }];
  });
}

function summary(diff: JaxprDiff): string {
  const counts: [number, string][] = [
    [diff.added, trans.__('added')],
    [diff.removed, trans.__('removed')],
    [diff.changed - diff.resized, trans.__('changed')],
    [diff.resized, trans.__('with other types or sizes only')],
    [diff.same, trans.__('the same')]
  ];
  const [first, ...rest] = counts.filter(([count]) => count > 0);
  if (!first) {
    return diff.note
      ? trans.__('nothing was compared.')
      : trans.__('it has no equations.');
  }
  if (counts.slice(0, -1).every(([count]) => count === 0)) {
    return trans.__(
      'nothing. %1, the same in both.',
      counted(diff.same, 'equation')
    );
  }
  const words = rest.map(([count, word]) => `${count} ${word}`);
  return `${[`${counted(first[0], 'equation')} ${first[1]}`, ...words].join(', ')}.`;
}

function Lines(props: {
  lines: readonly DiffLine[];
  names: LineNames;
}): JSX.Element {
  const { lines, names } = props;
  return (
    <div
      class="jtv-code jtv-diff-lines"
      style={withGutter(
        lines.map(({ place }) => place),
        names
      )}
      role="list"
      aria-label={trans.__('Changes of the jaxpr')}
      tabIndex={0}
    >
      {lines.map((line, i) => {
        const { glyph, word } = SIGNS[line.sign];
        const spoken = word();
        return (
          <div
            key={i}
            class="jtv-diff-line"
            role="listitem"
            data-sign={line.sign}
          >
            <LineNumber place={line.place} names={names} />
            <span class="jtv-diff-sign" aria-hidden="true">
              {glyph}
            </span>
            {spoken ? <span class="jtv-spoken">{spoken} </span> : null}
            <span
              class="jtv-text"
              style={{ paddingLeft: `${2 * line.depth}ch` }}
            >
              {line.text}
            </span>
          </div>
        );
      })}
    </div>
  );
}
