import { afterEach, expect, it, vi } from 'vitest';
import type { Found, Match } from '../../protocol';
import { aBox, aGraph, aSession } from '../../testing/records';
import {
  Screen,
  actions,
  cleanUp,
  drawn,
  press,
  showSession
} from '../../testing/screen';
import type { Actions } from '../actions';

afterEach(cleanUp);

/** x → sin → layer, a plate of three; cos stands alone. */
const graph = aGraph({
  trace: 'f1#2',
  boxes: [
    aBox({ id: 'x', kind: 'argument', label: 'x', y: 0, places: [] }),
    aBox({ id: 'b1', label: 'sin', y: 60, title: 'sin\nf32[3]\nline 5 in f' }),
    aBox({
      id: '/g',
      kind: 'group',
      label: 'layer ×3',
      y: 120,
      repeat: 3,
      copies: ['layer0', 'layer1', 'layer2']
    }),
    aBox({ id: 'b2', label: 'cos', x: 90, y: 60 }),
    aBox({
      id: 'cut',
      label: 'a_long_na…',
      x: 170,
      y: 60,
      title: 'a_long_name_of_a_function\nline 5 in f'
    })
  ],
  links: [
    { source: 0, target: 1, type: 'f32[3]', kind: 'value' },
    { source: 1, target: 2, type: 'f32[3]', kind: 'value' }
  ]
});

const hidden: Match = {
  box: '/g/mul',
  open_boxes: ['/g#2', '/g'],
  label: 'mul',
  detail: 'f32[3]',
  where: ['layer ×3, layer2'],
  equations: 1,
  place: null
};

function showGraph(own: Partial<Actions> = {}): ReturnType<typeof showSession> {
  const screen = showSession(aSession({ graphs: [graph] }), {
    actions: actions(own)
  });
  screen.get('tab', 'Graph').click();
  screen.paint();
  return screen;
}

const box = (screen: Screen, id: string): SVGElement => {
  const all = screen.node.querySelectorAll<SVGElement>('[data-box]');
  const found = [...all].find(node => node.dataset.box === id);
  if (!found) {
    throw new Error(`no box ${id}`);
  }
  return found;
};

const type = (screen: Screen, text: string): HTMLInputElement => {
  const input = screen.node.querySelector<HTMLInputElement>(
    '[aria-label="Search all equations"]'
  );
  if (!input) {
    throw new Error('no search');
  }
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input;
};

it('lights what a selected box needs and what needs it', () => {
  const screen = showGraph();
  press(box(screen, 'b1'), ' ');
  screen.paint();
  const reach = (id: string): string =>
    /jtv-reach-(\w+)/.exec(box(screen, id).getAttribute('class') ?? '')?.[1] ??
    '';
  expect(['x', 'b1', '/g', 'b2'].map(reach)).toEqual([
    'near',
    'none',
    'near',
    'away'
  ]);
  expect(screen.node.textContent).toContain('needs 1 box, needed by 1');
});

it('says nothing of a selected box twice', () => {
  const screen = showGraph();
  const further = (id: string): string | undefined => {
    press(box(screen, id), ' ');
    screen.paint();
    return screen.node.querySelector('.jtv-details pre')?.textContent ?? '';
  };
  expect(further('b1')).toBe('line 5 in f');
  // What was cut is there in full.
  expect(further('cut')).toBe('a_long_name_of_a_function\nline 5 in f');
});

it('moves the map out of the way of what was selected', () => {
  const screen = showGraph();
  const map = screen.node.querySelector('.jtv-minimap');
  if (!map) {
    throw new Error('no map');
  }
  const lies = (node: Element, x: number, width: number): void => {
    node.getBoundingClientRect = () => new DOMRect(x, 0, width, 20);
  };
  lies(map, 500, 100);
  lies(box(screen, 'b1'), 480, 60);
  lies(box(screen, 'b2'), 0, 560);
  const aside = (id: string): boolean => {
    press(box(screen, id), ' ');
    screen.paint();
    return map.classList.contains('jtv-minimap-aside');
  };
  expect(['b1', 'b2'].map(aside)).toEqual([true, false]);
});

it('follows the lines by arrow keys', () => {
  const screen = showGraph();
  box(screen, 'x').focus();
  press(box(screen, 'x'), 'ArrowDown');
  screen.paint();
  press(box(screen, 'b1'), 'ArrowDown');
  screen.paint();
  expect(document.activeElement).toBe(box(screen, '/g'));
  press(box(screen, '/g'), 'ArrowUp');
  screen.paint();
  expect(document.activeElement).toBe(box(screen, 'b1'));
});

