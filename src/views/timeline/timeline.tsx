import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  Focus,
  PlacedSpan,
  Timeline as Layout,
  drawnLane,
  layOutTimeline,
  ticksBetween,
  trans
} from '../../model';
import type { Session } from '../../store';
import { Empty } from '../empty';
import { useRoving } from '../roving';
import { LaneView } from './lane';
import { Footnote, Toolbar } from './toolbar';
import { TimeZoom, useTimeZoom } from './zoom';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
}

/** When each function was traced, lowered and compiled. */
export function Timeline({ session, focus }: Props): JSX.Element {
  const { recording } = session;
  const [library, setLibrary] = useState(false);
  const layout = useMemo(
    () => layOutTimeline(recording, library),
    [recording, library]
  );
  if (recording.newest.spans.length === 0) {
    return (
      <Empty words={trans.__('Nothing was traced, lowered or compiled.')} />
    );
  }
  return (
    <Lanes
      session={session}
      focus={focus}
      layout={layout}
      library={library}
      setLibrary={setLibrary}
    />
  );
}

/** As in style/timeline.css: the column of the names, and the margin at the right. */
const names = (width: number): number => 8 + (width > 480 ? 168 : 108);
/** Pixels between two ticks, at least. */
const TICK_WIDTH = 90;
/** Pixels that the text of a tick takes, at most: nearer to the end it stands before its line. */
const TICK_TEXT = 44;
/** By which part of what is in view the keys pan. */
const PAN = 0.25;

function Lanes(
  props: Props & {
    layout: Layout;
    library: boolean;
    setLibrary: (shown: boolean) => void;
  }
): JSX.Element {
  const { session, focus, layout, library, setLibrary } = props;
  const view = useRef<HTMLDivElement>(null);
  const zoom = useTimeZoom(view, names);
  const spans = useMemo(() => inOrder(layout), [layout]);
  const order = useMemo(() => new Map(spans.map((s, i) => [s, i])), [spans]);
  const roving = useRoving(spans.length, 'ArrowLeft', 'ArrowRight', 0, i => {
    const span = spans[i]?.span;
    if (span) {
      session.selection.show(span.function, span.trace);
    }
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    roving.onKeyDown(event);
    if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      keys(zoom, spans[roving.active])[event.key]?.();
    }
  };
  const pixels = zoom.width * zoom.zoom;
  const keep = new Set(stops(spans, roving.active));
  const shown = focus.trace?.id ?? null;
  const lanes = layout.lanes.map(l => drawnLane(l, pixels, keep, shown));
  const drawn = lanes.reduce((sum, lane) => sum + lane.spans.length, 0);
  return (
    <div class="jtv-timeline">
      <Toolbar zoom={zoom} library={library} setLibrary={setLibrary} />
      <div
        ref={view}
        class="jtv-lanes"
        data-lm-suppress-shortcuts="true"
        onKeyDown={onKeyDown}
        onWheel={zoom.onWheel}
        onPointerDown={zoom.onPointerDown}
        onScroll={zoom.onScroll}
      >
        <div class="jtv-lanes-inner" style={{ '--jtv-zoom': zoom.zoom }}>
          <Ticks seconds={layout.seconds} zoom={zoom} />
          {lanes.map(lane => (
            <LaneView
              key={lane.key}
              lane={lane}
              session={session}
              focus={focus}
              order={order}
              roving={roving}
              pixels={pixels}
            />
          ))}
        </div>
      </div>
      <Footnote undrawn={spans.length - drawn} />
    </div>
  );
}

/** The keys that people know from trace viewers. */
function keys(
  zoom: TimeZoom,
  active: PlacedSpan | undefined
): Record<string, (() => void) | undefined> {
  return {
    w: zoom.in,
    s: zoom.out,
    a: () => zoom.pan(-PAN),
    d: () => zoom.pan(PAN),
    f: () => active && zoom.fitTo(active.left, active.width),
    0: zoom.fit
  };
}

/** The span that has the focus, and those that the next key may lead to. */
function stops(spans: readonly PlacedSpan[], active: number): PlacedSpan[] {
  return [0, active - 1, active, active + 1, spans.length - 1].flatMap(
    i => spans[i] ?? []
  );
}

/** Every span in order of time. */
function inOrder(layout: Layout): PlacedSpan[] {
  const spans = layout.lanes.flatMap(lane => lane.spans);
  return spans.sort((a, b) => a.span.started - b.span.started);
}

function Ticks(props: { seconds: number; zoom: TimeZoom }): JSX.Element {
  const { seconds, zoom } = props;
  const most = Math.max(2, Math.floor(zoom.width / TICK_WIDTH));
  const ticks = ticksBetween(
    seconds * Math.max(0, zoom.from),
    seconds * Math.min(1, zoom.to),
    most
  );
  return (
    <div class="jtv-lane jtv-ticks" aria-hidden="true">
      <div class="jtv-lane-name" />
      <div class="jtv-track">
        {ticks.map(({ time, text }) => (
          <span
            key={text}
            class="jtv-tick"
            data-before={roomAfter(time / seconds, zoom) < TICK_TEXT}
            style={{ left: `${(100 * time) / seconds}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Pixels between a place in the track, 0 to 1, and the end of what is in view. */
function roomAfter(place: number, { from, to, width }: TimeZoom): number {
  return (width * (to - place)) / (to - from);
}
