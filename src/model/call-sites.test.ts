import { expect, it } from 'vitest';
import { SessionStore } from '../store';
import { aSession, aTrace } from '../testing/records';
import { callSites } from './call-sites';

const place = (line: number): { file: string; line: number } => ({
  file: 'cell.py',
  line
});

it('ranks lines by what their outermost traces cost', () => {
  const { recording } = new SessionStore().put(
    aSession({
      traces: [
        aTrace({ id: 'f1#1', call_site: place(9), seconds: 1 }),
        aTrace({ id: 'f1#2', call_site: place(9), seconds: 2 }),
        aTrace({ id: 'f2#1', function: 'f2', call_site: place(8), seconds: 5 }),
        aTrace({
          id: 'f2#2',
          function: 'f2',
          parent: 'f1#2',
          call_site: place(4),
          seconds: 1
        }),
        aTrace({ id: 'f3#1', function: 'f3', call_site: place(2), seconds: 9 })
      ]
    }),
    'kernel'
  );
  expect(
    callSites(recording).map(({ place: { line }, fn, traces, seconds }) => [
      line,
      fn,
      traces,
      seconds
    ])
  ).toEqual([
    [8, 'f2', 1, 5],
    [9, 'f1', 2, 3]
  ]);
});
