import type { Argument, Reason } from '../../protocol';
import { trans } from '../words/language';

/** One part of a cache key, before and now. The same table is made for files by `session/why/parts.py`. */
export interface Part {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  /**
   * `cause` is the decisive part, `changed` another on which JAX's cache tells the two apart. `differs` are texts that are
   * not the same although the cache looks at them otherwise. `unknown`: all keys that we have, and no cause.
   */
  readonly verdict: 'cause' | 'changed' | 'same' | 'differs' | 'unknown';
}

const ABSENT = '–';

const NAMES: Record<string, (path: string) => string> = {
  cache_cleared: () => trans.__("JAX's caches"),
  config_context: path => trans.__('%1 (setting of JAX)', path),
  donation: () => trans.__('donated arguments'),
  function_redefined: () => trans.__('definition'),
  kwargs_signature: path => trans.__('way of passing %1', path),
  new_dtype: path => trans.__('%1 dtype', path),
  new_function_object: () => trans.__('function object'),
  new_pytree_structure: path => trans.__('%1 structure', path),
  new_shape: path => trans.__('%1 shape', path),
  new_static_value: path => trans.__('%1 (static)', path),
  new_transform_context: () => trans.__('transformation around it'),
  sharding_or_device: path => trans.__('%1 sharding or device', path),
  unknown: () => trans.__('cache key'),
  weak_type: path => trans.__('%1 weak type', path)
};

/** Decisive kinds that come from comparing two keys in all their parts. */
const COMPARED = new Set([
  'kwargs_signature',
  'new_pytree_structure',
  'new_shape',
  'new_dtype',
  'weak_type',
  'new_static_value',
  'config_context',
  'sharding_or_device',
  'donation',
  'new_function_object'
]);

/** Who asked for the trace, not what is new about it. */
const ASKED = new Set([
  'make_jaxpr',
  'eval_shape',
  'aot_lower',
  'branch_trace'
]);

/**
 * What changed, the cause first, then what is the same.
 *
 * @param before - the arguments of the trace that it was compared with, null where there is no such trace. Where they are
 * empty, they were left out to keep a notebook small, or there are none: there is nothing to set side by side.
 */
export function partsOf(
  reasons: readonly Reason[],
  now: readonly Argument[],
  before: readonly Argument[] | null
): Part[] {
  const changed = changedParts(reasons).sort(
    (a, b) => Number(b.verdict === 'cause') - Number(a.verdict === 'cause')
  );
  if (before === null) {
    return [...changed, ...thisKey(reasons, now)];
  }
  const known = now.length > 0 && before.length > 0;
  return [
    ...changed,
    ...(known ? argumentParts(reasons, now, before) : []),
    ...otherParts(reasons)
  ];
}

/**
 * The reason that is told first, apart from who asked for the trace: where a call gives another value than the default, the
 * value, and not that this takes a keyword.
 */
export function decisiveReason(reasons: readonly Reason[]): Reason | null {
  const first = reasons.find(({ kind }) => !ASKED.has(kind)) ?? null;
  return first?.kind === 'kwargs_signature'
    ? (reasons.find(insteadOfDefault) ?? first)
    : first;
}

/** The reasons in the order in which they are told. */
export function toldReasons(reasons: readonly Reason[]): readonly Reason[] {
  const first = decisiveReason(reasons);
  return first !== null && insteadOfDefault(first)
    ? [first, ...reasons.filter(reason => reason !== first)]
    : reasons;
}

function insteadOfDefault({ kind, before, after }: Reason): boolean {
  return (
    kind === 'new_static_value' &&
    [before, after].some(text => text?.endsWith(' (default)'))
  );
}

/** Whether two keys were compared in all their parts. */
export function isCompared(reasons: readonly Reason[]): boolean {
  const reason = decisiveReason(reasons);
  return reason !== null && COMPARED.has(reason.kind);
}

function changedParts(reasons: readonly Reason[]): Part[] {
  const cause = decisiveReason(reasons);
  return reasons.flatMap(reason => {
    const { kind, path } = reason;
    const cleared = kind === 'cache_cleared';
    const before = cleared ? trans.__('held it') : reason.before;
    const now = cleared ? trans.__('cleared') : reason.after;
    const name = nameOf(kind, path);
    if (name === null || (before === null && now === null)) {
      return [];
    }
    const verdict =
      kind === 'unknown' ? kind : reason === cause ? 'cause' : 'changed';
    return [{ name, before: before ?? ABSENT, now: now ?? ABSENT, verdict }];
  });
}

function nameOf(kind: string, path: string | null): string | null {
  if (path === null && kind === 'kwargs_signature') {
    return trans.__('way of passing the arguments');
  }
  if (path === null && kind === 'sharding_or_device') {
    return trans.__('sharding or device');
  }
  return NAMES[kind]?.(path ?? trans.__('an argument')) ?? null;
}

/** The arguments that no reason is about. */
function argumentParts(
  reasons: readonly Reason[],
  now: readonly Argument[],
  before: readonly Argument[]
): Part[] {
  const told = reasons.flatMap(({ path }) => path ?? []);
  const then = new Map(before.map(argument => [argument.path, argument]));
  const after = new Map(now.map(argument => [argument.path, argument]));
  return [...new Set([...after.keys(), ...then.keys()])]
    .filter(path => !told.some(other => touch(path, other)))
    .map(path => {
      const texts = [textOf(then.get(path)), textOf(after.get(path))] as const;
      const verdict = texts[0] === texts[1] ? 'same' : 'differs';
      return { name: path, before: texts[0], now: texts[1], verdict };
    });
}

/** Where the cause is not known and no earlier key was recorded, at least the key of this call. */
function thisKey(reasons: readonly Reason[], now: readonly Argument[]): Part[] {
  return decisiveReason(reasons)?.kind === 'unknown'
    ? now.map(argument => ({
        name: argument.path,
        before: trans.__('not recorded'),
        now: textOf(argument),
        verdict: 'unknown'
      }))
    : [];
}

/** Whether two key paths are the same, or one lies inside the other. */
function touch(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const next = longer[shorter.length];
  return (
    longer.startsWith(shorter) &&
    (next === undefined || next === '.' || next === '[')
  );
}

function textOf(argument: Argument | undefined): string {
  if (!argument) {
    return ABSENT;
  }
  const { role, type, value } = argument;
  return role === 'static' ? trans.__('static %1', value ?? type) : type;
}

/** Parts that were compared and have no texts of their own. */
function otherParts(reasons: readonly Reason[]): Part[] {
  const kinds = new Set(reasons.map(({ kind }) => kind));
  const others: [string, string][] = [
    ['kwargs_signature', trans.__('way of passing the arguments')],
    ['config_context', trans.__('settings of JAX')]
  ];
  return others
    .filter(([kind]) => isCompared(reasons) && !kinds.has(kind))
    .map(([, name]) => ({ name, before: '', now: '', verdict: 'same' }));
}
