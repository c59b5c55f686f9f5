import { afterEach, expect, it, vi } from 'vitest';
import { ENGLISH, speak } from '../../model';
import type { Graph } from '../../protocol';
import { aBox, aGraph, aSession, place } from '../../testing/records';
import {
  Screen,
  actions,
  cleanUp,
  press,
  showSession
} from '../../testing/screen';
import type { Actions } from '../actions';

afterEach(() => {
  speak(ENGLISH);
  cleanUp();
});

const same = { same: 1, only: 0, changed: 0, resized: 0 };

/** x → sin; the later trace has a cos of the same line, which the earlier one lacks. */
function graphOf(trace: string, other: string, later: boolean): Graph {
  const boxes = [
    aBox({ id: 'x', kind: 'argument', label: 'x', y: 0, places: [] }),
    aBox({ id: '/sin', label: 'sin', places: [place(5)] }),
    ...(later ? [aBox({ id: '/cos', label: 'cos', places: [place(5)] })] : [])
  ];
  const added = { ...same, same: 0, only: 1 };
  const counts = [same, same, ...(later ? [added] : [])];
  const changes = { other, later, boxes: counts, note: '' };
  return aGraph({ trace, boxes, links: [], edges: [], changes });
}

const before = graphOf('f1#1', 'f1#2', false);
const now = graphOf('f1#2', 'f1#1', true);

function choiceOf(screen: Screen): HTMLSelectElement {
  const choice = screen.node.querySelector<HTMLSelectElement>(
    '.jtv-compare-choice select'
  );
  if (!choice) {
    throw new Error('there is nothing to choose from');
  }
  return choice;
}

async function compare(tab = 'Graph'): Promise<Screen> {
  let screen: ReturnType<typeof showSession> | null = null;
  const openGraph: NonNullable<Actions['openGraph']> = (id, trace, drawing) => {
    screen?.store.openGraph(id, trace === 'f1#1' ? before : now, drawing);
    return Promise.resolve();
  };
  screen = showSession(aSession({ graphs: [before, now] }), {
    actions: actions({ openGraph })
  });
  screen.get('tab', tab).click();
  screen.paint();
  const choice = choiceOf(screen);
  choice.value = 'f1#1';
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.runAllTimersAsync();
  return screen;
}

const sides = (screen: Screen): HTMLElement[] => [
  ...screen.node.querySelectorAll<HTMLElement>('.jtv-side-by-side > section')
];

const lit = (side: HTMLElement): (string | undefined)[] =>
  [...side.querySelectorAll<SVGElement>('.jtv-node.jtv-lit')].map(
    node => node.dataset.box
  );

const boxOf = (side: HTMLElement, id: string): SVGElement => {
  const boxes = side.querySelectorAll<SVGElement>('[data-box]');
  const found = [...boxes].find(node => node.dataset.box === id);
  if (!found) {
    throw new Error(`no box ${id}`);
  }
  return found;
};

it('lights the same box in both pictures, not all boxes of its line', async () => {
  const screen = await compare();
  const [left, right] = sides(screen);
  expect(left && right).toBeTruthy();
  if (left && right) {
    press(boxOf(left, '/sin'), 'Enter');
    screen.paint();
    expect(lit(left)).toEqual(['/sin']);
    expect(lit(right)).toEqual(['/sin']);
  }
});

it('says in the language of the user which is which', async () => {
  speak({ ...ENGLISH, __: text => text.toUpperCase() });
  const titles = sides(await compare('GRAPH')).map(side =>
    side.getAttribute('aria-label')
  );
  expect(titles.map(title => title?.split(':')[0])).toEqual(['BEFORE', 'NOW']);
});

it('lights the line where the other picture lacks the box', async () => {
  const screen = await compare();
  const [left, right] = sides(screen);
  if (left && right) {
    press(boxOf(right, '/cos'), 'Enter');
    screen.paint();
    expect(lit(right)).toEqual(['/cos']);
    expect(lit(left)).toEqual(['/sin']);
  }
  expect.assertions(2);
});

it('zooms and moves both as one', async () => {
  const screen = await compare();
  const scale = (side?: HTMLElement): string | undefined =>
    side?.querySelector<HTMLElement>('.jtv-scaled')?.style.transform;
  const [left, right] = sides(screen);
  const larger = left?.querySelector<HTMLElement>('[aria-label="Zoom in"]');
  larger?.click();
  await vi.runAllTimersAsync();
  expect(scale(left)).toBe('scale(1.25)');
  expect(scale(right)).toBe('scale(1.25)');
  const views = [left, right].map(side =>
    side?.querySelector<HTMLElement>('.jtv-graph-scroll')
  );
  if (views[0]) {
    views[0].scrollTop = 40;
    views[0].dispatchEvent(new Event('scroll'));
  }
  expect(views[1]?.scrollTop).toBe(40);
});

it('saves both as one file', async () => {
  const screen = await compare();
  screen.get('button', 'Save both as SVG').click();
  const [name, type, text] =
    vi.mocked(screen.actions.saveFile).mock.lastCall ?? [];
  expect([name, type]).toEqual(['step-compared.svg', 'image/svg+xml']);
  expect(text).toContain('Computation graphs of step: step #1 and step #2');
});

it('is not offered without the kernel, which is said beforehand', async () => {
  const words = 'Comparing needs the kernel that recorded this.';
  const screen = showSession(aSession({ graphs: [before, now] }));
  screen.get('tab', 'Graph').click();
  screen.paint();
  expect(choiceOf(screen).disabled).toBe(true);
  expect(screen.get('tabpanel').textContent).toContain(words);

  const withKernel = await compare();
  expect(choiceOf(withKernel).disabled).toBe(false);
  expect(withKernel.get('tabpanel').textContent).not.toContain(words);
});
