import type { Place } from '../protocol';
import type { Recording } from '../store';

/** A line of the user's that caused traces, with what they and their compilations cost. */
export interface CallSite {
  readonly place: Place;
  readonly fn: string;
  traces: number;
  compiles: number;
  seconds: number;
}

/** The call sites of the user's functions, the costliest first; as `session/call_sites.py` has them. */
export function callSites(recording: Recording): CallSite[] {
  const found = new Map<string, CallSite>();
  const siteOf = (place: Place | null, fn: string): CallSite | null => {
    if (!place || recording.functions.get(fn)?.origin !== 'user') {
      return null;
    }
    const key = `${place.file}:${place.line}:${fn}`;
    const site = found.get(key) ?? {
      place,
      fn,
      traces: 0,
      compiles: 0,
      seconds: 0
    };
    found.set(key, site);
    return site;
  };
  for (const trace of recording.traces.records) {
    const outermost = trace.parent === null && trace.kind !== 'call';
    const site = outermost ? siteOf(trace.call_site, trace.function) : null;
    if (site) {
      site.traces += 1;
      site.seconds += trace.seconds;
    }
  }
  for (const compilation of recording.compilations.records) {
    const trace = recording.traces.get(compilation.trace ?? '');
    const contained = trace !== undefined && trace.parent !== null;
    const { call_site: place, function: fn } = trace ?? compilation;
    const site = contained ? null : siteOf(place, fn);
    if (site) {
      site.compiles += 1;
      site.seconds += compilation.lower_seconds + compilation.seconds;
    }
  }
  return [...found.values()].sort((a, b) => b.seconds - a.seconds);
}
