import { expect, it } from 'vitest';
import { SessionStore, Session } from '../../store';
import {
  FILE,
  aBox,
  aFunction,
  aGraph,
  aListing,
  aTrace,
  anUpdate,
  place
} from '../../testing/records';
import { stagedLines, traceThrough } from './reach';

const shown = aFunction();
const other = aFunction({ id: 'f2', name: 'loss', line: 20, end_line: 25 });
const helper = aFunction({ id: 'f3', name: 'g', line: 30, end_line: 31 });

function session(): Session {
  const update = anUpdate({
    functions: [shown, other, helper],
    traces: [
      aTrace(),
      aTrace({ id: 'f2#1', function: 'f2', started: 1 }),
      aTrace({
        id: 'f3#1',
        function: 'f3',
        kind: 'call',
        parent: 'f2#1',
        jaxpr: null
      })
    ],
    listings: [aListing()],
    graphs: [aGraph({ trace: 'f2#1', boxes: [aBox({ places: [place(40)] })] })],
    selected: 'f1#1'
  });
  return new SessionStore().put(update, 'kernel');
}

it('leaves the views alone where they show the line', () => {
  expect(traceThrough(session(), shown, place(4))).toBeNull();
  expect(traceThrough(session(), helper, place(5))).toBeNull();
});

it('goes to the newest trace of another function, from a helper to the trace around it', () => {
  expect(traceThrough(session(), other, place(21))?.id).toBe('f2#1');
  expect(traceThrough(session(), helper, place(31))?.id).toBe('f2#1');
});

it('finds the trace by what it staged, where the function is not known', () => {
  expect(traceThrough(session(), null, place(40))?.id).toBe('f2#1');
  expect(traceThrough(session(), null, place(99))).toBeNull();
});

it('knows the lines that staged something', () => {
  expect([...stagedLines(session(), FILE)]).toEqual([5, 40]);
  expect([...stagedLines(session(), 'other.py')]).toEqual([]);
});
