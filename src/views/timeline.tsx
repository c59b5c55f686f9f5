import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  Focus,
  Lane,
  PlacedSpan,
  Timeline as Layout,
  counted,
  formatSeconds,
  layOutTimeline
} from '../model';
import type { Session } from '../store';
import { Empty } from './empty';
import { Roving, useRoving } from './roving';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
}

/** As in style/timeline.css. */
const ROW_HEIGHT = 24;
const MAX_ZOOM = 256;

/** When each function was traced, lowered and compiled. */
export function Timeline({ session, focus }: Props): JSX.Element {
  const layout = useMemo(
    () => layOutTimeline(session.recording),
    [session.recording]
  );
  const [zoom, setZoom] = useState(1);
  const order = useMemo(() => inOrder(layout), [layout]);
  const roving = useRoving(order.size, 'ArrowLeft', 'ArrowRight');
  if (layout.lanes.length === 0) {
    return <Empty words="Nothing was traced, lowered or compiled." />;
  }
  return (
    <div class="jtv-timeline">
      <div class="jtv-toolbar">
        <Legend />
        <ZoomButtons zoom={zoom} setZoom={setZoom} />
      </div>
      <div
        class="jtv-lanes"
        data-lm-suppress-shortcuts="true"
        onKeyDown={roving.onKeyDown}
      >
        <div class="jtv-lanes-inner" style={{ width: `${100 * zoom}%` }}>
          <Ticks layout={layout} />
          {layout.lanes.map(lane => (
            <LaneView
              key={lane.key}
              lane={lane}
              session={session}
              focus={focus}
              order={order}
              roving={roving}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Legend(): JSX.Element {
  return (
    <ul class="jtv-legend">
      {(['trace', 'lower', 'compile'] as const).map(kind => (
        <li key={kind}>
          <span class={`jtv-swatch jtv-span-${kind}`} aria-hidden="true" />
          {kind}
        </li>
      ))}
    </ul>
  );
}

function ZoomButtons(props: {
  zoom: number;
  setZoom: (zoom: number) => void;
}): JSX.Element {
  const { zoom, setZoom } = props;
  return (
    <div class="jtv-buttons">
      <button
        type="button"
        disabled={zoom <= 1}
        onClick={() => setZoom(zoom / 2)}
      >
        Zoom out
      </button>
      <button
        type="button"
        disabled={zoom >= MAX_ZOOM}
        onClick={() => setZoom(zoom * 2)}
      >
        Zoom in
      </button>
      <button type="button" disabled={zoom === 1} onClick={() => setZoom(1)}>
        Fit
      </button>
    </div>
  );
}

/** Every span with its number in order of time. */
function inOrder(layout: Layout): Map<PlacedSpan, number> {
  const spans = layout.lanes.flatMap(lane => lane.spans);
  spans.sort((a, b) => a.span.started - b.span.started);
  return new Map(spans.map((span, i) => [span, i]));
}

function Ticks({ layout }: { layout: Layout }): JSX.Element {
  return (
    <div class="jtv-lane jtv-ticks" aria-hidden="true">
      <div class="jtv-lane-name" />
      <div class="jtv-track">
        {layout.ticks.map(tick => (
          <span
            key={tick}
            class="jtv-tick"
            style={{ left: `${(100 * tick) / layout.seconds}%` }}
          >
            {formatSeconds(tick)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface LaneProps extends Props {
  readonly lane: Lane;
  readonly order: ReadonlyMap<PlacedSpan, number>;
  readonly roving: Roving;
}

function LaneView(props: LaneProps): JSX.Element {
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
