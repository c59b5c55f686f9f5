import type { JSX } from 'preact';
import { memo } from '../memo';
import { DrawnBox, counted } from '../../model';
import type { Box } from '../../protocol';
import { Shapes } from './shapes';

export interface BoxActions {
  readonly select: (box: Box) => void;
  readonly hover: (box: Box | null) => void;
  /** Opens a closed group and closes an open one. */
  readonly toggle: (box: Box) => void;
}

interface Props {
  readonly drawn: DrawnBox;
  readonly lit: boolean;
  readonly pinned: boolean;
  readonly stop: boolean;
  readonly actions: BoxActions;
}

/** One box of the picture: focusable, named by its text. */
export const BoxView = memo(function BoxView(props: Props): JSX.Element {
  const { drawn, lit, pinned, stop, actions } = props;
  const { box } = drawn;
  const isGroup = box.kind === 'group';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (event.key === ' ' && isGroup) {
        actions.toggle(box);
      } else {
        actions.select(box);
      }
    }
  };
  return (
    <g
      class={`jtv-node${lit ? ' jtv-lit' : ''}`}
      role="button"
      aria-label={nameOf(box)}
      aria-pressed={pinned}
      aria-expanded={isGroup ? box.open : undefined}
      tabindex={stop ? 0 : -1}
      data-box={box.id}
      onClick={() => actions.select(box)}
      onMouseEnter={() => actions.hover(box)}
      onMouseLeave={() => actions.hover(null)}
      onKeyDown={onKeyDown}
    >
      <title>{box.title || nameOf(box)}</title>
      <Shapes shapes={drawn.shapes} />
    </g>
  );
});

/** The drawn box with an id. */
export function findBox(within: Element | null, id: string): SVGElement | null {
  const boxes = within?.querySelectorAll<SVGElement>('[data-box]') ?? [];
  return [...boxes].find(node => node.dataset.box === id) ?? null;
}

function nameOf(box: Box): string {
  const copies = box.repeat > 1 ? `${box.repeat} copies` : '';
  return [box.label, box.detail, copies].filter(Boolean).join(', ');
}

/** The triangle by which the pointer opens or closes a group; the keyboard has Space on the group itself. */
export function Disclosure(props: {
  box: Box;
  toggle: (box: Box) => void;
}): JSX.Element {
  const { box, toggle } = props;
  const words = box.open
    ? `Close ${box.label}`
    : `Open ${box.label}: ${counted(box.equations, 'equation')}`;
  const { x, y } = box;
  return (
    <g
      class="jtv-disclose"
      aria-hidden="true"
      data-disclose={box.id}
      onClick={event => {
        event.stopPropagation();
        toggle(box);
      }}
    >
      <title>{words}</title>
      <rect class="jtv-hit" x={x - 12} y={y - 12} width={24} height={24} />
      <circle class="jtv-knob" cx={x} cy={y} r={6.5} />
      <path
        class="jtv-sign"
        d={`M${x - 3.5} ${y}h7${box.open ? '' : `M${x} ${y - 3.5}v7`}`}
      />
    </g>
  );
}
