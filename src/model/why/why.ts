import type { Compilation, Place, Reason, Trace } from '../../protocol';
import type { Recording, Session } from '../../store';
import { counted } from '../words/counted';
import { formatSeconds } from '../words/format';
import {
  Part,
  decisiveReason,
  isCompared,
  partsOf,
  toldReasons
} from './parts';
import { Words, trans } from '../words/language';
import { shortTitle } from '../words/session-title';
import { traceName, traceNumber } from '../words/words';

/** A trace of another recording. */
export interface EarlierTrace {
  readonly session: Session;
  readonly trace: Trace;
}

/** Why a function was traced, or a program compiled without a trace. Files have the same card (`session/why/card.py`). */
export interface WhyCard {
  /** Id of the trace or the compilation. */
  readonly subject: string;
  readonly question: string;
  readonly reasons: readonly Reason[];
  readonly parts: readonly Part[];
  /** The trace that it was compared with, as it is called; null where nobody holds it any more. */
  readonly comparedWith: string | null;
  /** That trace, where another recording holds it. */
  readonly earlier: EarlierTrace | null;
  /** Sentences: what it was compared with, what it cost, which caches were asked. */
  readonly facts: readonly string[];
  readonly callSite: Place | null;
  readonly advice: string | null;
  /** Whether it happened though something like it had been there before. */
  readonly again: boolean;
}

/** Reasons of what is no second time of anything that JAX keeps. */
const FIRST = new Set([
  'first_call',
  'called_by_traced_function',
  'uncached_transform'
]);

const NO_CACHE = new Set([
  'uncached_transform',
  'branch_trace',
  'called_by_traced_function'
]);

const CACHE_WORDS: Record<Compilation['persistent_cache'], Words> = {
  hit: () => trans.__('hit'),
  miss: () => trans.__('miss'),
  off: () => trans.__('not set')
};

const WRITE_WORDS: Record<Compilation['cache_write'], Words> = {
  none: () => '',
  written: () => trans.__(', written'),
  too_fast: () => trans.__(', not written because it was compiled too fast'),
  not_written: () => trans.__(', not written')
};

/** Whether a trace or compilation has a reason to ask why again. */
export function isAgain(reasons: readonly Reason[]): boolean {
  const reason = decisiveReason(reasons);
  return reason !== null && !FIRST.has(reason.kind);
}

/** @param find - another recording of the notebook, by its id. */
export function whyTraced(
  recording: Recording,
  trace: Trace,
  find: (session: string) => Session | null
): WhyCard {
  const { reasons, compared_before: past } = trace;
  const earlier = past && earlierTrace(past, find);
  const before =
    recording.traces.get(trace.compared_with ?? '') ?? earlier?.trace;
  const parts = partsOf(reasons, trace.arguments, before?.arguments ?? null);
  const name = recording.functions.get(trace.function)?.name ?? trace.function;
  const subject = traceName(name, trace.id);
  const comparedWith = earlier
    ? nameOf(earlier)
    : before
      ? traceName(name, before.id)
      : null;
  const advice = trace.parent === null ? adviceFor(recording, trace) : null;
  return {
    subject,
    question:
      past || !trace.id.endsWith('#1')
        ? trans.__('Why was %1 traced again? (%2)', name, subject)
        : trans.__('Why was %1 traced? (%2)', name, subject),
    reasons: toldReasons(reasons),
    parts,
    comparedWith,
    earlier,
    facts: [
      comparison(trace, parts, comparedWith),
      costs(recording, trace),
      caches(recording, trace)
    ].filter(Boolean),
    callSite: trace.call_site,
    advice,
    again: isAgain(reasons)
  };
}

export function whyCompiled(
  recording: Recording,
  compilation: Compilation
): WhyCard {
  const { id: subject, function: id, reasons } = compilation;
  const name = recording.functions.get(id)?.name ?? id;
  const first = reasons.some(({ kind }) => kind === 'first_call');
  const { lower_seconds: lower, seconds: compile } = compilation;
  return {
    subject,
    question: first
      ? trans.__('Why was %1 compiled without a trace? (%2)', name, subject)
      : trans.__(
          'Why was %1 compiled again without a trace? (%2)',
          name,
          subject
        ),
    reasons: toldReasons(reasons),
    parts: partsOf(reasons, [], null),
    comparedWith: null,
    earlier: null,
    facts: [
      trans.__(
        'Cost %1: lower %2, compile %3.',
        formatSeconds(lower + compile),
        formatSeconds(lower),
        formatSeconds(compile)
      ),
      cacheWords('hit', [compilation])
    ],
    callSite: compilation.call_site,
    advice: adviceFor(recording, compilation),
    again: isAgain(reasons)
  };
}

