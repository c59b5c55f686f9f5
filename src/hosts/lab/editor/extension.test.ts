import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checksum } from '../../../model';
import type { Cell, Update } from '../../../protocol';
import { Session, DEFAULT_DRAWING, SessionStore, Toggle } from '../../../store';
import {
  FILE,
  aFunction,
  aGraph,
  aListing,
  aTrace,
  anAnnotation,
  anUpdate,
  place
} from '../../../testing/records';
import { cellBadge } from './badge';
import { cellMarks } from './extension';
import { NotebookCode } from './notebook-code';

const TEXT = '@jax.jit\ndef step(x):\n    return jnp.sin(x)\n\nstep(1.0)';

let cells: { id: string; text: string }[];
let store: SessionStore;
let marks: Toggle;
let badges: Toggle;
const openWhy = vi.fn<(session: Session) => void>();
let views: EditorView[];

beforeEach(() => {
  vi.useFakeTimers();
  cells = [
    { id: 'a', text: TEXT },
    { id: 'b', text: TEXT }
  ];
  store = new SessionStore();
  marks = new Toggle(true);
  badges = new Toggle(true);
  views = [];
});

afterEach(() => {
  views.forEach(view => view.destroy());
  vi.useRealTimers();
});

const cell = (fields: Partial<Cell> = {}): Cell => ({
  id: 'a',
  execution_count: 1,
  file: FILE,
  checksum: checksum(TEXT),
  ...fields
});

function record(fields: Partial<Update> = {}): void {
  store.put(
    anUpdate({
      cell: cell(),
      functions: [aFunction({ line: 1, end_line: 3 })],
      traces: [aTrace()],
      annotations: [anAnnotation({ line: 2 })],
      listings: [
        aListing({
          lines: [{ text: 'sin', depth: 0, place: place(3), equation: 0 }]
        })
      ],
      ...fields
    }),
    'kernel'
  );
}

function open(id: string, text = TEXT): EditorView {
  const notebook = {
    get cells() {
      return cells.map(one => ({ id: one.id, getSource: () => one.text }));
    }
  };
  const code = new NotebookCode(store, notebook);
  const context = { cell: id, store, code, marks, badges, openWhy };
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [cellMarks(context), cellBadge(context)]
    }),
    parent: document.body
  });
  views.push(view);
  return view;
}

const paint = (): void => void vi.advanceTimersByTime(300);
const inlays = (view: EditorView): string[] =>
  [...view.dom.querySelectorAll('.jtv-inlay')].map(n => n.textContent);
const lit = (view: EditorView): number[] =>
  [...view.dom.querySelectorAll('.cm-line')].flatMap((line, i) =>
    line.classList.contains('jtv-cell-lit') ? [i + 1] : []
  );
const select = (view: EditorView, line: number): void => {
  view.dispatch({
    selection: { anchor: view.state.doc.line(line).from },
    userEvent: 'select.pointer'
  });
  paint();
};

it('marks the cell that ran, not another one with the same text', () => {
  const [a, b] = [open('a'), open('b')];
  expect(inlays(a)).toEqual([]);
  record();
  paint();
  expect(inlays(a)).toEqual(['● f32[3]']);
  expect(inlays(b)).toEqual([]);
  expect(inlays(open('a'))).toEqual(['● f32[3]']);
});

it('marks nothing any more in a text that was edited, until that is undone', () => {
  record();
  const view = open('a');
  const end = view.state.doc.length;
  view.dispatch({ changes: { from: end, insert: '\n' } });
  expect(inlays(view)).toEqual([]);
  view.dispatch({ changes: { from: end, to: end + 1 } });
  expect(inlays(view)).toEqual(['● f32[3]']);
});

it('marks the cell that a function was written in, wherever it was called', () => {
  record({
    cell: cell({ id: 'b', file: 'other.py', checksum: 1 }),
    cells: [cell()]
  });
  expect(inlays(open('a'))).toEqual(['● f32[3]', 'in cell [1]']);
  expect(inlays(open('b'))).toEqual([]);
});

it('finds a cell without an id by its text, if no other has that', () => {
  record({ cell: cell({ id: '' }) });
  expect(inlays(open('a'))).toEqual([]);
  cells = [{ id: 'a', text: TEXT }];
  expect(inlays(open('a'))).toEqual(['● f32[3]']);
});

