import { afterEach, describe, expect, it } from 'vitest';
import { aFunction, aSession, anUpdate } from '../testing/records';
import { cleanUp, showSession } from '../testing/screen';

afterEach(cleanUp);

describe('the table of functions', () => {
  it('counts helpers, which have no traces of their own, until one asks for them', () => {
    const helper = aFunction({
      id: 'f2',
      name: 'layer',
      calls: 0,
      traces: 0,
      cache_hits: 0,
      compiles: 0
    });
    const screen = showSession(anUpdate({ functions: [aFunction(), helper] }));
    const table = screen.get('table', 'Functions');
    expect(table.textContent).not.toContain('layer');
    const fold = screen.get('button', '▸ 1 helper');
    fold.click();
    screen.paint();
    expect(table.textContent).toContain('layer');
  });

  it('sorts the functions by any column, and says by which', () => {
    const screen = showSession(aSession());
    const heads = (): (string | null)[] =>
      screen.all('columnheader').map(head => head.getAttribute('aria-sort'));
    expect(heads()).toEqual([null, null, null, null, 'descending']);
    screen.get('button', 'Function').click();
    screen.paint();
    expect(heads()[0]).toBe('ascending');
    screen.get('button', 'Function▴').click();
    screen.paint();
    expect(heads()[0]).toBe('descending');
  });

  it('lists the costliest function first, and libraries when asked', () => {
    const screen = showSession(aSession());
    const names = (): string[] =>
      [
        ...screen.get('table', 'Functions').querySelectorAll('th[scope=row]')
      ].map(cell => cell.querySelector('button')?.textContent ?? '');
    expect(names()).toEqual(['loss', 'step']);
    const fold = screen.get('button', '▸ 1 library function');
    expect(fold.getAttribute('aria-expanded')).toBe('false');
    fold.click();
    screen.paint();
    expect(names()).toEqual(['loss', 'step', '_where']);
  });

  it('goes with all views to the function that is chosen', () => {
    const screen = showSession(aSession());
    screen.get('button', 'loss').click();
    screen.paint();
    screen.get('listbox', 'Source of loss');
    expect(screen.get('button', 'loss').getAttribute('aria-pressed')).toBe(
      'true'
    );
  });
});
