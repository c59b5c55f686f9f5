import { afterEach, expect, it, vi } from 'vitest';
import type { Edge } from '../../protocol';
import { aBox, aGraph, aSession } from '../../testing/records';
import {
  Screen,
  actions,
  cleanUp,
  press,
  showSession
} from '../../testing/screen';
import type { Actions } from '../actions';

afterEach(cleanUp);

const saved: Edge = {
  id: '/f>/b',
  source: '/f',
  target: '/b',
  kind: 'saved',
  title: 'loss: forward pass → backward pass\n3 values, 2.1 kB',
  points: [60, 90, 70, 90, 80, 90, 100, 90],
  label: '3 values saved',
  values: [
    {
      type: 'f32[8,32]',
      source: 2,
      targets: [4, 5],
      name: 'h',
      operation: '',
      count: 2,
      bytes: 2048
    },
    {
      type: 'f32[8]',
      source: 3,
      targets: [5],
      name: '',
      operation: 'mul 2',
      count: 1,
      bytes: 32
    }
  ]
};

/** A forward pass of tanh and a layer beside a backward pass of mul and sub; cos stands apart. */
const graph = aGraph({
  trace: 'f1#2',
  boxes: [
    aBox({ id: '/f', kind: 'group', label: 'loss', open: true, width: 60 }),
    aBox({ id: '/b', kind: 'group', label: 'loss', open: true, x: 100 }),
    aBox({ id: '/f/t', label: 'tanh', name: 'h', parent: '/f' }),
    aBox({ id: '/f/l', kind: 'group', label: 'layer', parent: '/f', y: 90 }),
    aBox({ id: '/b/m', label: 'mul', parent: '/b', x: 110 }),
    aBox({ id: '/b/s', label: 'sub', parent: '/b', x: 110, y: 90 }),
    aBox({ id: '/c', label: 'cos', y: 200 })
  ],
  edges: [saved],
  links: [
    { source: 2, target: 4, type: 'f32[8,32]', kind: 'saved' },
    { source: 2, target: 5, type: 'f32[8,32]', kind: 'saved' },
    { source: 3, target: 5, type: 'f32[8]', kind: 'saved' }
  ]
});

function showGraph(own: Partial<Actions> = {}): ReturnType<typeof showSession> {
  const screen = showSession(aSession({ graphs: [graph] }), {
    actions: actions(own)
  });
  screen.get('tab', 'Graph').click();
  screen.paint();
  return screen;
}

const NAME = '3 values saved: loss: forward pass → backward pass';

const lineIn = (node: ParentNode): SVGElement => {
  const line = node.querySelector<SVGElement>('[data-edge]');
  if (!line) {
    throw new Error('no line');
  }
  return line;
};

const boxOf = (node: ParentNode, id: string): SVGElement => {
  const boxes = [...node.querySelectorAll<SVGElement>('[data-box]')];
  const found = boxes.find(box => box.dataset.box === id);
  if (!found) {
    throw new Error(`no box ${id}`);
  }
  return found;
};

const reach = (screen: Screen, id: string): string | undefined =>
  /jtv-reach-(\w+)/.exec(
    boxOf(screen.node, id).getAttribute('class') ?? ''
  )?.[1];

const lit = (node: ParentNode): (string | undefined)[] =>
  [...node.querySelectorAll<SVGElement>('.jtv-node.jtv-lit')].map(
    box => box.dataset.box
  );

const rowsOf = (screen: Screen): (string | null)[][] =>
  [...screen.get('table', NAME).querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('td')].map(cell => cell.textContent)
  );

it('opens by a click to what is saved, and lights both ends', () => {
  const screen = showGraph();
  lineIn(screen.node).dispatchEvent(new MouseEvent('click', { bubbles: true }));
  screen.paint();
  expect(rowsOf(screen)).toEqual([
    ['h', 'f32[8,32] ×2', '2.05 kB', 'h = tanh', 'mulsub'],
    ['mul 2', 'f32[8]', '32 B', 'layer', 'sub']
  ]);
  expect(lit(screen.node)).toEqual(['/f', '/b']);
  const reaches = ['/f', '/f/t', '/f/l', '/b/m', '/b/s', '/c'];
  expect(reaches.map(id => reach(screen, id))).toEqual([
    'none',
    'saved',
    'saved',
    'saved',
    'saved',
    'away'
  ]);
  expect(lineIn(screen.node).getAttribute('aria-pressed')).toBe('true');
  expect(boxOf(screen.node, '/f').getAttribute('aria-pressed')).toBe('false');
});

it('leads from each value to the boxes that make and use it', () => {
  const screen = showGraph();
  press(lineIn(screen.node), 'Enter');
  screen.paint();
  screen.get('button', 'layer').click();
  screen.paint();
  expect(screen.session().selection.pinned?.box).toBe('/f/l');
});

it('is met on the way from the one pass to the other by arrow keys', () => {
  const screen = showGraph();
  const focused = (): string | undefined => {
    const { box, edge } = (document.activeElement as SVGElement).dataset;
    return box ?? edge;
  };
  boxOf(screen.node, '/f').focus();
  const walk = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', ' ']) {
    press(document.activeElement ?? screen.node, key);
    screen.paint();
    walk.push(focused());
  }
  expect(walk).toEqual(['/f>/b', '/b', '/f>/b', '/f>/b']);
  expect(rowsOf(screen)).toHaveLength(2);
});

it('is found from the boxes at its ends and in the table', () => {
  const screen = showGraph();
  press(boxOf(screen.node, '/b'), ' ');
  screen.paint();
  const [, link] = screen.all('button', NAME);
  link?.click();
  screen.paint();
  expect(screen.session().selection.pinned?.box).toBe('/f>/b');
  screen.get('button', 'Table').click();
  screen.paint();
  expect(screen.get('button', NAME).getAttribute('aria-pressed')).toBe('true');
});

it('lights the same line in the picture beside', async () => {
  const changes = { other: 'f1#1', later: true, boxes: [], note: '' };
  const now = { ...graph, changes };
  const before = {
    ...graph,
    trace: 'f1#1',
    changes: { ...changes, other: 'f1#2', later: false }
  };
  let screen: ReturnType<typeof showSession> | null = null;
  const openGraph: NonNullable<Actions['openGraph']> = (id, trace, drawing) => {
    screen?.store.openGraph(id, trace === 'f1#1' ? before : now, drawing);
    return Promise.resolve();
  };
  screen = showGraph({ openGraph });
  const choice = screen.node.querySelector<HTMLSelectElement>(
    '.jtv-compare-choice select'
  );
  if (choice) {
    choice.value = 'f1#1';
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  }
  await vi.runAllTimersAsync();
  const sides = [...screen.node.querySelectorAll('.jtv-side-by-side section')];
  expect(sides).toHaveLength(2);
  sides.slice(1).forEach(side => press(lineIn(side), 'Enter'));
  screen.paint();
  expect(sides.map(lit)).toEqual([
    ['/f', '/b'],
    ['/f', '/b']
  ]);
  expect(screen.all('table', NAME)).toHaveLength(2);
});
