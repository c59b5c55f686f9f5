import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { focusOf, trans, unseenWords } from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { ArgumentsAndConstants } from './arguments';
import { CallSites } from './call-sites';
import { Empty } from './empty';
import { Findings } from './findings';
import { FunctionsTable } from './functions-table';
import { Graph } from './graph/graph';
import { Jaxpr } from './jaxpr';
import { useArranged } from './panel/arranged';
import { Asked, Help } from './panel/help';
import { useOlderPicture } from './picture';
import { Source } from './source/source';
import { Tab, Tabs } from './tabs';
import { OpenWord } from './term';
import { Timeline } from './timeline/timeline';
import { TraceBar } from './trace-bar';
import { TracedBefore } from './traced-before';
import { Verdict } from './verdict';

interface Props {
  readonly session: Session;
  readonly actions: Actions;
}

let views = 0;

/** One session from top to bottom: the answer in words, what deserves attention, the pictures. */
export function SessionView({ session, actions }: Props): JSX.Element {
  const [help, setHelp] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const letGo = useLettingGo(session);
  const onKeyDown = (event: KeyboardEvent): void => {
    letGo(event);
    if (event.key === '?' && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      setAsked(null);
      setHelp(!help);
    }
  };
  const openWord = (word: string): void => {
    setAsked({ word });
    setHelp(true);
  };
  return (
    <OpenWord.Provider value={openWord}>
      <div class="jtv-session" onKeyDown={onKeyDown}>
        {help ? <Help asked={asked} close={() => setHelp(false)} /> : null}
        <Verdict session={session} />
        <TracedBefore session={session} actions={actions} />
        <Findings session={session} actions={actions} />
        {session.recording.functions.records.length > 0 ? (
          <>
            <FunctionsTable session={session} focus={focusOf(session)} />
            <CallSites session={session} actions={actions} />
            <TraceViews session={session} actions={actions} />
          </>
        ) : (
          <NothingYet session={session} />
        )}
      </div>
    </OpenWord.Provider>
  );
}

/** Esc lets go of what is pinned. */
export function useLettingGo({
  selection
}: Session): (event: KeyboardEvent) => void {
  return event => {
    if (event.key === 'Escape' && selection.clear()) {
      event.stopPropagation();
    }
  };
}

/** Why there is nothing to show of a recording that has ended. */
export function NothingYet({
  session
}: {
  session: Session;
}): JSX.Element | null {
  const { state, environment } = session.recording.newest;
  const { limited } = environment;
  // The verdict says what failed, or that this JAX cannot be watched; why nothing ran is no question then.
  return state === 'running' ||
    state === 'error' ||
    limited.includes('staging') ? null : (
    <Empty
      words={trans.__('Is @jax.jit missing, or was the function never called?')}
    />
  );
}

/** The tab that answers "Why?": the arguments are what the reason is about. */
const WITH_WHY = 'Arguments & constants';

/** The trace that is shown, from every side. */
export function TraceViews(props: Props): JSX.Element | null {
  const { session, actions } = props;
  const [id] = useState(() => `jtv-${(views += 1)}`);
  const [tab, setTab] = useTab(session);
  const focus = focusOf(session);
  const shown = { session, focus, actions };
  const missing = useOlderPicture(session, focus, actions);
  const unseen = unseenWords(session.recording.newest.environment);
  const tabs: Tab[] = [
    {
      name: 'Source',
      label: trans.__('Source'),
      content: () => (
        <>
          <div class="jtv-split">
            <Source session={session} focus={focus} />
            <Jaxpr {...shown} missing={missing} />
          </div>
          {unseen && <p class="jtv-source-note">{unseen}</p>}
        </>
      )
    },
    {
      name: 'Graph',
      label: trans.__('Graph'),
      content: () => <Graph {...shown} missing={missing} />
    },
    {
      name: 'Timeline',
      label: trans.__('Timeline'),
      content: () => <Timeline session={session} focus={focus} />
    },
    {
      name: 'Jaxpr',
      label: trans.__('Jaxpr'),
      content: () => <Jaxpr {...shown} missing={missing} />
    },
    {
      name: WITH_WHY,
      label: trans.__('Arguments & constants'),
      content: () => <ArgumentsAndConstants {...shown} />
    }
  ];
  return focus.function ? (
    <>
      <TraceBar session={session} focus={focus} actions={actions} />
      <Tabs tabs={tabs} selected={tab} select={setTab} id={id} />
    </>
  ) : null;
}

/** The tab that is shown: the one chosen, until somebody asks why. In the panel it stays from recording to recording. */
function useTab({ selection }: Session): [string, (name: string) => void] {
  const arranged = useArranged();
  const { whyAsked } = selection;
  const kept = arranged?.now.tab ?? 'Source';
  const [tab, choose] = useState(whyAsked > 0 ? WITH_WHY : kept);
  const answered = useRef(whyAsked);
  useEffect(() => {
    if (whyAsked !== answered.current) {
      answered.current = whyAsked;
      choose(WITH_WHY);
    }
  }, [whyAsked]);
  const select = (name: string): void => {
    choose(name);
    arranged?.set({ tab: name });
  };
  return [tab, select];
}
