import type { JSX } from 'preact';
import {
  LineNames,
  Use,
  foldsOf,
  groupBy,
  labelOf,
  sizeOf,
  trans,
  usesOf
} from '../../model';
import type { Box, Edge, Graph } from '../../protocol';
import type { Selection } from '../../store';
import { canToggle, targetOf, targetOfFold } from './box';
import { Columns } from '../columns';
import { nameOfFold } from './edges';
import { sizeWords } from './fold';

interface Props {
  readonly graph: Graph;
  readonly names: LineNames;
  readonly selection: Selection;
  /** Opens or closes a group. */
  readonly toggle: (box: Box) => void;
}

/** The same boxes as the picture, in the order of the program, for reading without seeing it. */
export function GraphTable(props: Props): JSX.Element {
  const { graph, names, selection, toggle } = props;
  const uses = usesOf(graph);
  return (
    <div class="jtv-graph-table">
      <table
        aria-label={trans.__('Computation graph of %1, as a table', graph.name)}
      >
        <Columns
          names={[
            trans.__('Box'),
            trans.__('Type'),
            trans.__('Uses'),
            trans.__('Is used by'),
            trans.__('Line')
          ]}
        />
        <tbody>
          {inOrder(graph).map(({ box, depth }) => (
            <Row
              key={box.id}
              box={box}
              depth={depth}
              names={names}
              uses={uses}
              pinned={selection.pinned?.box === box.id}
              select={() => selection.toggle(targetOf(graph, box))}
              toggle={toggle}
            />
          ))}
          {foldsOf(graph).map(edge => (
            <FoldRow
              key={edge.id}
              edge={edge}
              graph={graph}
              selection={selection}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A line that stands for several. */
function FoldRow(props: {
  edge: Edge;
  graph: Graph;
  selection: Selection;
}): JSX.Element {
  const { edge, graph, selection } = props;
  const pinned = selection.pinned?.box === edge.id;
  const nameAt = (id: string): string => {
    const box = graph.boxes.find(one => one.id === id);
    return box ? labelOf(box) : '';
  };
  return (
    <tr aria-selected={pinned} class={pinned ? 'jtv-lit' : ''}>
      <th scope="row">
        <button
          type="button"
          class="jtv-link"
          aria-pressed={pinned}
          onClick={() => selection.toggle(targetOfFold(graph, edge))}
        >
          {nameOfFold(edge)}
        </button>
      </th>
      <td>{sizeWords(sizeOf(edge).bytes)}</td>
      <td>{nameAt(edge.source)}</td>
      <td>{nameAt(edge.target)}</td>
      <td />
    </tr>
  );
}

function Row(props: {
  box: Box;
  depth: number;
  names: LineNames;
  uses: readonly Use[];
  pinned: boolean;
  select: () => void;
  toggle: (box: Box) => void;
}): JSX.Element {
  const { box, depth, names, uses, pinned, select, toggle } = props;
  const into = uses.filter(use => use.target.id === box.id);
  const from = uses.filter(use => use.source.id === box.id);
  const isGroup = canToggle(box);
  return (
    <tr aria-selected={pinned} class={pinned ? 'jtv-lit' : ''}>
      <th scope="row" style={{ paddingLeft: `${4 + 14 * depth}px` }}>
        {isGroup ? (
          <button
            type="button"
            class="jtv-disclosure"
            aria-expanded={box.open}
            aria-label={
              box.open
                ? trans.__('Close %1', box.label)
                : trans.__('Open %1', box.label)
            }
            onClick={() => toggle(box)}
          >
            {box.open ? '▾' : '▸'}
          </button>
        ) : null}
        <button
          type="button"
          class="jtv-link"
          aria-pressed={pinned}
          onClick={select}
        >
          {labelOf(box)}
        </button>
      </th>
      <td>
        <code>{box.detail}</code>
      </td>
      <td>{into.map(use => wordsOf(use, use.source)).join(', ')}</td>
      <td>{from.map(use => wordsOf(use, use.target)).join(', ')}</td>
      <td>{box.places.map(names.short).join(', ')}</td>
    </tr>
  );
}

function wordsOf({ link }: Use, other: Box): string {
  const label = labelOf(other);
  switch (link.kind) {
    case 'value':
      return label;
    case 'saved':
      return trans.__('%1 (saved)', label);
    case 'carried':
      return trans.__('%1 (next copy)', label);
  }
}

/** Groups come before what they hold. */
function inOrder(graph: Graph): { box: Box; depth: number }[] {
  const children = groupBy(graph.boxes, box => box.parent);
  const below = (
    parent: string | null,
    depth: number
  ): { box: Box; depth: number }[] =>
    [...(children.get(parent) ?? [])]
      .sort((a, b) => a.y - b.y || a.x - b.x)
      .flatMap(box => [{ box, depth }, ...below(box.id, depth + 1)]);
  return below(null, 0);
}