it('counts lines as the kernel does', () => {
  const text = `\n  \n${TEXT}`;
  cells = [{ id: 'a', text }];
  record({ cell: cell({ checksum: checksum(text) }) });
  const view = open('a', text);
  const line = view.dom.querySelector('.jtv-inlays')?.closest('.cm-line');
  expect(line?.textContent).toBe('def step(x):● f32[3]');
});

it('is turned off and on for all editors', () => {
  record();
  const view = open('a');
  marks.set(false);
  paint();
  expect(inlays(view)).toEqual([]);
  marks.set(true);
  paint();
  expect(inlays(view)).toEqual(['● f32[3]']);
});

it('pins the line of the cursor in all views, and lets go of it on another line', () => {
  record();
  const view = open('a');
  select(view, 3);
  const { selection } = store.session('s1') ?? {};
  expect(selection?.pinned?.places).toEqual([place(3)]);
  expect(lit(view)).toEqual([3]);
  select(view, 5);
  expect(selection?.pinned).toBeNull();
  expect(lit(view)).toEqual([]);
});

it('goes on when a group of the graph was opened', () => {
  record();
  const view = open('a');
  store.openGraph('s1', aGraph(), DEFAULT_DRAWING);
  select(view, 3);
  expect(store.session('s1')?.selection.pinned?.places).toEqual([place(3)]);
  view.contentDOM.dispatchEvent(new MouseEvent('mouseleave'));
  select(view, 3);
  expect(store.session('s1')?.selection.pinned?.places).toEqual([place(3)]);
});

it('lights the line up that something in a view came from', () => {
  record();
  const view = open('a');
  store
    .session('s1')
    ?.selection.toggle({ trace: 'f1#1', box: 'b1', places: [place(3)] });
  paint();
  expect(lit(view)).toEqual([3]);
});

it('lets go of everything when Esc is pressed', () => {
  record();
  const view = open('a');
  select(view, 3);
  const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
  view.contentDOM.dispatchEvent(key);
  expect(store.session('s1')?.selection.pinned).toBeNull();
});

it('leaves alone the editors of cells that a change is not about', () => {
  const view = open('b');
  const { state } = view;
  record();
  paint();
  expect(view.state).toBe(state);
});

it('leaves no subscription behind', () => {
  record();
  open('a').destroy();
  marks.set(false);
  record({ number: 2 });
  expect(vi.getTimerCount()).toBe(0);
});

describe('the badge', () => {
  const badge = (view: EditorView): string | undefined =>
    view.dom.querySelector('.jtv-badge')?.textContent;
  const retraced = {
    tally: { traces: 3, retraces: 2, seconds: 1.9, trace: 'f1#1' }
  };

  it('stands at the cell that was recorded, and stays when its text is edited', () => {
    const [a, b] = [open('a'), open('b')];
    record(retraced);
    paint();
    expect(badge(a)).toBe('↻ 2 retraces · 1.9 s');
    expect(badge(b)).toBeUndefined();
    a.dispatch({ changes: { from: 0, insert: '#' } });
    expect(badge(a)).toBe('↻ 2 retraces · 1.9 s');
  });

  it('follows a cell that is running, and a run without traces', () => {
    const view = open('a');
    record({ tally: { ...retraced.tally, traces: 1, retraces: 0 } });
    paint();
    expect(badge(view)).toBe('● 1 trace · 1.9 s');
    record({ ...retraced, number: 2 });
    paint();
    expect(badge(view)).toBe('↻ 2 retraces · 1.9 s');
    record({ session: 's2', started_at: 2000 });
    paint();
    expect(badge(view)).toBeUndefined();
  });

  it('does not stand where a function was merely written', () => {
    record({
      ...retraced,
      cell: cell({ id: 'b', file: 'other.py', checksum: 1 }),
      cells: [cell()]
    });
    expect(badge(open('a'))).toBeUndefined();
    expect(badge(open('b'))).toBe('↻ 2 retraces · 1.9 s');
  });

  it('leads to the reason', () => {
    record(retraced);
    const view = open('a');
    view.dom.querySelector<HTMLElement>('.jtv-badge button')?.click();
    expect(openWhy.mock.calls[0]?.[0].id).toBe('s1');
  });

  it('is turned off', () => {
    record(retraced);
    const view = open('a');
    badges.set(false);
    paint();
    expect(badge(view)).toBeUndefined();
  });
});
