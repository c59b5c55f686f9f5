import { afterEach, beforeEach, expect, it } from 'vitest';
import { ENGLISH, Language, speak } from '../model';
import type { Compilation, Update } from '../protocol';
import { SessionStore } from '../store';
import { FILE, aFunction, aSession, aSpan, aTrace } from '../testing/records';
import { Screen, actions, cleanUp, showPanel } from '../testing/screen';

/** A language whose words one knows by their brackets. */
const BRACKETS: Language = {
  __: (text, ...values) => `‹${ENGLISH.__(text, ...values)}›`,
  _n: (one, many, count, ...values) =>
    `‹${ENGLISH._n(one, many, count, ...values)}›`
};

beforeEach(() => speak(BRACKETS));
afterEach(() => {
  speak(ENGLISH);
  cleanUp();
});

/** What is the same in every language: names of JAX and Python, keys, units. */
const NAMES = /\b(jax|Alt|Ctrl|Enter|Esc|Home|End|Space|Tab|jit)\b/g;
const CODE = 'code, kbd, pre, .jtv-code, .jtv-canvas';

/** Words on the screen, and read out or shown on hover, that are neither translated nor the program's. */
function untranslated(screen: Screen, updates: readonly Update[]): string[] {
  const own = textsOf(updates);
  return textsOn(screen.node)
    .map(text => withoutBrackets(text).replace(NAMES, ''))
    .map(text => own.reduce((left, word) => left.replaceAll(word, ''), text))
    .filter(text => /[A-Za-z]{3,}/.test(text));
}

function textsOn(root: HTMLElement): string[] {
  const found: string[] = [];
  for (const node of root.querySelectorAll('*')) {
    if (node.closest(CODE) === null) {
      const own = [...node.childNodes].filter(one => one.nodeName === '#text');
      found.push(own.map(one => one.textContent).join(''));
      found.push(node.getAttribute('aria-label') ?? '');
      found.push(node.getAttribute('title') ?? '');
    }
  }
  return found;
}

/** Brackets stand in brackets where a text is a part of another. */
function withoutBrackets(text: string): string {
  const less = text.replace(/‹[^‹›]*›/g, '');
  return less === text ? text : withoutBrackets(less);
}

/** What the program and the kernel say, longest first; what a record is has words of ours. */
function textsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    const isOurs = /^(kind|status|state|role|origin|binding|phase)$/.test(key);
    return value && !isOurs ? [value] : [];
  }
  return Object.entries(value ?? {})
    .flatMap(([name, one]) => textsOf(one, name))
    .sort((a, b) => b.length - a.length);
}

/** With something to say in each view and section. */
function aFullSession(session: string): Update {
  const constant = { name: null, source: 'global', bytes: 4e6 } as const;
  const changed = {
    name: 'RATE',
    kind: 'value',
    before: '0.1',
    after: '0.2',
    trace: 'f1#2',
    computed: false,
    place: { file: FILE, line: 4 }
  } as const;
  const compilation: Compilation = {
    id: 'c1',
    function: 'f1',
    trace: 'f1#2',
    call_site: null,
    reasons: [{ kind: 'donation', path: null, before: null, after: null }],
    persistent_cache: 'miss',
    cache_write: 'too_fast',
    started: 0.5,
    seconds: 0.5,
    lower_seconds: 0.1,
    flops: 10,
    bytes_accessed: 12,
    memory: {},
    devices: [],
    in_shardings: [],
    out_shardings: []
  };
  const mark = { function: 'f1', trace: 'f1#2', file: FILE, line: 4 };
  const marked = { ...mark, end_line: 5, at_least: false, equations: 2 };
  return aSession({
    session,
    tally: { traces: 3, retraces: 1, seconds: 2.1, trace: 'f1#2' },
    functions: [
      aFunction({ stale: [changed] }),
      aFunction({ id: 'f2', name: '_where', origin: 'library' })
    ],
    traces: [
      aTrace({ constants: [{ ...constant, type: 'f32[1000,1000]' }] }),
      aTrace({
        id: 'f1#2',
        compared_with: 'f1#1',
        reasons: [
          { kind: 'new_shape', path: 'x', before: 'f32[3]', after: 'f32[4]' }
        ]
      }),
      aTrace({ id: 'f2#1', function: 'f2', parent: 'f1#2' })
    ],
    compilations: [compilation, { ...compilation, id: 'c2', trace: null }],
    line_marks: [
      { ...marked, kind: 'not_run', times: 0 },
      { ...marked, kind: 'unrolled', times: 3 },
      { ...marked, kind: 'side_effect', times: 2 }
    ],
    spans: [
      aSpan(),
      aSpan({ trace: 'f1#2', started: 0.2 }),
      aSpan({ kind: 'lower', started: 0.4 }),
      aSpan({ kind: 'compile', started: 0.6 })
    ],
    hits: [{ function: 'f1', count: 2, since: 0.7, until: 1 }]
  });
}

it('says everything in the language of the user, in each view', () => {
  const updates = [aFullSession('s1'), aFullSession('s2')];
  const store = new SessionStore();
  updates.forEach(update => store.put(update, 'kernel'));
  const exportAs = (): Promise<void> => Promise.resolve();
  const screen = showPanel(store, actions({ exportAs }));
  const expectAll = (): void => {
    screen.paint();
    expect(untranslated(screen, updates)).toEqual([]);
  };
  const click = (one: HTMLElement): void => {
    one.click();
    expectAll();
  };
  screen
    .all('button')
    .filter(button => button.ariaExpanded === 'false')
    .forEach(click);
  screen.all('checkbox').slice(-2).forEach(click);
  const opened = ['.jtv-compared', '.jtv-export', '.jtv-help', '[role=tree]'];
  for (const selector of opened) {
    expect(screen.node.querySelector(selector), selector).not.toBeNull();
  }
  for (const tab of screen.all('tab')) {
    click(tab);
    for (const choice of screen.all('combobox')) {
      for (const { value } of (choice as HTMLSelectElement).options) {
        (choice as HTMLSelectElement).value = value;
        choice.dispatchEvent(new Event('change', { bubbles: true }));
        expectAll();
      }
    }
  }
});

it('says what to do first in the language of the user', () => {
  const store = new SessionStore();
  for (const status of ['none', 'absent', 'connected', 'dead'] as const) {
    store.setStatus(status);
    expect(untranslated(showPanel(store), [])).toEqual([]);
  }
});
