import type { Place, Trace } from '../../protocol';
import type { Recording } from '../../store';
import { addTo, groupBy } from '../groups';
import { oncePerRecording } from '../once';

/** A line of the user's, or a function that was traced there: with everything that was traced inside. */
export interface StackNode {
  readonly key: string;
  /** The line that caused the traces below; null for a function. */
  readonly place: Place | null;
  /** The function that was traced; empty for a line. */
  readonly fn: string;
  /** The newest of its traces. */
  readonly trace: string;
  readonly traces: number;
  /** With what is nested: of a line, that of all functions below it. */
  readonly seconds: number;
  readonly children: readonly StackNode[];
}

/** Where a recording's traces come from: the user's lines, the functions called there, and so on inwards. */
export const stackOf = oncePerRecording(stackIn);

function stackIn(recording: Recording): readonly StackNode[] {
  const children = new Map<string, Trace[]>();
  const roots: Trace[] = [];
  for (const trace of recording.traces.records) {
    const outer = recording.traces.get(trace.parent ?? '');
    if (outer) {
      addTo(children, outer.id, trace);
    } else {
      roots.push(trace);
    }
  }
  return linesOf(roots, '', traces =>
    traces.flatMap(({ id }) => children.get(id) ?? [])
  );
}

type Inside = (traces: readonly Trace[]) => Trace[];

/** Traces by the line that caused them; those of which no line is known stand for themselves. */
function linesOf(
  traces: readonly Trace[],
  above: string,
  inside: Inside
): StackNode[] {
  const lines = groupBy(traces, ({ call_site: site }) =>
    site ? `${site.file}:${site.line}` : ''
  );
  return bySeconds(
    [...lines].flatMap(([line, own]) => {
      const key = `${above}/${line}`;
      const functions = functionsOf(own, key, inside);
      const place = own[0]?.call_site ?? null;
      return place
        ? [{ ...total(functions), key, place, fn: '', children: functions }]
        : functions;
    })
  );
}

function functionsOf(
  traces: readonly Trace[],
  above: string,
  inside: Inside
): StackNode[] {
  const functions = groupBy(traces, trace => trace.function);
  return bySeconds(
    [...functions].map(([fn, own]) => {
      const key = `${above}/${fn}`;
      return {
        key,
        place: null,
        fn,
        trace: own[own.length - 1]?.id ?? '',
        traces: own.length,
        seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
        children: linesOf(inside(own), key, inside)
      };
    })
  );
}

function total(
  nodes: readonly StackNode[]
): Pick<StackNode, 'trace' | 'traces' | 'seconds'> {
  return {
    trace: nodes[0]?.trace ?? '',
    traces: nodes.reduce((sum, { traces }) => sum + traces, 0),
    seconds: nodes.reduce((sum, { seconds }) => sum + seconds, 0)
  };
}

function bySeconds(nodes: StackNode[]): StackNode[] {
  return nodes.sort((a, b) => b.seconds - a.seconds);
}
