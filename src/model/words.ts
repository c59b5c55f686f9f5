import type {
  Annotation,
  Argument,
  Environment,
  FunctionRecord,
  Reason,
  Trace
} from '../protocol';
import { trans } from './language';

/** A sign with its word: what a glyph says is said in words too. */
export interface Sign {
  readonly glyph: string;
  readonly word: string;
  /** Which of the palette's colours it has. */
  readonly tone: 'traced' | 'static' | 'constant' | 'retrace' | 'neutral';
}

const TRACED: Sign = { glyph: '●', word: 'traced', tone: 'traced' };
const STATIC: Sign = { glyph: '■', word: 'static', tone: 'static' };
export const BAKED_IN: Sign = {
  glyph: '◆',
  word: 'baked in',
  tone: 'constant'
};
export const RETRACE: Sign = { glyph: '↻', word: 'retrace', tone: 'retrace' };
export const FAILED: Sign = { glyph: '✕', word: 'failed', tone: 'retrace' };
export const STALE: Sign = { glyph: '!', word: 'stale', tone: 'retrace' };
const NOTICE: Sign = { glyph: '!', word: 'notice', tone: 'neutral' };

const MARKS: Record<Annotation['status'], Sign> = {
  traced: TRACED,
  static: STATIC,
  concrete_array: { ...BAKED_IN, word: 'concrete array' },
  mixed: { glyph: '◐', word: 'traced in part', tone: 'traced' }
};

export function markSign(status: Annotation['status']): Sign {
  return MARKS[status];
}

const ROLES: Record<Argument['role'], Sign> = {
  traced: TRACED,
  static: STATIC,
  donated: { ...TRACED, word: 'traced, donated' }
};

export function roleSign(role: Argument['role']): Sign {
  return ROLES[role];
}

const CONSTANT_KINDS = new Set(['large_constant', 'stale_value']);
const FAILURE_KINDS = new Set([
  'tracing_error',
  'leaked_tracer',
  'unhashable_static',
  'donated_buffer',
  'key_reuse'
]);
const RETRACE_KINDS = new Set([
  'changing_shapes',
  'weak_type',
  'varying_static',
  'new_function_object',
  'kwargs_spelling',
  'growing_pytree',
  'context_toggle',
  'too_many_compiles',
  'library_compiles'
]);

export function findingSign(kind: string): Sign {
  if (CONSTANT_KINDS.has(kind)) {
    return BAKED_IN;
  }
  if (FAILURE_KINDS.has(kind)) {
    return FAILED;
  }
  return RETRACE_KINDS.has(kind) ? RETRACE : NOTICE;
}

const REASONS: Record<string, string> = {
  first_call: 'first call',
  new_shape: 'new shape',
  new_dtype: 'new dtype',
  weak_type: 'weak type changed',
  new_static_value: 'new static value',
  new_pytree_structure: 'new pytree structure',
  kwargs_signature: 'other keyword arguments',
  new_function_object: 'new function object',
  function_redefined: 'function defined again',
  config_context: 'JAX configuration changed',
  cache_cleared: 'cache cleared',
  new_transform_context: 'other transformation around it',
  uncached_transform: 'transformation without a cache',
  called_by_traced_function: 'called by a traced function',
  branch_trace: 'branch of a control-flow operation',
  make_jaxpr: 'make_jaxpr',
  eval_shape: 'eval_shape',
  aot_lower: 'lower()',
  sharding_or_device: 'other sharding or device',
  donation: 'other donation',
  unknown: 'reason not known'
};

export function reasonWords(reason: Reason): string {
  const known = REASONS[reason.kind];
  return known ? trans.__(known) : reason.kind.replaceAll('_', ' ');
}

/** The number of a trace among those of its function: `#2` of `f1#2`. */
export function traceNumber(trace: Trace): string {
  return trace.id.slice(trace.id.lastIndexOf('#'));
}

/** One line to choose a trace by: `f1#2 · new shape · jit`. */
export function traceTitle(trace: Trace): string {
  const parts = [trace.id];
  const [decisive] = trace.reasons;
  if (decisive) {
    parts.push(reasonWords(decisive));
  }
  parts.push(trace.kind);
  if (trace.status === 'error') {
    parts.push('failed');
  }
  return parts.join(' · ');
}

/** Why there is no trace of a function to show. */
export function untracedWords(fn: FunctionRecord | null): string {
  if (fn && fn.calls > 0 && fn.cache_hits === fn.calls) {
    return trans.__('✓ Not traced: cache hits only.');
  }
  return fn && fn.traces > 0
    ? trans.__('Its traces were left out to keep this small.')
    : trans.__('No trace was recorded.');
}

const LIMITED: Record<string, string> = {
  bodies: 'what the functions did (another profiler runs)',
  lines: 'every line (other tools hold all of Python’s monitoring ids)'
};

/** What could not be watched, by the names of the hook points that are off. */
export function limitedWords(names: readonly string[]): string {
  return `Not watched here: ${names.map(name => LIMITED[name] ?? name).join(', ')}.`;
}

/** What marks on lines may lack; null where Python tells of every line, as it does from 3.12 on. */
export function unseenWords({
  python,
  limited
}: Pick<Environment, 'python' | 'limited'>): string | null {
  const [major = 0, minor = 0] = python.split('.').map(Number);
  if ((major > 3 || minor >= 12) && !limited.includes('lines')) {
    return null;
  }
  return trans.__(
    'Not every line was seen (Python tells of all from 3.12 on): what did not run, rounds of loops and side effects are marked as far as equations and the source show them, and names inside helpers are not told.'
  );
}
