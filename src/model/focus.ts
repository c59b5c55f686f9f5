import type { FunctionRecord, Graph, Listing, Trace } from '../protocol';
import type { Recording, Session } from '../store';

/** What the views of a session show. */
export interface Focus {
  readonly function: FunctionRecord | null;
  /** The function's traces, oldest first. */
  readonly traces: readonly Trace[];
  readonly trace: Trace | null;
}

function costOf({ seconds }: FunctionRecord): number {
  return seconds.trace + seconds.lower + seconds.compile;
}

/** The user's own functions and those of libraries, each with the costliest first. */
export function rankFunctions(recording: Recording): {
  user: FunctionRecord[];
  library: FunctionRecord[];
} {
  const ranked = [...recording.functions.records].sort(
    (a, b) => costOf(b) - costOf(a)
  );
  return {
    user: ranked.filter(f => f.origin === 'user'),
    library: ranked.filter(f => f.origin === 'library')
  };
}

/** What the user chose, else what the kernel chose, else the costliest function's newest trace. */
export function focusOf(session: Session): Focus {
  const { recording, selection } = session;
  const chosen =
    selection.trace ?? (selection.function ? null : recording.newest.selected);
  const trace = chosen ? recording.traces.get(chosen) : undefined;
  const { user, library } = rankFunctions(recording);
  const shown =
    recording.functions.get(selection.function ?? trace?.function ?? '') ??
    user[0] ??
    library.find(fn => fn.traces > 0) ??
    null;
  const traces = tracesOf(recording, shown);
  return {
    function: shown,
    traces,
    trace: trace ?? traces[traces.length - 1] ?? null
  };
}

function tracesOf(recording: Recording, shown: FunctionRecord | null): Trace[] {
  return recording.traces.records
    .filter(trace => trace.function === shown?.id)
    .sort((a, b) => a.started - b.started);
}

/** The graph to draw for a trace: with the groups the user opened, as long as the trace has not grown since. */
export function graphOf(session: Session, trace: string): Graph | null {
  const recorded = session.recording.graphs.get(trace);
  const opened = session.openedGraphs.get(trace)?.graph;
  const current =
    opened && (!recorded || recorded.equations === opened.equations);
  const asked = session.pictures.get(trace)?.graph;
  return (current ? opened : (recorded ?? asked)) ?? null;
}

/** The listing of a trace, from the recording or because it was asked for: whichever has more lines. */
export function listingOf(session: Session, trace: string): Listing | null {
  const recorded = session.recording.listings.get(trace);
  const asked = session.pictures.get(trace)?.listing;
  const longer = (asked?.lines.length ?? 0) > (recorded?.lines.length ?? 0);
  return (longer ? asked : recorded) ?? null;
}
