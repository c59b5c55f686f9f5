import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  FoldedValue,
  counted,
  foldsOf,
  formatBytes,
  formatCount,
  labelOf,
  sizeOf,
  trans,
  valuesOf
} from '../../model';
import type { Box, Edge, Graph } from '../../protocol';
import type { Selection } from '../../store';
import { Columns } from '../columns';
import { targetOf, targetOfFold } from './box';
import { nameOfFold } from './edges';

/** So many rows are shown at first. */
const ROWS = 30;

interface Props {
  readonly graph: Graph;
  readonly selection: Selection;
}

/** What a line that stands for several is made of: each value with the boxes that make it and use it. */
export function FoldDetails(props: Props & { edge: Edge }): JSX.Element {
  const { graph, selection, edge } = props;
  const [all, setAll] = useState(false);
  const rows = valuesOf(graph, edge);
  const shown = all ? rows : rows.slice(0, ROWS);
  return (
    <div class="jtv-details">
      <strong>{nameOfFold(edge)}</strong>
      <code>{sizeWords(sizeOf(edge).bytes)}</code>
      <div class="jtv-folded">
        <table aria-label={nameOfFold(edge)}>
          <Columns
            names={[
              trans.__('Value'),
              trans.__('Type'),
              trans.__('Size'),
              trans.__('Made by'),
              trans.__('Used by')
            ]}
          />
          <tbody>
            {shown.map((row, i) => (
              <Row key={i} row={row} graph={graph} selection={selection} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length ? (
        <button type="button" class="jtv-link" onClick={() => setAll(true)}>
          {counted(rows.length - shown.length, 'more row')}
        </button>
      ) : null}
    </div>
  );
}

function Row(props: Props & { row: FoldedValue }): JSX.Element {
  const { graph, selection, row } = props;
  const { value, source, targets } = row;
  const times = value.count > 1 ? ` ×${formatCount(value.count)}` : '';
  return (
    <tr>
      <td>
        <code>{value.name || value.operation || source.name}</code>
      </td>
      <td>
        <code>{value.type + times}</code>
      </td>
      <td>{sizeWords(value.bytes)}</td>
      <td>
        <BoxLink box={source} graph={graph} selection={selection} />
      </td>
      <td>
        {targets.map(box => (
          <BoxLink key={box.id} box={box} graph={graph} selection={selection} />
        ))}
      </td>
    </tr>
  );
}

/** The lines at a box that stand for several, to be looked into. */
export function FoldLinks(props: Props & { box: Box }): JSX.Element | null {
  const { graph, selection, box } = props;
  const folds = foldsOf(graph).filter(
    ({ source, target }) => source === box.id || target === box.id
  );
  return folds.length === 0 ? null : (
    <span class="jtv-folds">
      {folds.map(edge => (
        <button
          key={edge.id}
          type="button"
          class="jtv-link"
          title={edge.title}
          onClick={() => selection.pin(targetOfFold(graph, edge))}
        >
          {nameOfFold(edge)}
        </button>
      ))}
    </span>
  );
}

/** A box by what it says, as a link that goes there. */
export function BoxLink(props: Props & { box: Box }): JSX.Element {
  const { box, graph, selection } = props;
  return (
    <button
      type="button"
      class="jtv-link"
      onClick={() => selection.pin(targetOf(graph, box))}
    >
      {labelOf(box)}
    </button>
  );
}

/** Nothing where the types do not tell. */
export function sizeWords(bytes: number): string {
  return bytes > 0 ? formatBytes(bytes) : '';
}
