import type { JSX } from 'preact';
import { memo } from '../memo';
import {
  DrawnBox,
  Paint,
  counted,
  formatCount,
  labelOf,
  trans
} from '../../model';
import type { Box, Edge, Graph } from '../../protocol';
import type { Target } from '../../store';
import { Shapes } from './shapes';

export interface BoxActions {
  readonly select: (box: Box) => void;
  readonly hover: (box: Box | null) => void;
  /** Opens a closed group and closes an open one. */
  readonly toggle: (box: Box) => void;
  /** Gets ready for a group to be toggled. */
  readonly foresee: (box: Box) => void;
}

/** How a box stands to the one that is selected. */
export type Reach = 'none' | 'near' | 'saved' | 'far' | 'away';

interface Props {
  readonly drawn: DrawnBox;
  readonly lit: boolean;
  readonly reach: Reach;
  /** What colours it otherwise than by its kind. */
  readonly paint: Paint | undefined;
  readonly pinned: boolean;
  readonly stop: boolean;
  readonly actions: BoxActions;
}

/** One box of the picture: focusable, named by its text. */
export const BoxView = memo(function BoxView(props: Props): JSX.Element {
  const { drawn, lit, reach, paint, pinned, stop, actions } = props;
  const { box, mark } = drawn;
  const words = [mark?.title, paint?.words].filter(Boolean);
  const isGroup = canToggle(box);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (event.key === 'Enter' && isGroup) {
        actions.toggle(box);
      } else {
        actions.select(box);
      }
    }
  };
  return (
    <g
      class={`jtv-node jtv-reach-${reach} ${paint?.className ?? ''}${mark ? ' jtv-marked' : ''}${lit ? ' jtv-lit' : ''}`}
      role="button"
      aria-label={[nameOf(box), ...words].join(', ')}
      aria-pressed={pinned}
      aria-expanded={isGroup ? box.open : undefined}
      tabindex={stop ? 0 : -1}
      data-box={box.id}
      transform={`translate(${box.x} ${box.y})`}
      onClick={() => actions.select(box)}
      onDblClick={isGroup ? () => actions.toggle(box) : undefined}
      onMouseEnter={() => actions.hover(box)}
      onMouseLeave={() => actions.hover(null)}
      onKeyDown={onKeyDown}
    >
      <title>{[box.title || nameOf(box), ...words].join('\n')}</title>
      <Shapes shapes={drawn.shapes} />
    </g>
  );
});

/** Whether a box can be opened, or closed again. */
export function canToggle({ kind, part }: Box): boolean {
  return kind === 'group' && !part;
}

/** A box as what is selected. */
export function targetOf({ trace }: Graph, { id, places }: Box): Target {
  return { trace, box: id, places };
}

/** A line that stands for several as what is selected. */
export function targetOfFold({ trace }: Graph, { id }: Edge): Target {
  return { trace, box: id, places: [] };
}

/** The drawn box or line with an id. */
export function findDrawn(
  within: Element | null,
  id: string
): SVGElement | null {
  const drawn =
    within?.querySelectorAll<SVGElement>('[data-box],[data-edge]') ?? [];
  return [...drawn].find(node => drawnId(node) === id) ?? null;
}

/** The id of a box or line, from what it is drawn as. */
export function drawnId({ dataset }: SVGElement): string | null {
  return dataset.box ?? dataset.edge ?? null;
}

/** What a box is called where it is not seen: all that it says, since who speaks to the computer says what stands there. */
function nameOf(box: Box): string {
  const { detail, notes, repeat } = box;
  const copies = repeat > 1 ? trans.__('%1 copies', formatCount(repeat)) : '';
  return [labelOf(box), detail, ...notes, copies].filter(Boolean).join(', ');
}

/** The button by which the pointer opens or closes a group; the keyboard has Enter on the group itself. */
export const Disclosure = memo(function Disclosure(props: {
  box: Box;
  actions: BoxActions;
}): JSX.Element {
  const { box, actions } = props;
  const words = box.open
    ? trans.__('Close %1', box.label)
    : trans.__('Open %1: %2', box.label, counted(box.equations, 'equation'));
  return (
    <g
      class="jtv-disclose"
      aria-hidden="true"
      data-disclose={box.id}
      transform={`translate(${box.x} ${box.y})`}
      onMouseEnter={() => actions.foresee(box)}
      onClick={event => {
        event.stopPropagation();
        actions.toggle(box);
      }}
    >
      <title>{words}</title>
      <rect class="jtv-hit" x={-12} y={-12} width={24} height={24} />
      <circle class="jtv-knob" r={6.5} />
      <path
        class="jtv-sign"
        d={box.open ? 'M-3.5 0h7' : 'M-3.5 0h7M0 -3.5v7'}
      />
    </g>
  );
});
