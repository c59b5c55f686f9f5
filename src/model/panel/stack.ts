import type { Place, Trace } from '../../protocol';
import type { Recording } from '../../store';

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

/** By recording: a note counts it with every frame, also where it is folded away. */
const known = new WeakMap<Recording, readonly StackNode[]>();

/** Where a recording's traces come from: the user's lines, the functions called there, and so on inwards. */
export function stackOf(recording: Recording): readonly StackNode[] {
  const nodes = known.get(recording) ?? stackIn(recording);
  known.set(recording, nodes);
  return nodes;
}

function stackIn(recording: Recording): StackNode[] {
  const children = new Map<string, Trace[]>();
  const roots: Trace[] = [];
  for (const trace of recording.traces.records) {
    const outer = recording.traces.get(trace.parent ?? '');
    if (outer) {
      add(children, outer.id, trace);
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
  const lines = group(traces, ({ call_site: site }) =>
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
  const functions = group(traces, trace => trace.function);
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

function group(
  traces: readonly Trace[],
  keyOf: (trace: Trace) => string
): Map<string, Trace[]> {
  const groups = new Map<string, Trace[]>();
  for (const trace of traces) {
    const key = keyOf(trace);
    add(groups, key, trace);
  }
  return groups;
}

/** Recordings hold thousands: a group grows in place. */
function add(groups: Map<string, Trace[]>, key: string, trace: Trace): void {
  const group = groups.get(key) ?? [];
  group.push(trace);
  groups.set(key, group);
}
