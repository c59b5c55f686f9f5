import { afterEach, describe, expect, it } from 'vitest';
import { aFunction, aSession, anUpdate } from '../testing/records';
import { cleanUp, showSession } from '../testing/screen';

afterEach(cleanUp);

describe('where there is little to see', () => {
  it('says that nothing jitted ran', () => {
    const screen = showSession(anUpdate({ verdict: 'Nothing was traced.' }));
    expect(screen.node.textContent).toContain('Is @jax.jit missing');
    expect(screen.all('tab')).toEqual([]);
  });

  it('says that hits alone are a success', () => {
    const hits = aFunction({ calls: 12, traces: 0, cache_hits: 12 });
    const screen = showSession(anUpdate({ functions: [hits] }));
    expect(screen.node.textContent).toContain('✓ Not traced: cache hits only.');
  });

  it('does not call a hit what it has not seen', () => {
    const unseen = aFunction({ calls: 0, traces: 0, cache_hits: 0 });
    const screen = showSession(anUpdate({ functions: [unseen] }));
    expect(screen.node.textContent).toContain('No trace was recorded.');
    expect(screen.node.textContent).not.toContain('✓');
  });

  it('says what is missing from the recording', () => {
    const update = anUpdate({
      dropped: {
        events: 1200,
        equations: 0,
        details: 0,
        memory_mb: null,
        calls: 0
      }
    });
    update.environment.limited = ['fast path'];
    update.note = 'Graphs are left out.';
    update.faults = ['capture: KeyError'];
    const { textContent } = showSession(update).node;
    expect(textContent).toContain('1,200 events');
    expect(textContent).toContain('fast path');
    expect(textContent).toContain('Graphs are left out.');
    expect(textContent).toContain('capture: KeyError');
  });

  it('shows one line of a folded session, and the rest when asked', () => {
    const screen = showSession(aSession(), { folded: true });
    screen.get('status');
    expect(screen.all('table')).toEqual([]);
    screen.get('button', '▸ Show trace').click();
    screen.paint();
    screen.get('table', 'Functions');
    expect(screen.all('status')).toHaveLength(1);
  });
});
