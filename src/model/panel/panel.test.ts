import { expect, it } from 'vitest';
import type { Reason, Trace, Update } from '../../protocol';
import { Session, SessionStore } from '../../store';
import {
  aFunction,
  aSpan,
  aTrace,
  anUpdate,
  place
} from '../../testing/records';
import { bakedIn } from './baked-in';
import { compareFunctions, compareSessions } from './comparison';
import { findRows, functionRows, sortRows } from './functions';
import { retracesIn } from './retraces';
import { stackOf } from './stack';
import { strip } from './strip';

let count = 0;
const recorded = (fields: Partial<Update>): Session =>
  new SessionStore().put(
    anUpdate({ session: `s${(count += 1)}`, ...fields }),
    'kernel'
  );

const because = (kind: string, path: string | null = 'x'): Reason[] => [
  { kind, path, before: 'f32[3]', after: 'f32[4]' }
];
const again = (number: number, fields: Partial<Trace> = {}): Trace =>
  aTrace({
    id: `f1#${number}`,
    compared_with: `f1#${number - 1}`,
    reasons: because('new_shape'),
    ...fields
  });

it('counts the retraces that could have been avoided', () => {
  const retraces = (...traces: Trace[]): string[] =>
    retracesIn(recorded({ traces }).recording).map(({ id }) => id);
  expect(retraces(aTrace(), again(2), again(3))).toEqual(['f1#2', 'f1#3']);
  // What was only asked for makes no retrace of the first call.
  const asked = aTrace({ reasons: because('make_jaxpr') });
  expect(retraces(asked, again(2), again(3))).toEqual(['f1#3']);
  // One object each, all kept: none could have been spared.
  const other = again(2, { reasons: because('new_function_object') });
  expect(retraces(aTrace(), other)).toEqual([]);
  expect(retraces(aTrace(), { ...other, discarded: 1 })).toEqual(['f1#2']);
  expect(retraces(aTrace(), again(2, { parent: 'f0#1' }))).toEqual([]);
});

it('adds the functions of several recordings up, by their code', () => {
  const rows = functionRows([
    recorded({ functions: [aFunction()], traces: [aTrace(), again(2)] }),
    recorded({
      functions: [
        aFunction({ id: 'f7' }),
        aFunction({ id: 'f8', line: 9, qualname: 'g', name: 'g' })
      ]
    })
  ]);
  expect(rows.map(({ fn, traces, hits }) => [fn.id, traces, hits])).toEqual([
    ['f7', 4, 2],
    ['f8', 2, 1]
  ]);
  // The second recording has left its traces out: nobody can say how many were retraces.
  expect(rows[0]?.retraces).toBeNull();
  expect(
    functionRows([
      recorded({
        functions: [aFunction()],
        traces: [aTrace(), again(2)]
      })
    ])[0]?.retraces
  ).toBe(1);
});

it('keeps functions apart that share a line', () => {
  const lambda = { name: '<lambda>', qualname: '<lambda>' };
  const session = recorded({
    functions: [aFunction(lambda), aFunction({ id: 'f2', ...lambda })]
  });
  expect(functionRows([session])).toHaveLength(2);
});

it('sorts and finds functions', () => {
  const rows = functionRows([
    recorded({
      functions: [
        aFunction({ id: 'f1', name: 'b', qualname: 'b', traces: 1, line: 1 }),
        aFunction({ id: 'f2', name: 'a', qualname: 'M.a', traces: 3, line: 2 })
      ]
    })
  ]);
  const names = (found: typeof rows): string[] => found.map(r => r.fn.name);
  expect(names(sortRows(rows, { by: 'name', descending: false }))).toEqual([
    'a',
    'b'
  ]);
  expect(names(sortRows(rows, { by: 'traces', descending: true }))).toEqual([
    'a',
    'b'
  ]);
  expect(names(findRows(rows, 'm. CELL'))).toEqual(['a']);
  expect(findRows(rows, 'nothing like it')).toEqual([]);
});

it('tells where traces come from, from the line inwards', () => {
  const session = recorded({
    functions: [aFunction(), aFunction({ id: 'f2', name: 'loss' })],
    traces: [
      aTrace({ seconds: 1 }),
      again(2, { seconds: 2 }),
      aTrace({
        id: 'f2#1',
        function: 'f2',
        parent: 'f1#2',
        call_site: place(4)
      })
    ]
  });
  const [line, ...more] = stackOf(session.recording);
  expect(more).toEqual([]);
  expect(line).toMatchObject({ place: place(9), traces: 2, seconds: 3 });
  const [step] = line?.children ?? [];
  expect(step).toMatchObject({ fn: 'f1', trace: 'f1#2', traces: 2 });
  expect(step?.children[0]).toMatchObject({ place: place(4), traces: 1 });
  expect(step?.children[0]?.children[0]).toMatchObject({ fn: 'f2' });
});

it('lists what is baked in once, the largest first', () => {
  const constant = (name: string, bytes: number) => ({
    name,
    source: 'global' as const,
    type: `f32[${bytes / 4}]`,
    bytes
  });
  const constants = [constant('b', 40), constant('W', 4000)];
  const session = recorded({
    traces: [aTrace({ constants }), again(2, { constants })]
  });
  const found = bakedIn(session.recording);
  expect(found.map(one => [one.constant.name, one.traces, one.trace])).toEqual([
    ['W', 2, 'f1#2'],
    ['b', 2, 'f1#2']
  ]);
});

it('sets two recordings side by side: counts, costs and reasons', () => {
  const fn = aFunction({ traces: 1 });
  const before = recorded({ functions: [fn], traces: [aTrace()] });
  const after = recorded({
    functions: [
      aFunction({ traces: 3, seconds: { trace: 1, lower: 1, compile: 1 } }),
      aFunction({ id: 'f2', name: 'new', qualname: 'new' })
    ],
    traces: [aTrace(), again(2), again(3)],
    tally: { traces: 3, retraces: 2, seconds: 1, trace: null }
  });
  const totals = compareSessions(before, after);
  expect(totals.find(({ name }) => name === 'retraces')).toEqual({
    name: 'retraces',
    before: '0',
    after: '2',
    change: 'more'
  });
  const [step, added] = compareFunctions(before, after);
  expect(
    step?.numbers.find(({ name }) => name === 'retraced for')
  ).toMatchObject({ before: 'nothing', after: 'new shape x ×2' });
  expect(added).toMatchObject({ name: 'new', before: null });
});

it('puts the recordings of a notebook in a row', () => {
  const short = recorded({ seconds: 0.001 });
  const long = recorded({
    seconds: 9,
    functions: [aFunction()],
    spans: [aSpan({ started: 4.5, seconds: 4.5 }), aSpan({ depth: 1 })]
  });
  const [a, b] = strip([short, long]);
  expect(a?.width).toBeGreaterThanOrEqual(0.02);
  expect((b?.left ?? 0) + (b?.width ?? 0)).toBeCloseTo(1);
  expect(b?.bars).toEqual([{ kind: 'trace', left: 0.5, width: 0.5 }]);
});
