import { afterEach, expect, it, vi } from 'vitest';
import type { Update } from '../protocol';
import { SessionStore, Signal } from '../store';
import { aFunction, aTrace, anUpdate } from '../testing/records';
import { Screen, actions, cleanUp, showSession } from '../testing/screen';
import type { Actions } from './actions';

afterEach(cleanUp);

const argument = (path: string, type: string) =>
  ({ path, role: 'traced', type, value: null }) as const;

/** The second trace in cell [3]. */
const BEFORE = anUpdate({
  session: 'before',
  cell: { id: 'c3', execution_count: 3, file: 'a.py', checksum: null },
  functions: [aFunction({ id: 'f8' })],
  traces: [
    aTrace({
      id: 'f8#2',
      function: 'f8',
      arguments: [argument('x', 'f32[3]'), argument('y', 'f32[7]')]
    })
  ]
});

/** The first trace in cell [4], which was compared with it. */
const NOW: Update = anUpdate({
  session: 'now',
  functions: [aFunction()],
  traces: [
    aTrace({
      compared_before: { session: 'before', trace: 'f8#2' },
      reasons: [
        { kind: 'new_shape', path: 'x', before: 'f32[3]', after: 'f32[4]' }
      ],
      arguments: [argument('x', 'f32[4]'), argument('y', 'f32[7]')]
    })
  ]
});

function open(others: Actions['others']): Screen {
  const screen = showSession(NOW, { actions: actions({ others }) });
  screen.get('tab', 'Arguments & constants').click();
  screen.paint();
  return screen;
}

it('leads to the recording that holds what a trace was compared with', () => {
  const store = new SessionStore();
  const before = store.put(BEFORE, 'kernel');
  const show = vi.fn();
  const screen = open({
    all: store.sessions,
    cameOrWent: store.cameOrWent,
    find: id => store.session(id),
    show
  });
  const text = screen.node.textContent;
  expect(text).toContain('Why was step traced again? (step #1)');
  expect(text).toContain(
    'Compared with trace #2 of cell [3], the nearest earlier trace: it differs in 1 of 4 parts.'
  );
  const parts = screen.get('table', 'Parts of step #1').textContent;
  expect(parts).toContain('Before (trace #2 of cell [3])');
  expect(parts).toContain('yf32[7]f32[7]');
  screen.get('button', 'Show the trace that it was compared with').click();
  expect(show).toHaveBeenCalledWith(before, 'f8', 'f8#2');
});

it('says so where that recording is gone', () => {
  const text = open({
    all: [],
    cameOrWent: new Signal(),
    find: () => null,
    show: vi.fn()
  }).node.textContent;
  expect(text).toContain('Why was step traced again? (step #1)');
  expect(text).toContain(
    'Compared with an earlier trace that is not here any more.'
  );
  expect(text).not.toContain('Show the trace');
});
