import { afterEach, expect, it, vi } from 'vitest';
import { aBox, aGraph, aSession, place } from '../../testing/records';
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

const group = aBox({
  id: 'g',
  kind: 'group',
  label: 'layer',
  detail: '5 equations',
  y: 120,
  equations: 5
});
const graph = aGraph({ trace: 'f1#2', boxes: [...aGraph().boxes, group] });

function showGraph(own: Actions = actions()): ReturnType<typeof showSession> {
  const screen = showSession(aSession({ graphs: [graph] }), { actions: own });
  screen.get('tab', 'Graph').click();
  screen.paint();
  return screen;
}

const box = (screen: Screen, id: string): SVGElement => {
  const found = screen.node.querySelector<SVGElement>(`[data-box=${id}]`);
  if (!found) {
    throw new Error(`no box ${id}`);
  }
  return found;
};

const click = (node: Element): void => {
  node.dispatchEvent(new MouseEvent('click', { bubbles: true }));
};

it('is one named picture with named boxes', () => {
  const screen = showGraph();
  const picture = screen.get('graphics-document', 'Computation graph of step');
  const names = [...picture.querySelectorAll('[data-box]')].map(b =>
    b.getAttribute('aria-label')
  );
  expect(names).toEqual(['x, f32[3]', 'sin, f32[3]', 'layer, 5 equations']);
  expect(picture.namespaceURI).toBe('http://www.w3.org/2000/svg');
  expect(box(screen, 'b1').querySelector('title')?.textContent).toBe(
    'sin\nf32[3]'
  );
});

it('is walked through by arrow keys, as one stop', () => {
  const screen = showGraph();
  const stops = (): number =>
    screen.node.querySelectorAll('[data-box][tabindex="0"]').length;
  box(screen, 'x').focus();
  press(box(screen, 'x'), 'ArrowDown');
  screen.paint();
  expect(document.activeElement).toBe(box(screen, 'b1'));
  expect(stops()).toBe(1);
});

it('pins the lines of the box that is chosen', () => {
  const screen = showGraph();
  press(box(screen, 'b1'), 'Enter');
  screen.paint();
  expect(screen.session().selection.pinned).toEqual({
    trace: 'f1#2',
    box: 'b1',
    places: [place(5)]
  });
  expect(box(screen, 'b1').getAttribute('aria-pressed')).toBe('true');
  screen.get('button', 'line 5').click();
  screen.paint();
  expect(screen.session().selection.pinned?.box).toBeNull();
  expect(box(screen, 'b1').getAttribute('aria-pressed')).toBe('true');
});

it('is drawn by the kernel where only the listing was kept', () => {
  const openPicture = vi.fn(() => new Promise<void>(() => undefined));
  const update = aSession({ graphs: [] });
  const [listing] = update.listings;
  const screen = showSession(update, { actions: actions({ openPicture }) });
  screen.session().selection.show('f1', listing?.trace ?? '');
  screen.get('tab', 'Graph').click();
  screen.paint();
  screen.get('button', 'Have the kernel draw it').click();
  expect(openPicture).toHaveBeenCalledExactlyOnceWith(
    's1',
    listing?.trace,
    expect.any(AbortSignal)
  );
});

it('says how a question went over the picture, so that the toolbar stays where it is', async () => {
  const openGraph = vi.fn(() => Promise.reject(new Error('Cancelled.')));
  const screen = showGraph(actions({ openGraph }));
  press(box(screen, 'g'), 'Enter');
  for (let tick = 0; tick < 9; tick += 1) {
    await Promise.resolve();
  }
  screen.paint();
  const said = [...screen.node.querySelectorAll('[role=status]')].find(
    ({ textContent }) => textContent === 'Cancelled.'
  );
  expect(said?.closest('.jtv-graph-said')).toBeTruthy();
  expect(said?.closest('.jtv-graph-bar')).toBeNull();
});

it('says that a closed group needs a kernel, where there is none', () => {
  const screen = showGraph();
  expect(box(screen, 'g').getAttribute('aria-expanded')).toBe('false');
  press(box(screen, 'g'), 'Enter');
  screen.paint();
  expect(screen.node.textContent).toContain('needs a running kernel');
});

it('asks the kernel to open a group, and draws its answer', async () => {
  let screen: ReturnType<typeof showSession> | null = null;
  const openGraph = vi.fn<NonNullable<Actions['openGraph']>>(
    (session, _trace, boxes) => {
      const opened = { ...group, open: true };
      const answer = { ...graph, boxes: [...aGraph().boxes, opened] };
      screen?.store.openGraph(session, answer, boxes);
      return Promise.resolve();
    }
  );
  screen = showGraph(actions({ openGraph }));
  click(screen.node.querySelector('[data-disclose=g]') ?? screen.node);
  await vi.runAllTimersAsync();
  expect(drawn(openGraph)).toEqual(['g']);
  expect(box(screen, 'g').getAttribute('aria-expanded')).toBe('true');
  press(box(screen, 'g'), 'Enter');
  expect(openGraph).toHaveBeenCalledTimes(2);
  expect(drawn(openGraph)).toEqual([]);
});

it('passes on what the kernel says it cannot do', async () => {
  const openGraph = (): Promise<void> =>
    Promise.reject(new Error('This session is no longer held.'));
  const screen = showGraph(actions({ openGraph }));
  press(box(screen, 'g'), 'Enter');
  await vi.runAllTimersAsync();
  expect(screen.node.textContent).toContain('This session is no longer held.');
});

it('lays out a picture that grew as a whole, when asked', async () => {
  let screen: ReturnType<typeof showSession> | null = null;
  const openGraph = vi.fn<NonNullable<Actions['openGraph']>>(
    (session, _trace, drawing) => {
      screen?.store.openGraph(session, { ...graph, width: 200 }, drawing);
      return Promise.resolve();
    }
  );
  const running = aSession({ graphs: [graph], state: 'running' });
  screen = showSession(running, { actions: actions({ openGraph }) });
  screen.get('tab', 'Graph').click();
  screen.paint();
  screen.get('button', 'Tidy up').click();
  await vi.runAllTimersAsync();
  expect(drawn(openGraph)).toEqual([]);
  expect(screen.all('button', 'Tidy up')).toEqual([]);
});

it('has nothing to tidy up when the cell has ended', () => {
  const screen = showGraph(actions({ openGraph: () => Promise.resolve() }));
  expect(screen.all('button', 'Tidy up')).toEqual([]);
});
