import type { JSX, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { trans, titleOf } from '../../model';
import type { Arranged, SessionStore, Toggle } from '../../store';
import type { PanelActions } from '../actions';
import { IconButton } from '../icon';
import { Export } from './export';

interface Props {
  readonly store: SessionStore;
  readonly actions: PanelActions;
  readonly marks: Toggle | null;
  readonly arranged: Arranged;
}

/** What can be done with the recordings of a notebook. */
export function Toolbar(props: Props): JSX.Element {
  const { store, actions } = props;
  const { shown } = store;
  const [exporting, setExporting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && exporting) {
      event.stopPropagation();
      setExporting(false);
      button.current?.focus();
    }
  };
  return (
    <>
      <div onKeyDown={onKeyDown}>
        <Tools
          {...props}
          exporting={exporting}
          exportButton={button}
          toggleExport={() => setExporting(!exporting)}
        />
        {exporting && shown ? (
          <Export key={shown.id} session={shown} actions={actions} />
        ) : null}
      </div>
      <Switches {...props} />
      {store.isPaused ? (
        <p class="jtv-note jtv-paused" aria-live="polite">
          {store.hasWaiting
            ? trans.__('The view is paused; something new was recorded.')
            : trans.__('The view is paused.')}
        </p>
      ) : null}
    </>
  );
}

function Tools(
  props: Props & {
    exporting: boolean;
    exportButton: RefObject<HTMLButtonElement>;
    toggleExport: () => void;
  }
): JSX.Element {
  const { store, actions, arranged } = props;
  const { exporting, exportButton, toggleExport } = props;
  const { isPaused, sessions } = store;
  const { help } = arranged.now;
  return (
    <div class="jtv-tools" role="group" aria-label={trans.__('JAX Trace')}>
      <BackAndForward store={store} />
      <span class="jtv-tools-gap" />
      <IconButton
        icon={isPaused ? 'play' : 'pause'}
        words={
          isPaused
            ? trans.__('Go on with the view')
            : trans.__('Pause the view; recording goes on')
        }
        action={() => store.pause(!isPaused)}
        pressed={isPaused}
      />
      <IconButton
        icon="clear"
        words={trans.__(
          'Clear: take the recordings out of this panel. Cells keep theirs.'
        )}
        action={sessions.length > 0 ? () => store.clear() : null}
      />
      <IconButton
        nodeRef={exportButton}
        icon="export"
        words={trans.__('Export this recording')}
        action={store.shown ? toggleExport : null}
        expanded={exporting}
      />
      {actions.openSettings ? (
        <IconButton
          icon="settings"
          words={trans.__('Settings')}
          action={actions.openSettings}
        />
      ) : null}
      <IconButton
        icon="help"
        words={trans.__('Keys, signs and words (?)')}
        action={() => arranged.set({ help: !help })}
        expanded={help}
      />
    </div>
  );
}

function BackAndForward({ store }: { store: SessionStore }): JSX.Element {
  const { canGoBack, canGoForward } = store.viewing.history;
  return (
    <>
      <IconButton
        icon="back"
        words={trans.__('Back to what was shown before (Alt+Left)')}
        action={canGoBack ? () => store.go('back') : null}
      />
      <IconButton
        icon="forward"
        words={trans.__('Forward again (Alt+Right)')}
        action={canGoForward ? () => store.go('forward') : null}
      />
    </>
  );
}

/** Which recording is shown, and what is on. */
function Switches({ store, actions, marks }: Props): JSX.Element {
  const { status, recording } = store.connection;
  const { record } = actions;
  return (
    <div class="jtv-controls">
      {store.sessions.length > 1 ? (
        <label>
          <span class="jtv-spoken">{trans.__('Recording')}</span>
          <select
            value={store.shown?.id}
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
        {trans.__('Record all cells')}
      </label>
      {marks ? (
        <label class="jtv-toggle">
          <input
            type="checkbox"
            checked={marks.on}
            onChange={event => marks.set(event.currentTarget.checked)}
          />
          {trans.__('Marks in cells')}
        </label>
      ) : null}
    </div>
  );
}
