import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  Focus,
  PlacedSpan,
  Timeline as Layout,
  formatSeconds,
  layOutTimeline
} from '../../model';
import type { Session } from '../../store';
import { Empty } from '../empty';
import { useRoving } from '../roving';
import { LaneView } from './lane';
import { Toolbar } from './toolbar';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
}

/** When each function was traced, lowered and compiled. */
export function Timeline({ session, focus }: Props): JSX.Element {
  const { recording } = session;
  const [zoom, setZoom] = useState(1);
  const [library, setLibrary] = useState(false);
  const layout = useMemo(
    () => layOutTimeline(recording, library),
    [recording, library]
  );
  const order = useMemo(() => inOrder(layout), [layout]);
  const roving = useRoving(order.size, 'ArrowLeft', 'ArrowRight');
  if (recording.newest.spans.length === 0) {
    return <Empty words="Nothing was traced, lowered or compiled." />;
  }
  return (
    <div class="jtv-timeline">
      <Toolbar
        zoom={zoom}
        setZoom={setZoom}
        library={library}
        setLibrary={setLibrary}
      />
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
