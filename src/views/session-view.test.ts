import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Update } from '../protocol';
import {
  aFinding,
  aFunction,
  aSession,
  anUpdate,
  place
} from '../testing/records';
import {
  actions,
  cleanUp,
  press,
  showPanel,
  showSession
} from '../testing/screen';

afterEach(cleanUp);

describe('a finished session', () => {
  it('answers first, in words', () => {
    const screen = showSession(aSession());
    expect(screen.get('status').textContent).toBe('step was traced twice.');
    expect(screen.node.textContent).toContain('cell [5] · cpu · jax 0.12.0');
  });

  it('calls hits good only where nothing that they were made with has changed', () => {
    const hits = aSession({
      functions: [aFunction({ traces: 0, calls: 1, cache_hits: 1 })],
      traces: [],
      findings: []
    });
    expect(showSession(hits).get('status').textContent).toMatch(/^✓/);
    const findings = [aFinding({ kind: 'stale_value' })];
    const stale = showSession({ ...hits, session: 's2', findings });
    expect(stale.get('status').textContent).toMatch(/^!/);
  });

  it('names what there is, as people with a screen reader know it', () => {
    const screen = showSession(aSession());
    screen.get('list', 'Findings');
    screen.get('table', 'Functions');
    screen.get('button', 'Save SVG');
    expect(screen.all('tab').map(tab => tab.textContent)).toEqual([
      'Source',
      'Graph',
      'Timeline',
      'Jaxpr',
      'Arguments & constants'
    ]);
    screen.get('tabpanel', 'Source');
    screen.get('listbox', 'Source of step');
  });

  it('shows a finding with its cause, cost and cure', () => {
    const [finding] = showSession(aSession()).all('listitem');
    expect(finding?.textContent).toContain('step retraced because x changed');
    expect(finding?.textContent).toContain('f32[3] →  now f32[4]');
    expect(finding?.textContent).toContain('Pad x.');
    expect(finding?.textContent).toContain('1.2 s');
  });

  it('lights up an argument in the other views', () => {
    const screen = showSession(aSession({ selected: 'f1#1' }));
    screen.get('tab', 'Arguments & constants').click();
    screen.paint();
    screen.get('button', 'x').click();
    expect(screen.session().selection.pinned).toEqual({
      trace: 'f1#1',
      box: 'x',
      places: [place(4)]
    });
  });

  it('explains its signs, keys and words, and a word where it stands', () => {
    const screen = showSession(aSession({ selected: 'f1#1' }));
    const [tab] = screen.all('tab');
    press(tab ?? screen.node, '?');
    screen.paint();
    expect(screen.get('button', 'Close help')).toBe(document.activeElement);
    press(screen.get('button', 'Close help'), 'Escape');
    screen.paint();
    expect(screen.all('button', 'Close help')).toEqual([]);
    const hits = screen.get('button', 'Hits');
    hits.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    screen.paint();
    expect(screen.get('tooltip').textContent).toContain('earlier trace');
    const relatedTarget = screen.get('button', 'All words');
    const moved = { bubbles: true, relatedTarget };
    hits.dispatchEvent(new FocusEvent('focusout', moved));
    screen.paint();
    expect(screen.all('tooltip')).toHaveLength(1);
    relatedTarget.click();
    screen.paint();
    expect(document.activeElement?.textContent).toBe('hit');
  });

  it('says that cache hits alone are a success', () => {
    const state = (fields: Partial<Update>): string | null | undefined =>
      showSession(aSession(fields))
        .node.querySelector('.jtv-header')
        ?.getAttribute('data-state');
    const hit = aFunction({ calls: 3, cache_hits: 3, traces: 0 });
    expect(state({ functions: [hit], findings: [] })).toBe('hits');
    expect(state({ functions: [hit, aFunction({ id: 'f2' })] })).toBe('ok');
    expect(state({ functions: [hit], state: 'error' })).toBe('error');
  });

  it('asks for @jax.jit where nothing ran, but not of a cell that failed before', () => {
    const question = 'Is @jax.jit missing';
    const shown = (state: Update['state']) =>
      showSession(anUpdate({ state })).node.textContent;
    expect(shown('ok')).toContain(question);
    cleanUp();
    expect(shown('error')).not.toContain(question);
  });

  it('asks nothing where this JAX cannot be observed: the verdict says what to do', () => {
    const environment = { ...anUpdate().environment, limited: ['staging'] };
    const { store, node } = showSession(anUpdate({ environment }));
    expect(node.textContent).not.toContain('Is @jax.jit missing');
    cleanUp();
    store.setStatus('connected');
    expect(showPanel(store).node.textContent).not.toContain('another cell');
  });

  it('says of traced values that they are, not by colour alone', () => {
    const screen = showSession(aSession());
    screen.session().selection.show('f1', 'f1#1');
    screen.paint();
    const options = screen.all('option').map(o => o.textContent);
    expect(options[1]).toBe('4def step(x):x● traced f32[3]');
  });
});

