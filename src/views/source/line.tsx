import type { JSX } from 'preact';
import {
  FAILED,
  LineNames,
  NameMark,
  STALE,
  SourceLine,
  expressionsOn,
  formWords,
  holderTag,
  markSign,
  markWords,
  piecesOf,
  typeWords,
  trans
} from '../../model';
import type { Annotation, Expression } from '../../protocol';
import type { Selection } from '../../store';
import { Glyph } from '../glyph';
import { LineNumber } from '../gutter';
import { selectsText } from '../reveal';

interface LineProps {
  readonly line: SourceLine;
  readonly names: LineNames;
  /** Those of the function that staged equations. */
  readonly expressions: readonly Expression[];
  readonly indent: number;
  readonly trace: string | null;
  readonly selection: Selection;
  readonly lit: boolean;
  readonly pinned: boolean;
  readonly stop: boolean;
  readonly nodeRef: (node: Element | null) => void;
}

/** One line; a click pins it, in all views. */
export function Line(props: LineProps): JSX.Element {
  const { line, names, trace, selection, lit, pinned, stop, nodeRef } = props;
  const target = { trace, box: null, places: [line.place] };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      selection.toggle(target);
    }
  };
  return (
    <div
      ref={nodeRef}
      class={`jtv-line${lit ? ' jtv-lit' : ''}${line.running ? ' jtv-running' : ''}${line.error ? ' jtv-failed' : ''}${line.skipped ? ' jtv-skipped' : ''}`}
      role="option"
      aria-selected={pinned}
      tabIndex={stop ? 0 : -1}
      onMouseEnter={() => selection.hover(target)}
      onClick={() => selectsText() || selection.toggle(target)}
      onKeyDown={onKeyDown}
    >
      <LineNumber place={line.place} names={names} />
      <span class="jtv-content">
        <span class="jtv-text">
          <Code {...props} />
        </span>
        <LineNotes line={line} />
        {pinned ? <Staged {...props} /> : null}
      </span>
    </div>
  );
}

/** The text; pointing at an expression tells what it staged. */
function Code({ line, expressions, indent }: LineProps): JSX.Element {
  const pieces = piecesOf(line.tokens, expressions, line.place.line, indent);
  return (
    <>
      {pieces.map(({ kind, text, staged }, i) => (
        <span
          key={i}
          class={`jtv-token-${kind}${staged === null ? '' : ' jtv-staged'}`}
          title={staged ?? undefined}
        >
          {text}
        </span>
      ))}
    </>
  );
}

/** What the expressions of a pinned line staged, one by one. */
function Staged({ line, expressions, indent }: LineProps): JSX.Element | null {
  const text =
    ' '.repeat(indent) + line.tokens.map(token => token.text).join('');
  const found = expressionsOn(expressions, line.place, text);
  return found.length === 0 ? null : (
    <span class="jtv-expressions">
      {found.map((one, i) => (
        <span key={i} class="jtv-expression">
          <code>{one.text}</code>
          {one.words}
        </span>
      ))}
    </span>
  );
}

function LineNotes({ line }: { line: SourceLine }): JSX.Element {
  return (
    <span class="jtv-marks">
      {line.marks.map(mark => (
        <Mark key={`${mark.name} ${mark.binding}`} mark={mark} />
      ))}
      {line.baked.map(mark => (
        <BakedIn key={mark.name} mark={mark} />
      ))}
      {line.notes.map(({ kind, text, title }) => (
        <span
          key={text}
          class={kind === 'stale' ? 'jtv-error' : 'jtv-runs'}
          title={title}
        >
          {kind === 'stale' ? <Glyph sign={STALE} /> : null}
          {text}
        </span>
      ))}
      {line.runs > 1 && line.notes.length === 0 ? (
        <span
          class="jtv-runs"
          title={trans.__('How often this line ran in this trace')}
        >
          {trans.__('ran %1×', line.runs)}
        </span>
      ) : null}
      {line.running ? (
        <span class="jtv-runs">{trans.__('tracing here')}</span>
      ) : null}
      {line.error ? (
        <span class="jtv-error">
          <Glyph sign={FAILED} />
          {line.error}
        </span>
      ) : null}
    </span>
  );
}

/** `w ◆ 4 MB`: an array, or a plain value that was read from outside. */
function BakedIn({ mark }: { mark: NameMark }): JSX.Element {
  const [form] = mark.forms;
  return (
    <span
      class={`jtv-mark jtv-tone-${form.sign.tone}`}
      title={`${mark.name}: ${formWords(form)}`}
    >
      <span class="jtv-name">{mark.name}</span>
      <Glyph sign={form.sign} />
      <code>{form.text}</code>
    </span>
  );
}

/** `lr ■ 0.1` for what is static, `h ● f32[8,4]` for what is traced. */
function Mark({ mark }: { mark: Annotation }): JSX.Element {
  const sign = markSign(mark.status);
  const shown = mark.value ?? typeWords(mark);
  const tag = holderTag(mark.tracers);
  return (
    <span
      class={`jtv-mark jtv-tone-${sign.tone}`}
      title={`${mark.name}: ${markWords(mark)}`}
    >
      <span class="jtv-name">{mark.name}</span>
      <Glyph sign={sign} />
      <code>{tag ? `${shown} · ${tag}` : shown}</code>
    </span>
  );
}
