import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { focusOf, mendVersions, stackOf, trans } from '../model';
import type { Update } from '../protocol';
import { Arranged, Session, SessionStore, Toggle } from '../store';
import type { PanelActions } from './actions';
import { Findings } from './findings';
import { FirstSteps, NextRecording, WithoutKernel } from './first-steps';
import { ArrangedContext } from './panel/arranged';
import { BakedInList, bakedInNote } from './panel/baked-in';
import { Functions, functionsNote } from './panel/functions';
import { Asked, Help } from './panel/help';
import { Section } from './panel/section';
import { Sessions } from './panel/sessions';
import { Stack } from './panel/stack';
import { Strip } from './panel/strip';
import { Toolbar } from './panel/toolbar';
import { NothingYet, TraceViews, useLettingGo } from './session-view';
import { OpenWord } from './term';
import { TracedBefore } from './traced-before';
import { Verdict } from './verdict';

interface Props {
  /** Null where no notebook is open. */
  readonly store: SessionStore | null;
  readonly actions: PanelActions;
  /** Whether cells show marks; null where they cannot. */
  readonly marks: Toggle | null;
  readonly arranged: Arranged;
}

/** The sidebar: the newest session of the current notebook, or the one chosen. */
export function PanelView(props: Props): JSX.Element {
  const { store, actions, arranged } = props;
  if (!store) {
    return (
      <p class="jtv-verdict" role="status">
        {trans.__('Open a notebook or a console to see its traces.')}
      </p>
    );
  }
  const session = store.shown;
  const { otherVersion } = store.connection;
  return (
    <ArrangedContext.Provider value={arranged}>
      <h2 class="jtv-spoken">{trans.__('JAX Trace')}</h2>
      <Toolbar {...props} store={store} />
      <WithHelp arranged={arranged}>
        {otherVersion ? (
          <p class="jtv-note" role="status">
            {mendVersions(otherVersion)}
          </p>
        ) : null}
        {session ? (
          <Shown
            store={store}
            session={session}
            actions={actions}
            arranged={arranged}
          />
        ) : (
          <FirstSteps store={store} actions={actions} />
        )}
      </WithHelp>
    </ArrangedContext.Provider>
  );
}

/** Views whose words lead to their explanation above them. */
function WithHelp(props: {
  arranged: Arranged;
  children: ComponentChildren;
}): JSX.Element {
  const { arranged, children } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const { help } = arranged.now;
  useLayoutEffect(() => {
    if (!help) {
      setAsked(null);
    }
  }, [help]);
  const openWord = (word: string): void => {
    setAsked({ word });
    arranged.set({ help: true });
  };
  return (
    <OpenWord.Provider value={openWord}>
      {help ? (
        <Help asked={asked} close={() => arranged.set({ help: false })} />
      ) : null}
      {children}
    </OpenWord.Provider>
  );
}

interface ShownProps {
  readonly store: SessionStore;
  readonly session: Session;
  readonly actions: PanelActions;
  readonly arranged: Arranged;
}

function Shown(props: ShownProps): JSX.Element {
  const { store, session, actions, arranged } = props;
  const onKeyDown = useLettingGo(session);
  return (
    <div class="jtv-session" onKeyDown={onKeyDown}>
      <WithoutKernel store={store} actions={actions} />
      {store.connection.late ? (
        <p class="jtv-note">
          {trans.__(
            'The kernel is busy, and has no subshell for this: what you ask for is answered when the cell ends.'
          )}
        </p>
      ) : null}
      <Verdict session={session} />
      <TracedBefore session={session} actions={actions} />
      <NextRecording store={store} shown={session} actions={actions} />
      <Hint session={session} arranged={arranged} />
      {session.recording.functions.records.length > 0 ? (
        <Sections {...props} />
      ) : (
        <NothingYet session={session} />
      )}
      <Notebook store={store} />
    </div>
  );
}

/** For newcomers, once: when something was traced for the first time. */
function Hint(props: {
  session: Session;
  arranged: Arranged;
}): JSX.Element | null {
  const { session, arranged } = props;
  return arranged.now.hinted ||
    session.recording.traces.records.length === 0 ? null : (
    <p class="jtv-hint">
      {trans.__(
        'Click a line, a box or an equation, and the others light up. Press ? for keys and words.'
      )}{' '}
      <button
        type="button"
        class="jtv-link"
        onClick={() => arranged.set({ hinted: true })}
      >
        {trans.__('Got it')}
      </button>
    </p>
  );
}

/** What is in the recording that is shown. */
function Sections(props: ShownProps): JSX.Element {
  const { store, session, actions, arranged } = props;
  const { recording } = session;
  const { findings } = recording.newest;
  const { function: fn } = focusOf(session);
  const listed = { store, shown: session, arranged };
  return (
    <>
      <Section
        name="findings"
        title={trans.__('Findings')}
        note={String(findings.length)}
      >
        {() =>
          findings.length > 0 ? (
            <Findings session={session} actions={actions} />
          ) : (
            <p class="jtv-note">{noFindings(recording.newest)}</p>
          )
        }
      </Section>
      <Section
        name="functions"
        title={trans.__('Functions')}
        note={functionsNote(listed)}
      >
        {() => <Functions {...listed} />}
      </Section>
      {fn ? (
        <Section name="trace" title={trans.__('Trace')} note={fn.name}>
          {() => (
            <TraceViews key={session.id} session={session} actions={actions} />
          )}
        </Section>
      ) : null}
      <Section
        name="stack"
        title={trans.__('Where traces come from')}
        note={String(stackOf(recording).length)}
      >
        {() => <Stack key={session.id} session={session} actions={actions} />}
      </Section>
      <Section
        name="baked-in"
        title={trans.__('Baked in')}
        note={bakedInNote(session)}
      >
        {() => <BakedInList session={session} />}
      </Section>
    </>
  );
}

/** A running cell may still give some, and a retrace is not praised because it was one alone. */
function noFindings({ state, tally }: Update): string {
  return state === 'running'
    ? trans.__('None so far.')
    : tally.retraces > 0
      ? trans.__('Nothing beyond what the line above says.')
      : trans.__('✓ No findings.');
}

/** All recordings of the notebook. */
function Notebook({ store }: { store: SessionStore }): JSX.Element {
  const note = String(store.sessions.length);
  return (
    <>
      {store.sessions.length > 1 ? (
        <Section name="timeline" title={trans.__('Timeline of the notebook')}>
          {() => <Strip store={store} />}
        </Section>
      ) : null}
      <Section name="sessions" title={trans.__('Recordings')} note={note}>
        {() => <Sessions store={store} />}
      </Section>
    </>
  );
}
