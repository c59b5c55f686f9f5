import type { FunctionRecord, Graph, JaxprDiff, Listing } from '../protocol';
import type { Recording } from './recording';
import type { Selection } from './selection';

/** One recorded cell (or stretch of a program) and what the user looks at in it. */
export interface Session {
  readonly id: string;
  readonly recording: Recording;
  readonly selection: Selection;
  /** By trace; they stand in for the recording's own graphs. */
  readonly openedGraphs: ReadonlyMap<string, OpenedGraph>;
  /** By trace: what was asked for because the recording holds no picture of it. */
  readonly pictures: ReadonlyMap<string, Picture>;
  /** By trace: what became of the equations since the trace it was compared with. */
  readonly diffs: ReadonlyMap<string, JaxprDiff>;
  /** Whether its kernel has forgotten it: if it says that it is running, it never ends. */
  readonly cutOff: boolean;
}

/** How a graph is to be drawn, in the form of a `Request`. */
export interface Drawing {
  readonly boxes: readonly string[];
  /** Whether with what XLA made of the equations. */
  readonly overlay: boolean;
  /** The trace whose equations it is to be compared with. */
  readonly other: string | null;
}

/** As the kernel draws it unasked. */
export const DEFAULT_DRAWING: Drawing = {
  boxes: [],
  overlay: false,
  other: null
};

/** A graph that was asked for, because it is drawn otherwise than by default. */
export interface OpenedGraph {
  readonly graph: Graph;
  readonly drawing: Drawing;
}

/** What the tabs Graph and Jaxpr show of a trace, as far as the kernel could make it. */
export interface Picture {
  readonly graph: Graph | null;
  readonly listing: Listing | null;
}

export function find(sessions: readonly Session[], id: string): Session | null {
  return sessions.find(session => session.id === id) ?? null;
}

/** Whether the functions of two recordings have the same code. */
export function isSameCode(a: FunctionRecord, b: FunctionRecord): boolean {
  return a.file === b.file && a.line === b.line && a.qualname === b.qualname;
}
