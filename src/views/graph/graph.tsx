import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  Focus,
  graphOf,
  nestedIn,
  traceName,
  traceTitle,
  untracedWords,
  withNested,
  trans
} from '../../model';
import type { Graph as GraphRecord, Trace } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { Empty } from '../empty';
import { CompareChoice, useComparing } from './comparing';
import { GraphPane } from './pane';
import { Together } from './together';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly actions: Actions;
  /** Why there may be no graph. */
  readonly missing: string;
}

/** The computation graph of the trace that is shown. */
export function Graph({
  session,
  focus,
  actions,
  missing
}: Props): JSX.Element {
  const { trace } = focus;
  const graph = useGraph(session, trace);
  if (!graph || graph.boxes.length === 0) {
    return <Empty words={missing || emptyWords(focus)} />;
  }
  return (
    <Comparable
      key={graph.trace}
      graph={graph}
      session={session}
      actions={actions}
      traces={focus.traces}
    />
  );
}

/** The graph to draw of a trace, with what is being traced inside it. */
function useGraph(session: Session, trace: Trace | null): GraphRecord | null {
  const graph = trace && graphOf(session, trace.id);
  const nested = trace && nestedIn(session, trace);
  const { id = '', name = '', equations = 0 } = nested ?? {};
  return useMemo(
    () =>
      graph && id !== '' ? withNested(graph, { id, name, equations }) : graph,
    [graph, id, name, equations]
  );
}

function emptyWords({ function: fn, trace }: Focus): string {
  if (!trace) {
    return untracedWords(fn);
  }
  return trace.status === 'running'
    ? trans.__('Nothing has been staged yet.')
    : trans.__('No graph was kept for this trace.');
}

/** One picture, or two side by side. */
function Comparable(props: {
  graph: GraphRecord;
  session: Session;
  actions: Actions;
  traces: readonly Trace[];
}): JSX.Element {
  const { graph, session, actions, traces } = props;
  const comparing = useComparing(graph, session, actions);
  const { other, pair } = comparing;
  const [together] = useState(() => new Together());
  const shared = { session, actions };
  return (
    <>
      <CompareChoice
        graph={graph}
        traces={traces}
        comparing={comparing}
        saveFile={actions.saveFile}
      />
      {pair.length > 0 ? (
        <div class="jtv-side-by-side">
          {pair.map(one => (
            <section key={one.trace} aria-label={titleIn(traces, one)}>
              <h4>{titleIn(traces, one)}</h4>
              <GraphPane
                {...shared}
                graph={one}
                other={one === graph ? other : graph.trace}
                together={together}
              />
            </section>
          ))}
        </div>
      ) : (
        <GraphPane {...shared} graph={graph} other={null} together={null} />
      )}
    </>
  );
}

function titleIn(
  traces: readonly Trace[],
  { name, trace, changes }: GraphRecord
) {
  const record = traces.find(({ id }) => id === trace);
  const when = changes?.later ? trans.__('now') : trans.__('before');
  return `${when}: ${record ? traceTitle(name, record) : traceName(name, trace)}`;
}
