import type { JSX } from 'preact';
import type { Box, Graph, Place } from '../../protocol';
import {
  LineNames,
  counted,
  foldOf,
  kernelWords,
  sliceOf,
  trans
} from '../../model';
import type { Selection } from '../../store';
import { LineLink } from '../line-link';
import { CopyPicker } from './copies';
import { BoxLink, FoldDetails, FoldLinks } from './fold';

/** So many boxes that use saved values are named. */
const SAVED_LISTED = 6;

/** What is known of the box that is selected, as text to select and copy. */
export function Details(props: {
  graph: Graph;
  names: LineNames;
  selection: Selection;
  /** Draws another copy of a plate. */
  showCopy: (box: Box, copy: number) => void;
}): JSX.Element | null {
  const { graph, names, selection, showCopy } = props;
  const id = selection.target?.box ?? null;
  const fold = foldOf(graph, id);
  if (fold) {
    return (
      <FoldDetails
        key={fold.id}
        edge={fold}
        graph={graph}
        selection={selection}
      />
    );
  }
  const box = graph.boxes.find(b => b.id === id);
  if (!box) {
    return (
      <p class="jtv-details jtv-note">
        {trans.__(
          'Select a box to see its lines, what it needs and what needs it, or a thick or dashed line to see its values. Keys: arrows follow the lines, Enter opens a group, Space selects, + − 0 zoom.'
        )}
      </p>
    );
  }
  return (
    <div class="jtv-details">
      <strong>{box.label}</strong>
      {box.detail ? <code>{box.detail}</code> : null}
      {box.repeat > 1 ? (
        <CopyPicker box={box} show={copy => showCopy(box, copy)} />
      ) : null}
      <span class="jtv-note">{reachWords(graph, box)}</span>
      <Lines box={box} graph={graph} names={names} selection={selection} />
      <Saved box={box} graph={graph} selection={selection} />
      <FoldLinks box={box} graph={graph} selection={selection} />
      {kernelWords(graph, graph.boxes.indexOf(box)).map(words => (
        <span key={words} class="jtv-note">
          {words}
        </span>
      ))}
      <pre>{furtherLines(box)}</pre>
    </div>
  );
}

/** What the tooltip says beyond the label and the second line, which are there already, if they were not cut. */
function furtherLines({ label, detail, title }: Box): string {
  const lines = title.split('\n');
  if (lines[0] && label.startsWith(lines[0])) {
    lines.shift();
  }
  if (lines[0] && detail.includes(lines[0])) {
    lines.shift();
  }
  return lines.join('\n');
}

/** How much hangs on a box, in words: the picture lights it. */
function reachWords(graph: Graph, box: Box): string {
  const { above, below } = sliceOf(graph, box);
  const closed = new Set(graph.boxes.filter(b => !b.open).map(b => b.id));
  const count = (ids: ReadonlySet<string>): number =>
    [...ids].filter(id => closed.has(id)).length;
  return trans.__(
    'needs %1, needed by %2',
    counted(count(above), 'box'),
    count(below)
  );
}

/** The boxes of the other pass that are bound to a box by saved values. */
function Saved(props: {
  box: Box;
  graph: Graph;
  selection: Selection;
}): JSX.Element | null {
  const { box, graph, selection } = props;
  const { saved } = sliceOf(graph, box);
  const others = graph.boxes.filter(other => saved.has(other.id));
  if (others.length === 0) {
    return null;
  }
  const words =
    box.phase === 'backward'
      ? trans.__('uses what is saved by')
      : trans.__('saves values for');
  return (
    <span class="jtv-saved">
      {words}{' '}
      {others.slice(0, SAVED_LISTED).map(other => (
        <BoxLink
          key={other.id}
          box={other}
          graph={graph}
          selection={selection}
        />
      ))}
      {others.length > SAVED_LISTED
        ? trans.__('and %1', counted(others.length - SAVED_LISTED, 'more box'))
        : ''}
    </span>
  );
}

function Lines(props: {
  box: Box;
  graph: Graph;
  names: LineNames;
  selection: Selection;
}): JSX.Element {
  const { box, graph, names, selection } = props;
  const show = (place: Place): void =>
    selection.toggle({ trace: graph.trace, box: null, places: [place] });
  return (
    <>
      {box.places.map(place => (
        <LineLink
          key={`${place.file}:${place.line}`}
          place={place}
          names={names}
          go={show}
        />
      ))}
    </>
  );
}
