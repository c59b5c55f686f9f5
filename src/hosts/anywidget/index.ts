import type { AnyModel, RenderProps } from '@anywidget/types';
import argumentsCss from '../../../style/arguments.css';
import baseCss from '../../../style/base.css';
import codeCss from '../../../style/code.css';
import diffCss from '../../../style/diff.css';
import graphColoursCss from '../../../style/graph-colours.css';
import graphToolsCss from '../../../style/graph-tools.css';
import functionsCss from '../../../style/functions.css';
import graphCss from '../../../style/graph.css';
import headerCss from '../../../style/header.css';
import helpCss from '../../../style/help.css';
import tabsCss from '../../../style/tabs.css';
import timelineCss from '../../../style/timeline.css';
import variablesCss from '../../../style/variables.css';
import { Answer, parseAnswer, parseUpdate } from '../../protocol';
import { Question, Questions, SessionStore } from '../../store';
import { Actions, downloadFile, mountSession } from '../../views';
import { followBackdrop } from './theme';

interface WidgetState {
  /** A complete `Update`, or an empty object as long as nothing was recorded. */
  update: unknown;
}

const STYLE = [
  variablesCss,
  baseCss,
  headerCss,
  functionsCss,
  tabsCss,
  helpCss,
  codeCss,
  graphColoursCss,
  graphCss,
  graphToolsCss,
  timelineCss,
  argumentsCss,
  diffCss
].join('\n');

/** The views of one session, where JupyterLab's extension cannot be: VS Code, Colab, marimo. */
function render({ model, el }: RenderProps<WidgetState>): () => void {
  const style = document.createElement('style');
  style.textContent = STYLE;
  const node = document.createElement('div');
  el.append(style, node);

  const store = new SessionStore();
  const requests = new WidgetRequests(model);
  const actions = actionsOf(
    new Questions(
      store,
      question => requests.ask(question),
      () => true
    )
  );

  let shown: string | null = null;
  let unmount = (): void => undefined;
  const read = (): void => {
    const update = parseUpdate(model.get('update'));
    if (update) {
      const session = store.put(update, 'kernel');
      if (session.id !== shown) {
        unmount();
        shown = session.id;
        unmount = mountSession(node, { store, session, actions });
      }
    }
  };
  model.on('change:update', read);
  read();
  const stopFollowing = followBackdrop(node);
  return () => {
    stopFollowing();
    model.off('change:update', read);
    requests.dispose();
    unmount();
  };
}

/** What a widget can do: it is of one session, and cannot reach the notebook around it. */
function actionsOf(questions: Questions): Actions {
  return {
    openGraph: (...request) => questions.openGraph(...request),
    foreseeGraph: (...request) => questions.foreseeGraph(...request),
    openPicture: (...request) => questions.openPicture(...request),
    compare: (...request) => questions.compare(...request),
    searchGraph: (...request) => questions.searchGraph(...request),
    record: null,
    reveal: null,
    others: null,
    saveFile: downloadFile
  };
}

/** Asks the widget's Python side. */
class WidgetRequests {
  constructor(private readonly _model: AnyModel<WidgetState>) {
    _model.on('msg:custom', this._receive);
  }

  ask(question: Question): Promise<Answer> {
    const id = (this._lastId += 1);
    return new Promise((resolve, reject) => {
      this._pending.set(id, answer => {
        if (answer.error === null) {
          resolve(answer);
        } else {
          reject(new Error(answer.error));
        }
      });
      this._model.send({ request: { ...question, id } });
    });
  }

  dispose(): void {
    this._model.off('msg:custom', this._receive);
  }

  private readonly _receive = (message: { answer?: unknown }): void => {
    const answer = parseAnswer(message.answer);
    const take = answer && this._pending.get(answer.id);
    if (take) {
      this._pending.delete(answer.id);
      take(answer);
    }
  };

  private readonly _pending = new Map<number, (answer: Answer) => void>();
  private _lastId = 0;
}

export default { render };
