import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fileName, graphOf, pairFile, traceTitle, trans } from '../../model';
import type { Graph, Trace } from '../../protocol';
import { DEFAULT_DRAWING, Session } from '../../store';
import type { Actions } from '../actions';
import { Asking, useAsking } from '../asking';
import { Progress } from '../progress';

/** The comparison of a trace's picture with another trace's, and how the question for it went. */
export interface Comparing {
  readonly other: string | null;
  /** Whether the kernel that recorded this is there: it is what compares. */
  readonly possible: boolean;
  /** Both pictures, the earlier trace's first; empty as long as there is nothing to compare. */
  readonly pair: readonly Graph[];
  readonly asking: Asking;
  readonly compare: (other: string | null) => void;
}

export function useComparing(
  graph: Graph,
  session: Session,
  actions: Actions
): Comparing {
  const asking = useAsking();
  const [other, setOther] = useState<string | null>(null);
  const draw = (trace: string, than: string | null, signal: AbortSignal) => {
    const drawn = session.openedGraphs.get(trace)?.drawing ?? DEFAULT_DRAWING;
    const drawing = { ...drawn, other: than };
    return actions.openGraph?.(session.id, trace, drawing, signal);
  };
  const possible = !session.cutOff && actions.openGraph !== null;
  const compare = (chosen: string | null): void => {
    setOther(chosen);
    if (!possible) {
      return;
    }
    asking.ask(async signal => {
      await draw(graph.trace, chosen, signal);
      if (chosen !== null) {
        await draw(chosen, graph.trace, signal);
      }
    });
  };
  const pair = pairOf(session, graph, other);
  return { other, possible, pair, asking, compare };
}

function pairOf(session: Session, graph: Graph, other: string | null): Graph[] {
  const second = other === null ? null : graphOf(session, other);
  const compared =
    second?.changes?.other === graph.trace && graph.changes?.other === other;
  const pair = second && compared ? [graph, second] : [];
  return pair.sort(
    (a, b) => Number(a.changes?.later) - Number(b.changes?.later)
  );
}

/** Chooses the trace to compare with; nothing where there is only one. */
export function CompareChoice(props: {
  graph: Graph;
  traces: readonly Trace[];
  comparing: Comparing;
  saveFile: Actions['saveFile'];
}): JSX.Element | null {
  const { graph, traces, comparing, saveFile } = props;
  const [before, after] = comparing.pair;
  const others = traces.filter(
    ({ id, jaxpr }) => id !== graph.trace && jaxpr !== null
  );
  if (others.length === 0) {
    return null;
  }
  return (
    <div class="jtv-toolbar jtv-compare-choice">
      <label>
        <span>{trans.__('Compare with:')} </span>
        <select
          value={comparing.other ?? ''}
          disabled={!comparing.possible && comparing.other === null}
          onChange={event =>
            comparing.compare(event.currentTarget.value || null)
          }
        >
          <option value="">{trans.__('nothing')}</option>
          {others.map(trace => (
            <option
              key={trace.id}
              value={trace.id}
              disabled={!comparing.possible}
            >
              {traceTitle(graph.name, trace)}
            </option>
          ))}
        </select>
      </label>
      {before && after ? (
        <button
          type="button"
          class="jtv-button"
          onClick={() =>
            saveFile(
              `${fileName(graph.name)}-compared.svg`,
              'image/svg+xml',
              pairFile(before, after)
            )
          }
        >
          {trans.__('Save both as SVG')}
        </button>
      ) : null}
      <Told comparing={comparing} />
    </div>
  );
}

function Told({ comparing }: { comparing: Comparing }): JSX.Element {
  const without = trans.__('Comparing needs the kernel that recorded this.');
  return (
    <Progress
      asking={comparing.asking}
      doing={trans.__('The kernel is comparing…')}
      otherwise={comparing.possible ? '' : without}
    />
  );
}
