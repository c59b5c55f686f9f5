import { decisiveReason } from '../why/parts';
import type {
  Annotation,
  Argument,
  Environment,
  FunctionRecord,
  Reason,
  Span,
  Trace
} from '../../protocol';
import { Words, trans } from './language';

/** A sign with its word: what a glyph says is said in words too. */
export interface Sign {
  readonly glyph: string;
  readonly word: string;
  /** Which of the palette's colours it has. */
  readonly tone: 'traced' | 'static' | 'constant' | 'retrace' | 'neutral';
}

/** A sign whose word is said in the language that is spoken when it is read. */
export function signOf(glyph: string, tone: Sign['tone'], word: Words): Sign {
  return {
    glyph,
    tone,
    get word() {
      return word();
    }
  };
}

const TRACED = signOf('●', 'traced', () => trans.__('traced'));
const STATIC = signOf('■', 'static', () => trans.__('static'));
/** Of an ordinary value that a function did not get as an argument: a line that reads it does not name it. */
export const READ_OUTSIDE = signOf('■', 'static', () => trans.__('static'));
export const BAKED_IN = signOf('◆', 'constant', () => trans.__('baked in'));
export const RETRACE = signOf('↻', 'retrace', () => trans.__('retrace'));
export const FAILED = signOf('✕', 'retrace', () => trans.__('failed'));
export const STALE = signOf('!', 'retrace', () => trans.__('stale'));
export const HIT = signOf('✓', 'neutral', () => trans.__('cache hit'));
const NOTICE = signOf('!', 'neutral', () => trans.__('notice'));

const MARKS: Record<Annotation['status'], Sign> = {
  traced: TRACED,
  static: STATIC,
  concrete_array: signOf('◆', 'constant', () => trans.__('concrete array')),
  mixed: signOf('◐', 'traced', () => trans.__('traced in part'))
};

export function markSign(status: Annotation['status']): Sign {
  return MARKS[status];
}

const ROLES: Record<Argument['role'], Sign> = {
  traced: TRACED,
  static: STATIC,
  donated: signOf('●', 'traced', () => trans.__('traced, donated'))
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

const REASONS: Record<string, Words> = {
  first_call: () => trans.__('first call'),
  new_shape: () => trans.__('new shape'),
  new_dtype: () => trans.__('new dtype'),
  weak_type: () => trans.__('weak type changed'),
  new_static_value: () => trans.__('new static value'),
  new_pytree_structure: () => trans.__('new pytree structure'),
  kwargs_signature: () => trans.__('other keyword arguments'),
  new_function_object: () => trans.__('new function object'),
  function_redefined: () => trans.__('function defined again'),
  config_context: () => trans.__('JAX configuration changed'),
  cache_cleared: () => trans.__('cache cleared'),
  new_transform_context: () => trans.__('other transformation around it'),
  uncached_transform: () => trans.__('transformation without a cache'),
  called_by_traced_function: () => trans.__('called by a traced function'),
  branch_trace: () => trans.__('branch of a control-flow operation'),
  make_jaxpr: () => 'make_jaxpr',
  eval_shape: () => 'eval_shape',
  aot_lower: () => 'lower()',
  sharding_or_device: () => trans.__('other sharding or device'),
  donation: () => trans.__('other donation'),
  unknown: () => trans.__('reason not known')
};

export function reasonWords(reason: Reason): string {
  return REASONS[reason.kind]?.() ?? reason.kind.replaceAll('_', ' ');
}

/** The number of a trace among those of its function: `#2` of `f1#2`. */
export function traceNumber(trace: Trace): string {
  return trace.id.slice(trace.id.lastIndexOf('#'));
}

/** What a trace of a function is called: `train #2` for the id `f1#2`, `dense call 2` for a helper's `f3/call2`. */
export function traceName(name: string, id: string): string {
  const number = id.lastIndexOf('#');
  return number >= 0
    ? `${name} ${id.slice(number)}`
    : trans.__('%1 call %2', name, id.replace(/.*\/call/, ''));
}

/** One line to choose a trace by: `train #2 · new shape · jit`. */
export function traceTitle(name: string, trace: Trace): string {
  const parts = [traceName(name, trace.id)];
  const reason = decisiveReason(trace.reasons) ?? trace.reasons[0];
  if (reason) {
    parts.push(reasonWords(reason));
  }
  parts.push(trace.kind);
  if (trace.status === 'error') {
    parts.push(FAILED.word);
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

const LIMITED: Record<string, Words> = {
  bodies: () =>
    trans.__(
      'what the functions did (another profiler runs, or this JAX lacks what it takes)'
    ),
  lines: () =>
    trans.__('every line (other tools hold all of Python’s monitoring ids)')
};

const PHASES: Record<Span['kind'], Words> = {
  trace: () => trans.__('trace'),
  lower: () => trans.__('lower'),
  compile: () => trans.__('compile')
};

/** What JAX does, one after the other. */
export const SPAN_KINDS = ['trace', 'lower', 'compile'] as const;

/** What JAX does in a stretch of time. */
export function phaseWord(kind: Span['kind']): string {
  return PHASES[kind]();
}

/** What could not be watched, by the names of the hook points that are off. */
export function limitedWords(names: readonly string[]): string {
  return trans.__(
    'Not watched here: %1.',
    names.map(name => LIMITED[name]?.() ?? name).join(', ')
  );
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
