import type { JSX } from 'preact';
import { CauseLabel, Focus, Lane, traceName, trans } from '../../model';
import type { Session } from '../../store';

/** As in style/timeline.css. */
const ROW_HEIGHT = 18;

/** Pixels that the rows of words take. */
export function causesHeight(labels: readonly CauseLabel[]): number {
  return ROW_HEIGHT * rowsOf(labels);
}

function rowsOf(labels: readonly CauseLabel[]): number {
  return labels.reduce((rows, { row }) => Math.max(rows, row + 1), 0);
}

interface Props {
  readonly lane: Lane;
  /** The lane's function. */
  readonly name: string;
  readonly labels: readonly CauseLabel[];
  readonly session: Session;
  readonly focus: Focus;
  /** How long the whole time is drawn. */
  readonly pixels: number;
}

/**
 * What changed, with an arrow to the retrace that it caused. That of the trace that is shown leads from the trace that it
 * was compared with.
 */
export function Causes(props: Props): JSX.Element {
  const { lane, name, labels, session, focus, pixels } = props;
  const rows = rowsOf(labels);
  return (
    <>
      {labels.map(label => (
        <Cause
          key={label.cause.trace}
          label={label}
          name={traceName(name, label.cause.trace)}
          top={ROW_HEIGHT * (rows - 1 - label.row)}
          pixels={pixels}
          shown={label.cause.trace === focus.trace?.id}
          show={() =>
            session.selection.askWhy(lane.function, label.cause.trace)
          }
        />
      ))}
    </>
  );
}

interface CauseProps {
  readonly label: CauseLabel;
  /** What the trace is called. */
  readonly name: string;
  readonly top: number;
  readonly pixels: number;
  readonly shown: boolean;
  readonly show: () => void;
}

function Cause(props: CauseProps): JSX.Element {
  const { label, name, top, pixels, shown, show } = props;
  const { cause, row, left, width, told } = label;
  const { words } = cause;
  return (
    <>
      {shown ? <FromBefore {...props} /> : null}
      {row > 0 ? (
        <span
          class="jtv-cause-arrow"
          aria-hidden="true"
          style={{
            left: `${100 * cause.left}%`,
            top: `${top + ROW_HEIGHT}px`,
            height: `${ROW_HEIGHT * row}px`
          }}
        >
          ↓
        </span>
      ) : null}
      <button
        type="button"
        class="jtv-cause"
        data-shown={shown}
        style={{
          left: `${(100 * left) / pixels}%`,
          top: `${top}px`,
          maxWidth: told ? `${width}px` : undefined
        }}
        title={trans.__('%1 was traced again: %2', name, words)}
        aria-label={trans.__('Why %1? %2', name, words)}
        onClick={show}
      >
        {row === 0 ? <span aria-hidden="true">{told ? '↓ ' : '↓'}</span> : null}
        {told ? words : null}
      </button>
    </>
  );
}

/** From where the trace began that it was compared with. */
function FromBefore({ label, top }: CauseProps): JSX.Element | null {
  const { from, left } = label.cause;
  return from !== null && from < left ? (
    <span
      class="jtv-cause-line"
      aria-hidden="true"
      style={{
        left: `${100 * from}%`,
        width: `${100 * (left - from)}%`,
        top: `${top + 3}px`,
        height: `${ROW_HEIGHT * (label.row + 1) - 4}px`
      }}
    />
  ) : null;
}
