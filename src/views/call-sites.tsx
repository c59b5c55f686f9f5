import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  CallSite,
  callSites,
  counted,
  formatCount,
  formatSeconds,
  lineNames,
  trans
} from '../model';
import type { Session } from '../store';
import type { Actions } from './actions';
import { Columns } from './columns';
import { FoldButton } from './fold-button';
import { LineLink } from './line-link';

interface Props {
  readonly session: Session;
  readonly actions: Actions;
}

/** Lines listed; the others are counted. */
const MOST = 20;

/** Which lines caused what, the costliest first; of one line alone the table of functions says it all. */
export function CallSites({ session, actions }: Props): JSX.Element | null {
  const [unfolded, setUnfolded] = useState(false);
  const sites = callSites(session.recording);
  if (sites.length < 2) {
    return null;
  }
  return (
    <div class="jtv-call-sites">
      <FoldButton open={unfolded} turn={() => setUnfolded(!unfolded)}>
        {counted(sites.length, 'call site')}
      </FoldButton>
      {unfolded ? (
        <Table sites={sites} session={session} actions={actions} />
      ) : null}
    </div>
  );
}

function Table(props: Props & { sites: readonly CallSite[] }): JSX.Element {
  const { sites, session, actions } = props;
  const { selection, recording } = session;
  const names = lineNames(recording);
  const show = ({ fn, place }: CallSite): void => {
    selection.show(fn, null);
    selection.toggle({ trace: null, box: null, places: [place] });
    actions.reveal?.(place);
  };
  return (
    <>
      <table class="jtv-table" aria-label={trans.__('Call sites')}>
        <Columns
          names={[
            trans.__('Line'),
            trans.__('Function'),
            trans.__('Traces'),
            trans.__('Compiles'),
            trans.__('Cost')
          ]}
        />
        <tbody>
          {sites.slice(0, MOST).map(site => (
            <tr key={`${site.place.file}:${site.place.line}:${site.fn}`}>
              <td>
                <LineLink
                  place={site.place}
                  names={names}
                  go={() => show(site)}
                />
              </td>
              <td>
                <code>{recording.functions.get(site.fn)?.name}</code>
              </td>
              <td>{formatCount(site.traces)}</td>
              <td>{formatCount(site.compiles)}</td>
              <td>{formatSeconds(site.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sites.length > MOST ? (
        <p class="jtv-note">
          {trans.__('and %1', counted(sites.length - MOST, 'more call site'))}
        </p>
      ) : null}
    </>
  );
}
