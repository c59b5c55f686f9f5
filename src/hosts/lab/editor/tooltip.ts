import { EditorView, hoverTooltip } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import {
  Form,
  NameMark,
  byteColumn,
  expressionWords,
  formWords,
  textOf,
  trans
} from '../../../model';
import type { Expression } from '../../../protocol';
import type { SessionStore } from '../../../store';
import type { CellView } from './cell-view';

/** Longer lists are cut, and say so. */
const MOST = 8;

/** Shows a trace in all views. */
type Choose = (trace: string) => void;

/**
 * Tells at the end of a marked line, and on the names in it, all that is known of them. Marks are those of all traces; each
 * of these can be chosen.
 */
export function markTooltip(
  viewOf: (view: EditorView) => CellView,
  store: SessionStore
): Extension {
  return hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position);
    const choose: Choose = trace => {
      viewOf(view).show(line.number, trace, store);
    };
    const marked = viewOf(view).lineAt(line.number);
    const word = view.state.wordAt(position);
    const name = word && view.state.sliceDoc(word.from, word.to);
    const atEnd = position === line.to;
    const marks = (marked?.marks ?? []).filter(
      mark => atEnd || mark.name === name
    );
    const notes = atEnd ? (marked?.notes ?? []) : [];
    const error = atEnd ? (marked?.error ?? '') : '';
    const column = byteColumn(line.text, position - line.from);
    const expressions = atEnd
      ? []
      : viewOf(view).expressionsAt(line.number, column);
    return marks.length + notes.length + expressions.length === 0 && !error
      ? null
      : {
          pos: atEnd ? line.to : (word?.from ?? position),
          above: true,
          create: () => ({
            dom: draw([
              ...marks.map(mark => drawMark(mark, choose)),
              ...notes.map(({ text, title }) =>
                paragraph('', `${text}: ${title}`)
              ),
              ...drawExpressions(expressions, line.text),
              ...(error ? [paragraph('jtv-tooltip-error', `✕ ${error}`)] : [])
            ])
          })
        };
  });
}

function draw(parts: readonly HTMLElement[]): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'jtv-tooltip jtv-colours';
  dom.append(...parts);
  return dom;
}

/** What an expression staged, in each phase, under its own text. */
function drawExpressions(
  phases: readonly Expression[],
  line: string
): HTMLElement[] {
  const [first] = phases;
  if (!first) {
    return [];
  }
  const node = document.createElement('div');
  if (first.line === first.end_line) {
    node.append(paragraph('jtv-tooltip-name', textOf(first, line)));
  }
  node.append(...phases.map(one => paragraph('', expressionWords(one))));
  return [node];
}

function drawMark({ name, forms }: NameMark, choose: Choose): HTMLElement {
  const node = document.createElement('div');
  node.append(paragraph('jtv-tooltip-name', name));
  for (const form of forms.slice(0, MOST)) {
    const line = paragraph(`jtv-tone-${form.sign.tone}`, '');
    const glyph = document.createElement('span');
    glyph.className = 'jtv-glyph';
    glyph.textContent = form.sign.glyph;
    line.append(glyph, ` ${formWords(form)} `, tracesOf(form, choose));
    node.append(line, ...form.details.map(text => paragraph('', text)));
  }
  if (forms.length > MOST) {
    node.append(paragraph('', trans.__('and %1 more', forms.length - MOST)));
  }
  return node;
}

/** `in trace #1`, `in traces #1, #2 and 3 more`. */
function tracesOf({ traces }: Form, choose: Choose): HTMLElement {
  const node = document.createElement('span');
  node.className = 'jtv-quiet';
  node.append(
    `${traces.length > 1 ? trans.__('in traces') : trans.__('in trace')} `
  );
  traces.slice(0, MOST).forEach((trace, i) => {
    node.append(i > 0 ? ', ' : '', traceButton(trace, choose));
  });
  const more = traces.length - MOST;
  node.append(more > 0 ? ` ${trans.__('and %1 more', more)}` : '');
  return node;
}

function traceButton(trace: string, choose: Choose): HTMLElement {
  const node = document.createElement('button');
  node.type = 'button';
  node.className = 'jtv-tooltip-trace';
  node.textContent = trace.slice(trace.lastIndexOf('#'));
  node.title = trans.__('Show this trace');
  node.addEventListener('click', () => {
    choose(trace);
  });
  return node;
}

function paragraph(name: string, text: string): HTMLElement {
  const node = document.createElement('p');
  node.className = name;
  node.textContent = text;
  return node;
}
