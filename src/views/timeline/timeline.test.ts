import { afterEach, expect, it, vi } from 'vitest';
import { aSession, aSpan } from '../../testing/records';
import { Screen, cleanUp, press, showSession } from '../../testing/screen';

afterEach(cleanUp);

function shown(): ReturnType<typeof showSession> {
  const screen = showSession(
    aSession({
      seconds: 10,
      spans: [
        aSpan({ started: 1 }),
        aSpan({ trace: 'f1#2', started: 5, seconds: 2 })
      ],
      hits: [{ function: 'f1', count: 3, since: 2, until: 3 }]
    })
  );
  screen.get('tab', 'Timeline').click();
  screen.paint();
  return screen;
}

const zoom = (screen: Screen): string =>
  screen.node
    .querySelector<HTMLElement>('.jtv-lanes-inner')
    ?.style.getPropertyValue('--jtv-zoom') ?? '';

const span = (screen: Screen, trace: string): HTMLElement => {
  const [found] = screen
    .all('button')
    .filter(b => b.ariaLabel?.startsWith('trace '))
    .filter(b => b.ariaLabel?.includes(`: step (step ${trace})`));
  if (!found) {
    throw new Error(`no span of ${trace}`);
  }
  return found;
};

it('zooms, fits and shows all by the keys of trace viewers', () => {
  const screen = shown();
  const first = span(screen, '#1');
  for (const [key, expected] of [
    ['w', '1.5'],
    ['w', '2.25'],
    ['s', '1.5'],
    ['0', '1'],
    ['f', '80']
  ] as const) {
    press(first, key);
    screen.paint();
    expect(zoom(screen)).toBe(expected);
  }
});

it('writes the time of the last tick before its line, where it has room', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(700);
  const ticks = [...shown().node.querySelectorAll<HTMLElement>('.jtv-tick')];
  expect(ticks.map(tick => [tick.textContent, tick.dataset.before])).toEqual([
    ['0 s', 'false'],
    ['2 s', 'false'],
    ['4 s', 'false'],
    ['6 s', 'false'],
    ['8 s', 'false'],
    ['10 s', 'true']
  ]);
  vi.restoreAllMocks();
});

it('selects the next span by an arrow key, in all views', () => {
  const screen = shown();
  const first = span(screen, '#1');
  first.focus();
  press(first, 'ArrowRight');
  screen.paint();
  expect(document.activeElement).toBe(span(screen, '#2'));
  expect(screen.session().selection.trace).toBe('f1#2');
});

it('points from what changed to the retrace, and leads to the why card', () => {
  const screen = shown();
  screen.get('button', 'Why step #2? x f32[3] → f32[4]').click();
  screen.paint();
  screen.get('tabpanel', 'Arguments & constants');
  screen.get('table', 'Parts of step #2');
});

it('says of hits only between which moments they came', () => {
  shown().get('img', '3 cache hits, between 2 s and 3 s');
});

it('says what was not measured', () => {
  expect(shown().get('tabpanel').textContent).toContain(
    'How long devices computed is not measured.'
  );
});

it('writes on a span what has room there', () => {
  const screen = shown();
  const texts = (): string[] =>
    ['#1', '#2'].map(trace => span(screen, trace).textContent.trim());
  expect(texts()).toEqual(['', 'trace']);
  press(span(screen, '#1'), 'w');
  screen.paint();
  expect(texts()).toEqual(['', 'trace 2 s']);
  press(span(screen, '#1'), 'f');
  screen.paint();
  expect(texts()).toEqual(['trace 100 ms', 'trace 2 s']);
});
