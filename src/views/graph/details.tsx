import type { JSX } from 'preact';
import type { Box, Graph, Place } from '../../protocol';
import type { Selection } from '../../store';

/** What is known of the box that is selected, as text to select and copy. */
export function Details(props: {
  graph: Graph;
  selection: Selection;
}): JSX.Element | null {
  const { graph, selection } = props;
  const id = selection.target?.box;
  const box = graph.boxes.find(b => b.id === id);
  if (!box) {
    return (
      <p class="jtv-details jtv-note">
        Select a box to see its lines; arrows move, Space opens a group.
      </p>
    );
  }
  return (
    <div class="jtv-details">
      <strong>{box.label}</strong>
      {box.detail ? <code>{box.detail}</code> : null}
      <Lines box={box} graph={graph} selection={selection} />
      <pre>{box.title}</pre>
    </div>
  );
}

function Lines(props: {
  box: Box;
  graph: Graph;
  selection: Selection;
}): JSX.Element {
  const { box, graph, selection } = props;
  const show = (place: Place): void =>
    selection.toggle({ trace: graph.trace, box: null, places: [place] });
  return (
    <>
      {box.places.map(place => (
        <button
          key={`${place.file}:${place.line}`}
          type="button"
          class="jtv-link"
          title={place.file}
          onClick={() => show(place)}
        >
          line {place.line}
        </button>
      ))}
    </>
  );
}
