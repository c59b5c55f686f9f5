import { afterEach, describe, expect, it } from 'vitest';
import { aFunction, anUpdate } from '../testing/records';
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
    screen.get('button', '▸ 1 helper').click();
    screen.paint();
    expect(table.textContent).toContain('layer');
  });
});
