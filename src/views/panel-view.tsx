import type { JSX } from 'preact';
import { Session, SessionStore, Toggle } from '../store';
import type { Actions } from './actions';
import { Empty } from './empty';
import { SessionView } from './session-view';

interface Props {
  /** Null where no notebook is open. */
  readonly store: SessionStore | null;
  readonly actions: Actions;
  /** Whether cells show marks; null where they cannot. */
  readonly marks: Toggle | null;
}

/** The sidebar: the newest session of the current notebook, or the one chosen. */
export function PanelView({ store, actions, marks }: Props): JSX.Element {
  if (!store) {
    return (
      <p class="jtv-verdict" role="status">
        Open a notebook to see its traces.
      </p>
    );
  }
  const session = store.shown;
  return (
    <>
      <Controls store={store} shown={session} actions={actions} marks={marks} />
      {session ? (
        <SessionView key={session.id} session={session} actions={actions} />
      ) : (
        <NothingRecorded store={store} />
      )}
    </>
  );
}

function Controls(props: {
  store: SessionStore;
  shown: Session | null;
  actions: Actions;
  marks: Toggle | null;
}): JSX.Element {
  const { store, shown, actions, marks } = props;
  const { status, recording } = store.connection;
  const { record } = actions;
  return (
    <div class="jtv-controls">
      {store.sessions.length > 1 ? (
        <label>
          <span class="jtv-spoken">Recording</span>
          <select
            value={shown?.id}
            onChange={event => store.show(event.currentTarget.value)}
          >
            {[...store.sessions].reverse().map(session => (
              <option key={session.id} value={session.id}>
                {titleOf(session)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <label class="jtv-toggle">
        <input
          type="checkbox"
          checked={recording}
          disabled={!record || status !== 'connected'}
          onChange={event => record?.(event.currentTarget.checked)}
        />
        Record all cells
      </label>
      {marks ? (
        <label class="jtv-toggle">
          <input
            type="checkbox"
            checked={marks.on}
            onChange={event => marks.set(event.currentTarget.checked)}
          />
          Marks in cells
        </label>
      ) : null}
      {shown && status === 'absent' ? (
        <p class="jtv-note">
          The kernel has not loaded jax_trace_viz: this is what the notebook
          holds. Run <code>%load_ext jax_trace_viz</code> to record more.
        </p>
      ) : null}
    </div>
  );
}

function titleOf({ recording }: Session): string {
  const { cell, started_at: startedAt } = recording.newest;
  const time = new Date(1000 * startedAt).toLocaleTimeString();
  return cell.execution_count === null
    ? time
    : `cell [${cell.execution_count}] · ${time}`;
}

/** What to do first, depending on what is missing. */
function NothingRecorded({ store }: { store: SessionStore }): JSX.Element {
  switch (store.connection.status) {
    case 'none':
      return <Status words="This notebook has no Python kernel." />;
    case 'asking':
      return <Status words="Asking the kernel…" />;
    case 'absent':
      return (
        <>
          <Status words="The kernel has not loaded jax_trace_viz." />
          <Empty words="Run this in a cell to begin:">
            <pre>%load_ext jax_trace_viz</pre>
          </Empty>
        </>
      );
    case 'connected':
      return (
        <>
          <Status words="Nothing recorded yet." />
          <Empty words="Put this at the top of a cell that calls a jitted function:">
            <pre>%%jaxtrace</pre>
            <p>
              You will see how often each function was traced, why, and its
              graph.
            </p>
          </Empty>
        </>
      );
  }
}

function Status({ words }: { words: string }): JSX.Element {
  return (
    <p class="jtv-verdict" role="status">
      {words}
    </p>
  );
}
