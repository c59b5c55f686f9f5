import type { JSX } from 'preact';
import { mendVersions } from '../model';
import { Session, SessionStore, Toggle } from '../store';
import type { PanelActions } from './actions';
import { FirstSteps, NextStep } from './first-steps';
import { SessionView } from './session-view';

interface Props {
  /** Null where no notebook is open. */
  readonly store: SessionStore | null;
  readonly actions: PanelActions;
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
  const { otherVersion } = store.connection;
  return (
    <>
      <Controls store={store} shown={session} actions={actions} marks={marks} />
      {otherVersion ? (
        <p class="jtv-note" role="status">
          {mendVersions(otherVersion)}
        </p>
      ) : null}
      {session ? (
        <>
          <NextStep store={store} shown={session} actions={actions} />
          <SessionView key={session.id} session={session} actions={actions} />
        </>
      ) : (
        <FirstSteps store={store} actions={actions} />
      )}
    </>
  );
}

function Controls(props: {
  store: SessionStore;
  shown: Session | null;
  actions: PanelActions;
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
