import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Update } from '../protocol';
import { aFunction, aSession, aTrace, anUpdate } from '../testing/records';
import { actions, cleanUp, showSession } from '../testing/screen';

afterEach(cleanUp);

const why = (update: Update, fields: Parameters<typeof actions>[0] = {}) => {
  const screen = showSession(update, { actions: actions(fields) });
  screen.get('tab', 'Arguments & constants').click();
  screen.paint();
  return screen;
};

const rowsOf = (table: HTMLElement): string[][] =>
  [...table.querySelectorAll('tbody tr')].map(row =>
    [...row.children].map(cell => cell.textContent.trim())
  );

describe('the why card', () => {
  it('sets the parts side by side, with the cause in words', () => {
    const screen = why(aSession());
    expect(rowsOf(screen.get('table', 'Parts of step #2'))).toEqual([
      ['x shape', 'f32[3]', 'f32[4]', '↻ the cause'],
      ['way of passing the arguments', '', '', 'same'],
      ['settings of JAX', '', '', 'same']
    ]);
    const { textContent } = screen.get('tabpanel');
    expect(textContent).toContain('Why was step traced again? (step #2)');
    expect(textContent).toContain(
      'Compared with step #1, the nearest earlier trace: it differs in 1 of 3 parts.'
    );
    expect(textContent).toContain('Called at line 9');
  });

  it('tells the cost, and what of it is nested', () => {
    const update = aSession();
    update.traces.push(
      aTrace({ id: 'f2/call1', function: 'f2', parent: 'f1#2', kind: 'call' }),
      aTrace({ id: 'f2#2', function: 'f2', parent: 'f2/call1', seconds: 0.02 })
    );
    update.compilations.push({
      id: 'c1',
      function: 'f1',
      trace: 'f1#2',
      call_site: null,
      reasons: [],
      persistent_cache: 'hit',
      cache_write: 'none',
      started: 1,
      seconds: 0.3,
      lower_seconds: 0.1,
      flops: null,
      bytes_accessed: null,
      memory: {},
      devices: [],
      in_shardings: [],
      out_shardings: []
    });
    const { textContent } = why(update).get('tabpanel');
    expect(textContent).toContain(
      'Cost 450 ms: trace 50 ms (20 ms of it in 1 nested trace), lower 100 ms, compile 300 ms.'
    );
    expect(textContent).toContain('persistent compilation cache: hit');
  });

  it('says what usually helps, for this part of this function', () => {
    const update = aSession();
    update.advice = [
      { function: 'f2', kind: 'new_shape', path: 'x', text: 'Not this.' },
      { function: 'f1', kind: 'new_shape', path: 'x', text: 'Pad `x`.' }
    ];
    expect(why(update).get('tabpanel').textContent).toContain(
      'What usually helps: Pad x.'
    );
  });

  it('is there for a program that was compiled without a trace', () => {
    const update = anUpdate({ functions: [aFunction()], traces: [aTrace()] });
    const reason = {
      kind: 'sharding_or_device',
      path: 'x',
      before: 'cpu:0',
      after: 'cpu:1'
    };
    update.compilations = [
      {
        id: 'c2',
        function: 'f1',
        trace: null,
        call_site: null,
        reasons: [reason],
        persistent_cache: 'off',
        cache_write: 'none',
        started: 2,
        seconds: 0.3,
        lower_seconds: 0.1,
        flops: null,
        bytes_accessed: null,
        memory: {},
        devices: [],
        in_shardings: [],
        out_shardings: []
      }
    ];
    const screen = why(update);
    expect(rowsOf(screen.get('table', 'Parts of c2'))).toEqual([
      ['x sharding or device', 'cpu:0', 'cpu:1', '↻ the cause']
    ]);
    expect(screen.node.textContent).toContain(
      'Why was step compiled again without a trace? (c2)'
    );
  });

  it('shows a few parts that are the same, the others when asked', () => {
    const many = Array.from({ length: 20 }, (_, i) => ({
      path: `w[${i}]`,
      role: 'traced' as const,
      type: 'f32[]',
      value: null
    }));
    const update = aSession();
    update.traces = update.traces.map(t => ({
      ...t,
      arguments: [...t.arguments, ...many]
    }));
    const screen = why(update);
    const rows = () => rowsOf(screen.get('table', 'Parts of step #2')).length;
    expect(rows()).toBe(9);
    screen.get('button', '▸ 14 more that are the same').click();
    screen.paint();
    expect(rows()).toBe(23);
  });

  it('is copied as text', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>();
    writeText.mockResolvedValue();
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const screen = why(aSession());
    screen.get('button', 'Copy as text').click();
    await Promise.resolve();
    vi.unstubAllGlobals();
    await Promise.resolve();
    screen.paint();
    expect(screen.get('tabpanel').textContent).toContain('Copied');
    vi.advanceTimersByTime(2000);
    screen.paint();
    expect(screen.get('tabpanel').textContent).not.toContain('Copied');
    const lines = writeText.mock.calls[0]?.[0].split('\n') ?? [];
    expect(lines[0]).toBe('Why was step traced again? (step #2)');
    expect(lines[1]).toBe('  new shape x f32[3] → f32[4]');
    expect(lines[3]?.split(/ {2,}/)).toEqual([
      '',
      '↻',
      'x shape',
      'f32[3]',
      'f32[4]',
      'the cause'
    ]);
    expect(lines).toContain('  Called at line 9.');
  });

  it('opens from the findings and from the bar above the tabs', () => {
    const screen = showSession(aSession());
    const [inFinding, inBar] = screen.all('button', 'Why?');
    for (const button of [inFinding, inBar]) {
      screen.get('tab', 'Source').click();
      screen.paint();
      button?.click();
      screen.paint();
      expect(
        screen.get('tab', 'Arguments & constants').getAttribute('aria-selected')
      ).toBe('true');
    }
  });
});
