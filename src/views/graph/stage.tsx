import type { ComponentChildren, JSX, RefObject } from 'preact';
import type { Graph } from '../../protocol';
import { Minimap } from './minimap';
import type { Zoom } from './zoom';

/** The view that is scrolled over the picture, with a map of it in a corner. */
export function Stage(props: {
  view: RefObject<HTMLDivElement>;
  graph: Graph;
  zoom: Zoom;
  busy: boolean;
  withMap: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const { view, graph, zoom, busy, withMap, children } = props;
  return (
    <div class="jtv-graph-stage">
      <div
        ref={view}
        class="jtv-graph-scroll"
        aria-busy={busy}
        onKeyDown={zoom.onKeyDown}
        onWheel={zoom.onWheel}
        onPointerDown={zoom.onPointerDown}
      >
        {children}
      </div>
      {withMap ? (
        <Minimap view={view} graph={graph} scale={zoom.scale} />
      ) : null}
    </div>
  );
}
