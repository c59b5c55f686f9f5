import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  Focus,
  graphOf,
  listingOf,
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
import { useAsking } from '../asking';
import { Empty } from '../empty';
import { Progress } from '../progress';
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
    const open = session.cutOff ? null : actions.openPicture;
    const kept = trace !== null && listingOf(session, trace.id) !== null;
    return kept && !graph && open ? (
      <LeftOut draw={signal => open(session.id, trace.id, signal)} />
    ) : (
      <Empty words={missing || emptyWords(focus)} />
    );
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

/** In place of a graph that was too large for the recording's messages: the kernel can still draw it. */
function LeftOut(props: {
  draw: (signal: AbortSignal) => Promise<void>;
}): JSX.Element {
  const asking = useAsking();
  return (
    <div class="jtv-compare" aria-busy={asking.busy}>
      <p class="jtv-note">
        {trans.__('The graph was left out to keep this notebook small.')}
      </p>
      <button
        type="button"
        class="jtv-button"
        disabled={asking.busy}
        onClick={() => asking.ask(props.draw)}
      >
        {trans.__('Have the kernel draw it')}
      </button>
      <Progress asking={asking} doing={trans.__('The kernel is drawing…')} />
    </div>
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
