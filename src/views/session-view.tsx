import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { focusOf } from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { ArgumentsAndConstants } from './arguments';
import { CallSites } from './call-sites';
import { Empty } from './empty';
import { Findings } from './findings';
import { FunctionsTable } from './functions-table';
import { Graph } from './graph/graph';
import { Jaxpr } from './jaxpr';
import { useOlderPicture } from './picture';
import { Source } from './source/source';
import { Tab, Tabs } from './tabs';
import { Timeline } from './timeline/timeline';
import { TraceBar } from './trace-bar';
import { Verdict } from './verdict';

interface Props {
  readonly session: Session;
  readonly actions: Actions;
}

let views = 0;

/** One session from top to bottom: the answer in words, what deserves attention, the pictures. */
export function SessionView({ session, actions }: Props): JSX.Element {
  const [id] = useState(() => `jtv-${(views += 1)}`);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && session.selection.clear()) {
      event.stopPropagation();
    }
  };
  return (
    <div class="jtv-session" onKeyDown={onKeyDown}>
      <Verdict session={session} />
      <Findings session={session} actions={actions} />
      {session.recording.functions.records.length > 0 ? (
        <Body session={session} actions={actions} id={id} />
      ) : (
        <NothingYet session={session} />
      )}
    </div>
  );
}

function NothingYet({ session }: { session: Session }): JSX.Element | null {
  return session.recording.newest.state === 'running' ? null : (
    <Empty words="No jitted function ran here. Is @jax.jit missing, or was the function never called?" />
  );
}

/** The tab that answers "Why?": the arguments are what the reason is about. */
const WITH_WHY = 'Arguments & constants';

function Body(props: Props & { id: string }): JSX.Element {
  const { session, actions, id } = props;
  const { whyAsked } = session.selection;
  const [tab, setTab] = useState(whyAsked > 0 ? WITH_WHY : 'Source');
  const answered = useRef(whyAsked);
  useEffect(() => {
    if (whyAsked !== answered.current) {
      answered.current = whyAsked;
      setTab(WITH_WHY);
    }
  }, [whyAsked]);
  const focus = focusOf(session);
  const shown = { session, focus, actions };
  const missing = useOlderPicture(session, focus, actions);
  const tabs: Tab[] = [
    {
      name: 'Source',
      content: () => (
        <div class="jtv-split">
          <Source session={session} focus={focus} />
          <Jaxpr session={session} focus={focus} missing={missing} />
        </div>
      )
    },
    {
      name: 'Graph',
      content: () => <Graph {...shown} missing={missing} />
    },
    {
      name: 'Timeline',
      content: () => <Timeline session={session} focus={focus} />
    },
    {
      name: 'Jaxpr',
      content: () => <Jaxpr session={session} focus={focus} missing={missing} />
    },
    {
      name: WITH_WHY,
      content: () => <ArgumentsAndConstants {...shown} />
    }
  ];
  return (
    <>
      <FunctionsTable session={session} focus={focus} />
      <CallSites session={session} actions={actions} />
      {focus.function ? (
        <>
          <TraceBar session={session} focus={focus} actions={actions} />
          <Tabs tabs={tabs} selected={tab} select={setTab} id={id} />
        </>
      ) : null}
    </>
  );
}