/** The compilations of a function that followed no trace. */
export function recompilations(
  recording: Recording,
  functionId: string
): Compilation[] {
  return recording.compilations.records.filter(
    ({ trace, function: fn }) => trace === null && fn === functionId
  );
}

function adviceFor(
  recording: Recording,
  { function: id, reasons }: Trace | Compilation
): string | null {
  const [reason] = reasons;
  const found = recording.newest.advice.find(
    advice =>
      advice.function === id &&
      advice.kind === reason?.kind &&
      advice.path === reason.path
  );
  return found?.text ?? null;
}

function earlierTrace(
  past: NonNullable<Trace['compared_before']>,
  find: (session: string) => Session | null
): EarlierTrace | null {
  const session = find(past.session);
  const trace = session?.recording.traces.get(past.trace);
  return session && trace ? { session, trace } : null;
}

/** `trace #2 of cell [3]`: the numbers of functions are others there. */
function nameOf({ session, trace }: EarlierTrace): string {
  return trans.__('trace %1 of %2', traceNumber(trace), shortTitle(session));
}

/** @param other - what it was compared with, as far as that is still there. */
function comparison(
  trace: Trace,
  parts: readonly Part[],
  other: string | null
): string {
  const { reasons, compared_with: own, compared_before: past } = trace;
  if (!isAgain(reasons)) {
    return '';
  }
  const compared = isCompared(reasons);
  if (
    own === null &&
    past === null &&
    decisiveReason(reasons)?.kind === 'unknown'
  ) {
    return trans.__('No earlier key was recorded to compare with.');
  }
  if (other === null) {
    return compared
      ? trans.__('Compared with an earlier trace that is not here any more.')
      : '';
  }
  if (!compared) {
    return trans.__('Compared with %1.', other);
  }
  const differ = parts.filter(({ verdict }) =>
    ['cause', 'changed'].includes(verdict)
  );
  return trans.__(
    'Compared with %1, the nearest earlier trace: it differs in %2 of %3 parts.',
    other,
    differ.length,
    parts.length
  );
}

function costs(recording: Recording, trace: Trace): string {
  if (trace.status === 'running') {
    return trans.__('Tracing is going on.');
  }
  const inner = nested(recording, trace.id);
  const within = inner.reduce((sum, { seconds }) => sum + seconds, 0);
  const own = compilationsOf(recording, trace.id);
  const lower = own.reduce((sum, one) => sum + one.lower_seconds, 0);
  const compile = own.reduce((sum, one) => sum + one.seconds, 0);
  const parts = [
    inner.length > 0
      ? trans.__(
          'trace %1 (%2 of it in %3)',
          formatSeconds(trace.seconds),
          formatSeconds(within),
          counted(inner.length, 'nested trace')
        )
      : trans.__('trace %1', formatSeconds(trace.seconds))
  ];
  if (own.length > 0) {
    parts.push(trans.__('lower %1', formatSeconds(lower)));
    parts.push(trans.__('compile %1', formatSeconds(compile)));
  }
  const outer = outerTrace(recording, trace);
  const cost = trans.__(
    'Cost %1: %2.',
    formatSeconds(trace.seconds + lower + compile),
    parts.join(', ')
  );
  return outer
    ? `${cost} ${trans.__('Its time is contained in that of %1.', outer)}`
    : cost;
}

/** The outermost traces inside one; helpers that plain Python called are a part of it. */
function nested(recording: Recording, id: string): Trace[] {
  return recording.traces.records
    .filter(({ parent }) => parent === id)
    .flatMap(inner =>
      inner.kind === 'call' ? nested(recording, inner.id) : [inner]
    );
}

function outerTrace(recording: Recording, trace: Trace): string | null {
  let outer = recording.traces.get(trace.parent ?? '');
  while (outer?.kind === 'call') {
    outer = recording.traces.get(outer.parent ?? '');
  }
  const name = outer && recording.functions.get(outer.function)?.name;
  return outer ? traceName(name ?? outer.function, outer.id) : null;
}

function compilationsOf(recording: Recording, id: string): Compilation[] {
  return recording.compilations.records.filter(({ trace }) => trace === id);
}

function caches(recording: Recording, { id, reasons }: Trace): string {
  return reasons.some(({ kind }) => NO_CACHE.has(kind))
    ? ''
    : cacheWords('miss', compilationsOf(recording, id));
}

function cacheWords(
  tracing: 'hit' | 'miss',
  compilations: readonly Compilation[]
): string {
  const words = [trans.__('Tracing cache: %1', CACHE_WORDS[tracing]())];
  for (const { persistent_cache: state, cache_write: write } of compilations) {
    words.push(
      trans.__('executable cache: miss'),
      trans.__('persistent compilation cache: %1', CACHE_WORDS[state]()) +
        WRITE_WORDS[write]()
    );
  }
  return words.join(' · ');
}
