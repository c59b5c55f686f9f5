import type { Trace } from '../../protocol';
import type { Recording } from '../../store';

/** Decisive reasons of traces that were only asked for: they make no retrace of the first call that follows. */
const ASKED_FOR = new Set(['make_jaxpr', 'eval_shape', 'aot_lower']);

const NO_RETRACE = new Set([
  ...ASKED_FOR,
  'first_call',
  'branch_trace',
  'called_by_traced_function',
  'function_redefined',
  'new_transform_context',
  'uncached_transform'
]);

/**
 * The traces that an earlier trace of the same function could have served, had some part of the key been the same: as the
 * verdict counts them (`session/evidence.py`).
 */
export function retracesIn(recording: Recording): Trace[] {
  const called = new Set<string>();
  return recording.traces.records.filter(trace => {
    const [reason] = trace.reasons;
    const had = called.has(trace.function);
    if (reason && !ASKED_FOR.has(reason.kind)) {
      called.add(trace.function);
    }
    return (
      reason !== undefined &&
      trace.parent === null &&
      !NO_RETRACE.has(reason.kind) &&
      (reason.kind !== 'new_function_object' || trace.discarded > 0) &&
      (had || recording.traces.get(trace.compared_with ?? '') === undefined)
    );
  });
}
