import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  Focus,
  graphOf,
  isAgain,
  pngOf,
  svgFile,
  traceTitle,
  untracedWords
} from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';

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
          <span class="jtv-spoken">Trace</span>
          <select
            value={trace.id}
            onChange={event =>
              session.selection.show(fn.id, event.currentTarget.value)
            }
          >
            {traces.map(t => (
              <option key={t.id} value={t.id}>
                {traceTitle(t)}
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
          Why?
        </button>
      ) : null}
      <SaveButtons {...props} />
    </div>
  );
}

/** Saves the picture as it is open now. */
function SaveButtons({ session, focus, actions }: Props): JSX.Element {
  const graph = focus.trace && graphOf(session, focus.trace.id);
  const [fault, setFault] = useState('');
  const name = graph?.name.replace(/[^\w.-]+/g, '_') ?? '';
  const saveSvg = (): void => {
    if (graph) {
      actions.saveFile(`${name}.svg`, 'image/svg+xml', svgFile(graph));
    }
  };
  const savePng = (): void => {
    if (graph) {
      setFault('');
      pngOf(svgFile(graph)).then(
        png => actions.saveFile(`${name}.png`, 'image/png', png),
        () => setFault('This browser cannot make a PNG of the graph.')
      );
    }
  };
  return (
    <>
      {fault ? <span class="jtv-note">{fault}</span> : null}
      <div class="jtv-buttons">
        <button type="button" disabled={!graph} onClick={saveSvg}>
          Save SVG
        </button>
        <button type="button" disabled={!graph} onClick={savePng}>
          Save PNG
        </button>
      </div>
    </>
  );
}
