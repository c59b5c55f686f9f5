import type { ComponentChildren, JSX } from 'preact';
import { trans } from '../model';
import type { Session, SessionStore } from '../store';
import type { PanelActions } from './actions';
import { useAsking } from './asking';
import { Empty } from './empty';

interface Props {
  readonly store: SessionStore;
  readonly actions: PanelActions;
}

/** What to do where nothing has been recorded yet. */
export function FirstSteps({ store, actions }: Props): JSX.Element | null {
  switch (store.connection.status) {
    case 'none':
      return (
        <Step words={trans.__('There is no kernel.')}>
          <Button
            words={trans.__('Choose a kernel')}
            action={actions.findKernel}
          />
        </Step>
      );
    case 'foreign':
      return (
        <Step
          words={trans.__(
            'The kernel does not run Python, so there is no JAX in it.'
          )}
        >
          <Button
            words={trans.__('Choose another kernel')}
            action={actions.findKernel}
          />
        </Step>
      );
    case 'dead':
      return (
        <Step words={trans.__('The kernel is gone.')}>
          <Button
            words={trans.__('Restart the kernel')}
            action={actions.findKernel}
          />
        </Step>
      );
    case 'asking':
      return <Step words={trans.__('Asking the kernel…')} />;
    case 'absent':
      return (
        <Step words={trans.__('The kernel has not loaded jax_trace_viz.')}>
          <Load actions={actions} />
          <Empty words={trans.__('Or run it in a cell yourself:')}>
            <pre>%load_ext jax_trace_viz</pre>
          </Empty>
        </Step>
      );
    case 'unreadable':
      return null;
    case 'connected':
      return <Connected store={store} actions={actions} />;
  }
}

function Connected({ store, actions }: Props): JSX.Element {
  return store.connection.recording ? (
    <Step words={trans.__('Nothing recorded yet.')}>
      <Button
        words={trans.__('Insert an example')}
        action={actions.insertExample}
      />
      <p>{trans.__('Run a cell that calls a jitted function.')}</p>
    </Step>
  ) : (
    <Step words={trans.__('Nothing recorded yet.')}>
      <Record actions={actions} />
      <Button
        words={trans.__('Insert %%%%jaxtrace in this cell')}
        action={actions.insertMagic}
      />
      <Button
        words={trans.__('Insert an example')}
        action={actions.insertExample}
      />
      <p>
        <code>%%jaxtrace</code>{' '}
        {trans.__(
          'on its first line records one cell. Run one that calls a jitted function: you will see how often it was traced, why, and its graph.'
        )}
      </p>
    </Step>
  );
}

/** What to do where a recording is shown, but no kernel is behind it. */
export function WithoutKernel({ store, actions }: Props): JSX.Element | null {
  switch (store.connection.status) {
    case 'absent':
      return (
        <Note
          words={trans.__(
            'The kernel has not loaded jax_trace_viz: this is what the notebook holds.'
          )}
        >
          <Load actions={actions} />
        </Note>
      );
    case 'none':
      return (
        <Note
          words={trans.__(
            'There is no kernel: this is what was recorded before.'
          )}
        >
          <Button
            words={trans.__('Choose a kernel')}
            action={actions.findKernel}
          />
        </Note>
      );
    case 'dead':
      return (
        <Note
          words={trans.__(
            'The kernel is gone: this is what was recorded before.'
          )}
        >
          <Button
            words={trans.__('Restart the kernel')}
            action={actions.findKernel}
          />
        </Note>
      );
    default:
      return null;
  }
}

/** What to do where there is little in the recording that is shown. */
export function NextRecording(
  props: Props & { readonly shown: Session }
): JSX.Element | null {
  const { store, shown, actions } = props;
  const { status, recording } = store.connection;
  return status === 'connected' && !recording && ranNothing(shown) ? (
    <Note words={trans.__('Is it another cell that calls the function?')}>
      <Record actions={actions} />
    </Note>
  ) : null;
}

/** Whether the recording ended without a jitted function of the user's, as far as that can be told. */
function ranNothing({ recording }: Session): boolean {
  const { state, environment } = recording.newest;
  return (
    state !== 'running' &&
    !environment.limited.includes('staging') &&
    recording.functions.records.every(fn => fn.origin === 'library')
  );
}

function Step(props: {
  words: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="jtv-steps">
      <p class="jtv-verdict" role="status">
        {props.words}
      </p>
      {props.children}
    </div>
  );
}

function Note(props: {
  words: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="jtv-steps">
      <p class="jtv-note">{props.words}</p>
      {props.children}
    </div>
  );
}

function Record({ actions }: Pick<Props, 'actions'>): JSX.Element {
  const { record } = actions;
  return (
    <Button
      words={trans.__('Record all cells')}
      action={record && (() => record(true))}
      first
    />
  );
}

/** Loads the package, and says how that goes. */
function Load({ actions }: Pick<Props, 'actions'>): JSX.Element | null {
  const { load } = actions;
  const { busy, words, ask } = useAsking();
  return (
    <>
      <Button
        words={
          busy
            ? trans.__('Waiting for the kernel…')
            : trans.__('Load it and record all cells')
        }
        action={load && (() => ask(load))}
        disabled={busy}
        first
      />
      {words ? (
        <p class="jtv-error" role="alert">
          {words}
        </p>
      ) : null}
    </>
  );
}

/** Nothing where the host has no such action. */
function Button(props: {
  words: string;
  action: (() => void) | null;
  disabled?: boolean;
  /** Whether this is what most people want. */
  first?: boolean;
}): JSX.Element | null {
  const { words, action, disabled = false, first = false } = props;
  return action ? (
    <button
      type="button"
      class={`jtv-button${first ? ' jtv-button-first' : ''}`}
      disabled={disabled}
      onClick={action}
    >
      {words}
    </button>
  ) : null;
}
