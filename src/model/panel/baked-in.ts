import type { Constant } from '../../protocol';
import type { Recording } from '../../store';

/** An array that was baked into programs, once however many traces of a function hold it. */
export interface BakedIn {
  readonly key: string;
  readonly constant: Constant;
  readonly fn: string;
  /** The newest trace that holds it. */
  readonly trace: string;
  readonly traces: number;
}

/** The arrays baked in anywhere in a recording, the largest first. */
export function bakedIn(recording: Recording): BakedIn[] {
  const found = new Map<string, BakedIn>();
  for (const trace of recording.traces.records) {
    for (const constant of trace.constants) {
      const { name, source, type } = constant;
      const key = JSON.stringify([trace.function, name, source, type]);
      found.set(key, {
        key,
        constant,
        fn: trace.function,
        trace: trace.id,
        traces: (found.get(key)?.traces ?? 0) + 1
      });
    }
  }
  return [...found.values()].sort(
    (a, b) => b.constant.bytes - a.constant.bytes
  );
}
