import type { JSX } from 'preact';
import {
  Focus,
  lineNames,
  recompilations,
  whyCompiled,
  whyTraced,
  untracedWords,
  trans
} from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { Empty } from './empty';
import { JaxprComparison } from './jaxpr-diff';
import { useOthers } from './others';
import { Prose } from './prose';
import { WhyCardView } from './why-card';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly actions: Actions;
}

/** Compilations without a trace that have cards at once; the newest. */
const RECOMPILATIONS = 20;

/** Why the trace that is shown happened, and why the function was compiled without a trace. */
export function Why({ session, focus, actions }: Props): JSX.Element {
  const { trace, function: fn } = focus;
  const { recording } = session;
  const others = useOthers(actions);
  const names = lineNames(recording);
  const compiled = fn ? recompilations(recording, fn.id) : [];
  const shown = compiled.slice(-RECOMPILATIONS);
  if (!trace && shown.length === 0) {
    return <Empty words={untracedWords(fn)} />;
  }
  return (
    <div class="jtv-whys">
      {trace ? (
        <WhyCardView
          key={trace.id}
          card={whyTraced(recording, trace, id => others?.find(id) ?? null)}
          names={names}
          actions={actions}
        >
          <>
            {trace.error ? (
              <p class="jtv-error">
                {trace.error.type}: <Prose text={trace.error.message} />
              </p>
            ) : null}
            <JaxprComparison
              session={session}
              trace={trace}
              actions={actions}
            />
          </>
        </WhyCardView>
      ) : null}
      {shown.map(compilation => (
        <WhyCardView
          key={compilation.id}
          card={whyCompiled(recording, compilation)}
          names={names}
          actions={actions}
        />
      ))}
      {compiled.length > shown.length ? (
        <p class="jtv-note">
          {trans.__(
            '%1 earlier compilations without a trace are not shown.',
            compiled.length - shown.length
          )}
        </p>
      ) : null}
    </div>
  );
}
