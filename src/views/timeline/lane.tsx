import type { JSX } from 'preact';
import { Focus, Lane, PlacedSpan, counted, formatSeconds } from '../../model';
import type { Session } from '../../store';
import type { Roving } from '../roving';

/** As in style/timeline.css. */
const ROW_HEIGHT = 24;

interface LaneProps {
  readonly session: Session;
  readonly focus: Focus;
  readonly lane: Lane;
  readonly order: ReadonlyMap<PlacedSpan, number>;
  readonly roving: Roving;
}

/** The spans of one function. */
export function LaneView(props: LaneProps): JSX.Element {
  const { lane, session, focus, order, roving } = props;
  const fn = session.recording.functions.get(lane.function);
  const name = fn?.name ?? lane.function;
  const hits = fn?.cache_hits ?? 0;
  return (
    <div class="jtv-lane" role="group" aria-label={name}>
      <div
        class="jtv-lane-name"
        style={{ paddingLeft: `${8 + 12 * lane.depth}px` }}
      >
        <span title={fn?.qualname}>{name}</span>
        {lane.thread === 'MainThread' ? null : <small>{lane.thread}</small>}
        {hits > 0 ? <small>✓ {counted(hits, 'hit')}</small> : null}
      </div>
      <div class="jtv-track" style={{ height: `${lane.rows * ROW_HEIGHT}px` }}>
        {lane.spans.map(placed => (
          <SpanView
            key={order.get(placed)}
            placed={placed}
            name={name}
            shown={
              placed.span.trace !== null &&
              placed.span.trace === focus.trace?.id
            }
            stop={order.get(placed) === roving.active}
            nodeRef={roving.itemRef(order.get(placed) ?? 0)}
            show={() =>
              session.selection.show(placed.span.function, placed.span.trace)
            }
          />
        ))}
      </div>
    </div>
  );
}

interface SpanProps {
  readonly placed: PlacedSpan;
  readonly name: string;
  readonly shown: boolean;
  readonly stop: boolean;
  readonly nodeRef: (node: Element | null) => void;
  readonly show: () => void;
}

function SpanView(props: SpanProps): JSX.Element {
  const { placed, name, shown, stop, nodeRef, show } = props;
  const { span, left, width, row } = placed;
  const took = formatSeconds(span.seconds);
  const which = span.trace ? ` (${span.trace})` : '';
  const words = `${span.kind} ${name}${which}: ${took}, began at ${formatSeconds(span.started)}`;
  return (
    <button
      ref={nodeRef}
      type="button"
      class={`jtv-span jtv-span-${span.kind}`}
      style={{
        left: `${100 * left}%`,
        width: `${100 * width}%`,
        top: `${row * ROW_HEIGHT}px`
      }}
      title={words}
      aria-label={words}
      aria-pressed={shown}
      tabIndex={stop ? 0 : -1}
      onClick={show}
    >
      <span class="jtv-span-kind">{span.kind}</span>
      <span class="jtv-span-time">{took}</span>
    </button>
  );
}