it('zooms by keys', () => {
  const screen = showGraph();
  const width = (): number =>
    parseFloat(
      screen.node.querySelector<HTMLElement>('.jtv-sheet')?.style.width ?? ''
    );
  const before = width();
  press(box(screen, 'x'), '+');
  screen.paint();
  expect(width()).toBeCloseTo(before * 1.25);
  press(box(screen, 'x'), '-');
  screen.paint();
  expect(width()).toBeCloseTo(before);
});

it('finds what is hidden, opens the way to it and selects it', async () => {
  const found: Found = { matches: [hidden], equations: 3, more: false };
  const searchGraph = vi.fn<NonNullable<Actions['searchGraph']>>(() =>
    Promise.resolve(found)
  );
  let screen: ReturnType<typeof showSession> | null = null;
  const openGraph = vi.fn<NonNullable<Actions['openGraph']>>(
    (session, _trace, boxes) => {
      const inside = aBox({ id: '/g/mul', label: 'mul' });
      const answer = { ...graph, boxes: [...graph.boxes, inside] };
      screen?.store.openGraph(session, answer, boxes);
      return Promise.resolve();
    }
  );
  screen = showGraph({ searchGraph, openGraph });
  const input = type(screen, 'mul');
  await vi.runAllTimersAsync();
  expect(searchGraph).toHaveBeenCalledExactlyOnceWith(
    's1',
    'f1#2',
    'mul',
    expect.any(AbortSignal)
  );
  expect(screen.get('list', 'Matches').textContent).toContain(
    'layer ×3, layer2'
  );
  press(input, 'Enter');
  await vi.runAllTimersAsync();
  expect(openGraph).toHaveBeenCalledOnce();
  expect(drawn(openGraph)).toEqual(['/g#2', '/g']);
  expect(screen.session().selection.pinned?.box).toBe('/g/mul');
});

it('searches what is drawn where there is no kernel, and says so', async () => {
  const screen = showGraph();
  const input = type(screen, 'cos');
  await vi.runAllTimersAsync();
  expect(screen.node.textContent).toContain('Only what is drawn is searched');
  press(input, 'Enter');
  screen.paint();
  expect(screen.session().selection.pinned?.box).toBe('b2');
  press(input, 'Escape');
  await vi.runAllTimersAsync();
  expect(screen.all('list', 'Matches')).toEqual([]);
});

it('shows another copy of a plate', async () => {
  const openGraph = vi.fn<NonNullable<Actions['openGraph']>>(() =>
    Promise.resolve()
  );
  const screen = showGraph({ openGraph });
  press(box(screen, '/g'), ' ');
  screen.paint();
  const picker =
    screen.node.querySelector<HTMLSelectElement>('.jtv-copies select');
  expect([...(picker?.options ?? [])].map(option => option.text)).toEqual([
    '1: layer0',
    '2: layer1',
    '3: layer2'
  ]);
  if (picker) {
    picker.value = '3';
    picker.dispatchEvent(new Event('change', { bubbles: true }));
  }
  await vi.runAllTimersAsync();
  expect(openGraph).toHaveBeenCalledOnce();
  expect(drawn(openGraph)).toEqual(['/g#2']);
});

it('is a table for who does not see it', () => {
  const screen = showGraph();
  screen.get('button', 'Table').click();
  screen.paint();
  const table = screen.get('table', 'Computation graph of step, as a table');
  const rows = [...table.querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('th,td')].map(cell => cell.textContent)
  );
  expect(rows).toContainEqual(['sin', 'f32[3]', 'x', 'layer ×3', '5']);
  expect(rows.map(([name]) => name?.replace(/^\W+/, ''))).toContain('layer ×3');
  expect(rows).toHaveLength(graph.boxes.length);
  // What is done to a picture is not offered of a table.
  expect(screen.all('button', 'Map')).toEqual([]);
  screen.get('button', 'Table').click();
  screen.paint();
  expect(screen.all('button', 'Map')).toHaveLength(1);
});

it('colours by what is asked for', () => {
  const screen = showGraph();
  const choice = [...screen.node.querySelectorAll('select')].find(select =>
    [...select.options].some(option => option.value === 'bytes')
  );
  if (choice) {
    choice.value = 'line';
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  }
  screen.paint();
  expect(box(screen, 'b1').getAttribute('class')).toContain('jtv-hue-0');
});
