import type { JSX } from 'preact';
import {
  Focus,
  Lane,
  PlacedSpan,
  counted,
  formatSeconds,
  labelCauses,
  phaseWord,
  traceName,
  trans
} from '../../model';
import type { Session } from '../../store';
import type { Roving } from '../roving';
import { Causes, causesHeight } from './causes';

/** As in style/timeline.css. */
const ROW_HEIGHT = 24;
const HITS_HEIGHT = 9;
/** Pixels of a span in which its kind has room, and how long it took besides. A text that does not fit is left out, not cut. */
const KIND_ROOM = 50;
const TIME_ROOM = 94;

interface LaneProps {
  readonly session: Session;
  readonly focus: Focus;
  readonly lane: Lane;
  readonly order: ReadonlyMap<PlacedSpan, number>;
  readonly roving: Roving;
  /** How long the whole time is drawn. */
  readonly pixels: number;
}

/** The spans of one function, what caused its retraces above them, and its hits below. */
export function LaneView(props: LaneProps): JSX.Element {
  const { lane, session, focus, order, roving, pixels } = props;
  const fn = session.recording.functions.get(lane.function);
  const name = fn?.name ?? lane.function;
  const labels = labelCauses(lane.causes, pixels, focus.trace?.id ?? null);
  const top = causesHeight(labels);
  const below = lane.hits.length > 0 ? HITS_HEIGHT : 0;
  const height = top + lane.rows * ROW_HEIGHT + below;
  return (
    <div class="jtv-lane" role="group" aria-label={name}>
      <div
        class="jtv-lane-name"
        style={{ paddingLeft: `${8 + 12 * lane.depth}px` }}
      >
        <span title={fn?.qualname}>{name}</span>
        {lane.thread === 'MainThread' ? null : <small>{lane.thread}</small>}
        {fn && fn.cache_hits > 0 ? (
          <small>✓ {counted(fn.cache_hits, 'hit')}</small>
        ) : null}
      </div>
      <div class="jtv-track" style={{ height: `${height}px` }}>
        <Causes
          lane={lane}
          name={name}
          labels={labels}
          session={session}
          focus={focus}
          pixels={pixels}
        />
        {lane.spans.map(placed => (
          <SpanView
            key={order.get(placed)}
            placed={placed}
            pixels={placed.width * pixels}
            top={top}
            name={name}
            shown={
              placed.span.trace !== null &&
              placed.span.trace === focus.trace?.id
            }
            stop={order.get(placed) === roving.active}
            nodeRef={roving.itemRef(order.get(placed) ?? 0)}
            show={() => {
              roving.setActive(order.get(placed) ?? 0);
              session.selection.show(placed.span.function, placed.span.trace);
            }}
          />
        ))}
        <HitMarks lane={lane} top={top + lane.rows * ROW_HEIGHT} />
      </div>
    </div>
  );
}

interface SpanProps {
  readonly placed: PlacedSpan;
  /** How long it is drawn. */
  readonly pixels: number;
  readonly top: number;
  readonly name: string;
  readonly shown: boolean;
  readonly stop: boolean;
  readonly nodeRef: (node: Element | null) => void;
  readonly show: () => void;
}

function SpanView(props: SpanProps): JSX.Element {
  const { placed, pixels, top, name, shown, stop, nodeRef, show } = props;
  const { span, left, width, row } = placed;
  const took = formatSeconds(span.seconds);
  const which = span.trace ? ` (${traceName(name, span.trace)})` : '';
  const words = trans.__(
    '%1 %2: %3%4, began at %5',
    phaseWord(span.kind),
    took,
    name,
    which,
    formatSeconds(span.started)
  );
  return (
    <button
      ref={nodeRef}
      type="button"
      class={`jtv-span jtv-span-${span.kind}`}
      style={{
        left: `${100 * left}%`,
        width: `${100 * width}%`,
        top: `${top + row * ROW_HEIGHT}px`
      }}
      title={words}
      aria-label={words}
      aria-pressed={shown}
      tabIndex={stop ? 0 : -1}
      onClick={show}
    >
      {pixels > KIND_ROOM ? (
        <span class="jtv-span-text">{phaseWord(span.kind)}</span>
      ) : null}{' '}
      {pixels > TIME_ROOM ? <span class="jtv-span-text">{took}</span> : null}
    </button>
  );
}

/** Hits are counted, not timed: a mark says between which moments they came. */
function HitMarks({ lane, top }: { lane: Lane; top: number }): JSX.Element {
  return (
    <>
      {lane.hits.map(({ hits, left, width }) => {
        const words = trans.__(
          '%1, between %2 and %3',
          counted(hits.count, 'cache hit'),
          formatSeconds(hits.since),
          formatSeconds(hits.until)
        );
        return (
          <span
            key={hits.until}
            class="jtv-hits"
            role="img"
            aria-label={words}
            title={words}
            style={{
              left: `${100 * left}%`,
              width: `${100 * width}%`,
              top: `${top}px`
            }}
          />
        );
      })}
    </>
  );
}
