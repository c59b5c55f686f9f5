import type { EditorState } from '@codemirror/state';
import {
  MarkedFunction,
  MarkedLine,
  RanCode,
  expressionsAt,
  functionAt,
  markedFunctions,
  markedIn,
  stagedLines,
  traceThrough
} from '../../../model';
import type { Expression, FunctionRecord, Place } from '../../../protocol';
import {
  Session,
  SessionStore,
  Target,
  Toggle,
  lightsPlace
} from '../../../store';
import { blankLinesAbove } from '../notebook';
import type { NotebookCode } from './notebook-code';

/** What the extension of one cell's editor works with. */
export interface CellContext {
  readonly cell: string;
  readonly store: SessionStore;
  readonly code: NotebookCode;
  /** Whether marks are shown. */
  readonly marks: Toggle;
  /** Whether badges are shown. */
  readonly badges: Toggle;
  /** Shows why a session traced what it traced. */
  readonly openWhy: (session: Session) => void;
}

/** What a cell shows at one moment. Lines are those of the editor, from 1. */
export class CellView {
  static readonly EMPTY = new CellView([], 0);

  /**
   * @param _ran - the sessions in which the cell's text ran, the newest last.
   * @param _above - lines of the editor above the first one that the kernel counts.
   */
  constructor(
    private readonly _ran: readonly RanCode[],
    private readonly _above: number
  ) {
    this._functions = markedFunctions(_ran);
    this._staged = _ran.map(code => ({
      code,
      lines: stagedLines(code.session, code.file)
    }));
  }

  /** Reads it from the store: nothing, as long as the text is not the one that ran. */
  static read(context: CellContext, state: EditorState): CellView {
    const { cell, code, marks } = context;
    const text = (): string => state.doc.toString();
    const ran = marks.on ? code.ranIn(cell, text) : [];
    return ran.length === 0
      ? CellView.EMPTY
      : new CellView(ran, blankLinesAbove(text()));
  }

  get isEmpty(): boolean {
    return this._ran.length === 0;
  }

  get sessions(): Session[] {
    return this._ran.map(({ session }) => session);
  }

  /** What a line tells: of the innermost function, else of one that failed there. */
  lineAt(line: number): MarkedLine | null {
    const at = line - this._above;
    const inner = functionAt(this._functions, at)?.lines.get(at);
    const others = this._functions.flatMap(({ lines }) => lines.get(at) ?? []);
    return inner ?? others[0] ?? null;
  }

  /** The innermost expression at a place; `column` counts UTF-8 bytes. */
  expressionsAt(line: number, column: number): readonly Expression[] {
    const at = line - this._above;
    const marked = functionAt(this._functions, at);
    return marked ? expressionsAt(marked.expressions, at, column) : [];
  }

  /** Whether something pinned or pointed at in a view came from a line. */
  isLit(line: number): boolean {
    return this._ran.some(({ session, file }) =>
      lightsPlace(session.selection.target, { file, line: line - this._above })
    );
  }

  /** Whether a line has something to light up in the views. */
  isTraced(line: number): boolean {
    return this._sourceOf(line) !== null;
  }

  /** Lights a line up in all views; with null, what was lit before no more. */
  hover(line: number | null, store: SessionStore): void {
    const source = line === null ? null : this._sourceOf(line, store.shown);
    for (const session of this.sessions) {
      const own =
        source?.session.id === session.id ? targetAt(source.place) : null;
      session.selection.hover(own);
    }
  }

  /** Shows in all views what came from a line; another line of the cell lets go of it. */
  pin(line: number, store: SessionStore): void {
    const source = this._sourceOf(line, store.shown);
    for (const { session, file } of this._ran) {
      const { pinned } = session.selection;
      const held = pinned?.places.some(place => place.file === file) ?? false;
      if (held && session.id !== source?.session.id) {
        session.selection.pin(null);
      }
    }
    if (source) {
      const { session, fn, place } = source;
      const trace = traceThrough(session, fn, place);
      if (trace) {
        session.selection.show(trace.function, trace.id);
      }
      session.selection.pin(targetAt(place));
      store.show(session.id);
    }
  }

  /** Shows one trace of a line's function in all views. */
  show(line: number, trace: string, store: SessionStore): void {
    const source = this._sourceOf(line);
    if (source?.fn) {
      store.showTrace(source.session, source.fn.id, trace);
    }
  }

  /**
   * The session that tells of a line, and what the kernel calls the line.
   *
   * @param shown - counts first, where it traced the line: views of the whole notebook stay with it.
   */
  private _sourceOf(
    line: number,
    shown: Session | null = null
  ): LineSource | null {
    const at = line - this._above;
    const looked = this._ran.find(({ session }) => session.id === shown?.id);
    const marked =
      (looked && functionAt(markedIn(looked), at)) ??
      functionAt(this._functions, at);
    if (marked) {
      const { session, fn } = marked;
      return { session, fn, place: { file: fn.file ?? '', line: at } };
    }
    const staged = this._staged.filter(({ lines }) => lines.has(at)).pop();
    return (
      (staged && {
        session: staged.code.session,
        fn: null,
        place: { file: staged.code.file, line: at }
      }) ??
      null
    );
  }

  private readonly _functions: readonly MarkedFunction[];
  private readonly _staged: readonly {
    readonly code: RanCode;
    readonly lines: ReadonlySet<number>;
  }[];
}

interface LineSource {
  readonly session: Session;
  readonly fn: FunctionRecord | null;
  readonly place: Place;
}

function targetAt(place: Place): Target {
  return { trace: null, box: null, places: [place] };
}
