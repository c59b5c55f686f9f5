import type { JSX } from 'preact';
import {
  Focus,
  fileName,
  graphOf,
  isAgain,
  pngOf,
  svgFile,
  traceTitle,
  untracedWords,
  trans
} from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { useAsking } from './asking';
import { Progress } from './progress';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly actions: Actions;
}

/** Says which function and trace the views below show, and lets one choose another trace. */
export function TraceBar(props: Props): JSX.Element | null {
  const { session, focus } = props;
  const { function: fn, traces, trace } = focus;
  if (!fn) {
    return null;
  }
  return (
    <div class="jtv-trace-bar">
      <code class="jtv-function-name">{fn.name}</code>
      {trace ? (
        <label>
          <span class="jtv-spoken">{trans.__('Trace')}</span>
          <select
            value={trace.id}
            onChange={event =>
              session.selection.show(fn.id, event.currentTarget.value)
            }
          >
            {traces.map(t => (
              <option key={t.id} value={t.id}>
                {traceTitle(fn.name, t)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <span class="jtv-note">{untracedWords(fn)}</span>
      )}
      {trace && isAgain(trace.reasons) ? (
        <button
          type="button"
          class="jtv-link"
          onClick={() => session.selection.askWhy(fn.id, trace.id)}
        >
          {trans.__('Why?')}
        </button>
      ) : null}
      <SaveButtons {...props} />
    </div>
  );
}

/** Saves the picture as it is open now. */
function SaveButtons({ session, focus, actions }: Props): JSX.Element {
  const graph = focus.trace && graphOf(session, focus.trace.id);
  const asking = useAsking();
  const name = fileName(graph?.name ?? '');
  const saveSvg = (): void => {
    if (graph) {
      actions.saveFile(`${name}.svg`, 'image/svg+xml', svgFile(graph));
    }
  };
  const savePng = (): void => {
    if (graph) {
      asking.ask(async signal => {
        const png = await pngOf(svgFile(graph));
        if (!signal.aborted) {
          actions.saveFile(`${name}.png`, 'image/png', png);
        }
      });
    }
  };
  return (
    <>
      {asking.busy || asking.words ? (
        <Progress asking={asking} doing={trans.__('Drawing the image…')} />
      ) : null}
      <div class="jtv-buttons">
        <button type="button" disabled={!graph} onClick={saveSvg}>
          {trans.__('Save SVG')}
        </button>
        <button type="button" disabled={!graph} onClick={savePng}>
          {trans.__('Save PNG')}
        </button>
      </div>
    </>
  );
}