describe('tabs', () => {
  it('are moved through by arrow keys, as one stop', () => {
    const screen = showSession(aSession());
    const source = screen.get('tab', 'Source');
    source.focus();
    expect(press(source, 'ArrowLeft')).toBe(false);
    screen.paint();
    const last = screen.get('tab', 'Arguments & constants');
    expect(document.activeElement).toBe(last);
    expect(last.getAttribute('aria-selected')).toBe('true');
    expect(screen.all('tab').map(tab => tab.tabIndex)).toEqual([
      -1, -1, -1, -1, 0
    ]);
    press(last, 'Home');
    screen.paint();
    expect(document.activeElement).toBe(source);
  });

  it('show the arguments with role and type', () => {
    const screen = showSession(aSession());
    screen.get('tab', 'Arguments & constants').click();
    screen.paint();
    const row = screen.get('table', 'Arguments').querySelector('tbody tr');
    expect(row?.textContent).toBe('x● tracedf32[3]');
  });

  it('show when what happened, in words on every span', () => {
    const screen = showSession(aSession());
    screen.get('tab', 'Timeline').click();
    screen.paint();
    screen.get('button', 'trace 100 ms: step (step #1), began at 0 s');
  });
});

describe('selection', () => {
  const jaxprLine = (screen: ReturnType<typeof showSession>): HTMLElement => {
    const [line] = screen
      .all('option')
      .filter(o => o.textContent.includes('= sin'));
    if (!line) {
      throw new Error('no such line');
    }
    return line;
  };

  it('ties a line of source to its equations, and back', () => {
    const screen = showSession(aSession());
    screen.session().selection.show('f1', 'f1#1');
    screen.paint();
    const [line] = screen
      .all('option')
      .filter(o => o.textContent.includes('return'));
    line?.click();
    screen.paint();
    expect(jaxprLine(screen).getAttribute('aria-selected')).toBe('true');
    jaxprLine(screen).click();
    screen.paint();
    expect(line?.getAttribute('aria-selected')).toBe('false');
  });

  it('is let go by Escape, which then goes no further', () => {
    const screen = showSession(aSession());
    const seen = vi.fn();
    document.body.addEventListener('keydown', seen);
    const { selection } = screen.session();
    selection.toggle({ trace: null, box: null, places: [place(5)] });
    press(screen.get('tab', 'Source'), 'Escape');
    expect(selection.target).toBeNull();
    expect(seen).not.toHaveBeenCalled();
    press(screen.get('tab', 'Source'), 'Escape');
    expect(seen).toHaveBeenCalledTimes(1);
    document.body.removeEventListener('keydown', seen);
  });
});

it('shows hostile text as text', () => {
  const text = '<img src=x onerror=alert(1)>`<b>`';
  const update = aSession({ verdict: text, faults: [text] });
  update.functions = [aFunction({ name: text, source: text })];
  const screen = showSession(update);
  expect(screen.node.querySelector('img,b')).toBeNull();
  expect(screen.node.textContent).toContain('<img src=x onerror=alert(1)>');
});

it('goes to the line of a finding where the user wrote it', () => {
  const reveal = vi.fn();
  const screen = showSession(aSession(), { actions: actions({ reveal }) });
  screen.get('button', 'line 9').click();
  expect(reveal).toHaveBeenCalledExactlyOnceWith(place(9));
  expect(screen.session().selection.trace).toBe('f1#2');
});

it('saves the graph that is shown as a file', () => {
  const own = actions();
  const screen = showSession(aSession(), { actions: own });
  const save = screen.get('button', 'Save SVG');
  expect(save).toHaveProperty('disabled', true);
  screen.session().selection.show('f1', 'f1#1');
  screen.paint();
  save.click();
  expect(own.saveFile).toHaveBeenCalledExactlyOnceWith(
    'step.svg',
    'image/svg+xml',
    expect.stringContaining('Computation graph of step')
  );
});
