import type { JSX } from 'preact';
import { Focus, graphOf, isAgain, svgFile, traceTitle } from '../model';
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
        <span class="jtv-note">not traced: every call was a cache hit ✓</span>
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
      <SaveButton {...props} />
    </div>
  );
}

function SaveButton({ session, focus, actions }: Props): JSX.Element {
  const graph = focus.trace && graphOf(session, focus.trace.id);
  return (
    <button
      type="button"
      class="jtv-button"
      disabled={!graph}
      onClick={() => {
        if (graph) {
          const name = `${graph.name.replace(/[^\w.-]+/g, '_')}.svg`;
          actions.saveFile(name, 'image/svg+xml', svgFile(graph));
        }
      }}
    >
      Save SVG
    </button>
  );
}
