import type { JSX } from 'preact';
import { trans } from '../../model';
import type { Focus, Lane, PlacedCause } from '../../model';
import type { Session } from '../../store';

interface Props {
  readonly lane: Lane;
  readonly session: Session;
  readonly focus: Focus;
  /** How long the whole time is drawn. */
  readonly pixels: number;
}

/** About the width of a letter. */
const LETTER = 6.5;

/**
 * What changed, with an arrow to the retrace that it caused. That of the trace that is shown leads from the trace that it
 * was compared with.
 */
export function Causes(props: Props): JSX.Element {
  const { lane, session, focus, pixels } = props;
  const { causes } = lane;
  return (
    <>
      {causes.map((cause, i) => {
        const next = causes[i + 1]?.left ?? 1;
        const shown = cause.trace === focus.trace?.id;
        const side = sideOf(cause, pixels, shown ? null : next);
        return (
          <Cause
            key={cause.trace}
            cause={cause}
            text={side ? cause.words : ''}
            late={side === 'left'}
            shown={shown}
            show={() => session.selection.askWhy(lane.function, cause.trace)}
          />
        );
      })}
    </>
  );
}

/** On which side of its arrow a text has room; that of the trace that is shown may cover the arrows of others. */
function sideOf(
  { words, left }: PlacedCause,
  pixels: number,
  next: number | null
): 'left' | 'right' | null {
  const needed = words.length * LETTER + 20;
  if (((next ?? 1) - left) * pixels > needed) {
    return 'right';
  }
  return next === null && left * pixels > needed ? 'left' : null;
}

function Cause(props: {
  cause: PlacedCause;
  text: string;
  late: boolean;
  shown: boolean;
  show: () => void;
}): JSX.Element {
  const { cause, text, late, shown, show } = props;
  const { from, left, trace, words } = cause;
  return (
    <>
      {shown && from !== null && from < left ? (
        <span
          class="jtv-cause-line"
          aria-hidden="true"
          style={{ left: `${100 * from}%`, width: `${100 * (left - from)}%` }}
        />
      ) : null}
      <button
        type="button"
        class="jtv-cause"
        data-shown={shown}
        data-late={late}
        style={{ left: `${100 * left}%` }}
        title={trans.__('%1 was traced again: %2', trace, words)}
        aria-label={trans.__('Why %1? %2', trace, words)}
        onClick={show}
      >
        {late ? text : null}
        <span aria-hidden="true">{late ? ' ↓' : '↓ '}</span>
        {late ? null : text}
      </button>
    </>
  );
}
