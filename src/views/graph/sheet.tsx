import type { ComponentChildren, JSX } from 'preact';
import type { Graph } from '../../protocol';

/** Room around the drawing for borders and focus rings. */
export const MARGIN = 12;

/** Smaller than this, boxes are mere colour, and the larger groups are named over them. */
export const FAR = 0.55;

/** Smaller than this, small print is left out. */
const SMALL_PRINT = 0.7;

interface Props {
  readonly graph: Graph;
  readonly scale: number;
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly onFocusOut: () => void;
  readonly children: ComponentChildren;
}

/**
 * What the view scrolls over: as large as the picture appears. The picture itself keeps its own size and is only
 * transformed, so that another scale costs no new layout of it.
 */
export function Sheet(props: Props): JSX.Element {
  const { graph, scale, onFocusIn, onFocusOut, children } = props;
  const detail = scale < FAR ? 'far' : scale < SMALL_PRINT ? 'some' : 'all';
  return (
    <div class="jtv-sheet" style={sheetSize(graph, scale)}>
      <div
        class={`jtv-scaled jtv-detail-${detail}`}
        style={{ transform: `scale(${scale})` }}
        onFocusIn={onFocusIn}
        onFocusOut={onFocusOut}
      >
        {children}
      </div>
    </div>
  );
}

function sheetSize(
  { width, height }: Graph,
  scale: number
): { width: string; height: string } {
  return {
    width: `${(width + 2 * MARGIN) * scale}px`,
    height: `${(height + 2 * MARGIN) * scale}px`
  };
}

/** Lets the sheet appear in another scale without drawing it anew. */
export function scaleSheet(
  view: HTMLElement,
  graph: Graph,
  scale: number
): void {
  const sheet = sheetOf(view);
  const scaled = sheet?.firstElementChild as HTMLElement | null | undefined;
  if (sheet && scaled) {
    Object.assign(sheet.style, sheetSize(graph, scale));
    scaled.style.transform = `scale(${scale})`;
  }
}

export function sheetOf(view: HTMLElement): HTMLElement | null {
  return view.querySelector<HTMLElement>('.jtv-sheet');
}
