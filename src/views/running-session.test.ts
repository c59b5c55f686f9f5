import { afterEach, describe, expect, it, vi } from 'vitest';
import { aFunction, aTrace, anUpdate } from '../testing/records';
import { cleanUp, showSession } from '../testing/screen';

afterEach(cleanUp);

describe('a session that goes on', () => {
  const running = (number: number, traces: number) =>
    anUpdate({
      number,
      complete: false,
      state: 'running',
      verdict: `Recording · ${traces} traces`,
      functions: [aFunction({ traces })],
      traces: [aTrace({ status: 'running', at_line: 5 })]
    });

  it('says that it records, and where tracing is', () => {
    const screen = showSession(running(1, 1));
    expect(screen.get('status').textContent).toBe('● Recording · 1 traces');
    expect(screen.node.textContent).toContain('tracing here');
  });

  it('keeps what has the focus, and its nodes, while updates stream in', () => {
    const screen = showSession(running(1, 1));
    const button = screen.get('button', 'step');
    button.focus();
    for (let n = 2; n < 10; n++) {
      screen.store.put(running(n, n), 'kernel');
      screen.paint();
    }
    expect(document.activeElement).toBe(button);
    expect(screen.get('button', 'step')).toBe(button);
    expect(button.closest('tr')?.textContent).toContain('step9');
  });

  it('paints at most ten times a second', () => {
    const screen = showSession(running(1, 1));
    const seen = new Set<string>();
    for (let n = 2; n < 102; n++) {
      screen.store.put(running(n, n), 'kernel');
      vi.advanceTimersByTime(10);
      seen.add(screen.get('status').textContent);
    }
    expect(seen.size).toBeGreaterThan(5);
    expect(seen.size).toBeLessThan(12);
  });

  it('was cut off when its kernel is gone', () => {
    const screen = showSession(running(1, 1));
    screen.store.setStatus('none');
    screen.paint();
    expect(screen.get('status').textContent).toContain(
      'Recording was cut off · 1 traces'
    );
  });

  it('is not painted when another session goes on', () => {
    const screen = showSession(running(1, 1));
    const paints = vi.spyOn(window, 'requestAnimationFrame');
    screen.store.put({ ...running(1, 1), session: 'other' }, 'kernel');
    screen.paint();
    expect(paints).not.toHaveBeenCalled();
  });

  it('leaves nothing behind', () => {
    const screen = showSession(running(1, 1));
    screen.store.put(running(2, 2), 'kernel');
    screen.unmount();
    screen.paint();
    expect(screen.node.childNodes).toHaveLength(0);
  });
});
