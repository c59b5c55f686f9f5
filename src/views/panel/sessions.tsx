import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  FAILED,
  badgeOf,
  failedTraces,
  formatCount,
  formatSeconds,
  trans,
  shortTitle,
  titleOf
} from '../../model';
import type { Session, SessionStore } from '../../store';
import { Glyph } from '../glyph';
import { Comparison } from './comparison';

/** Every recording, the newest first; two of them can be compared. */
export function Sessions({ store }: { store: SessionStore }): JSX.Element {
  const [chosen, choose] = useState<readonly string[]>([]);
  const [before, after] = store.sessions.filter(({ id }) =>
    chosen.includes(id)
  );
  const turn = (id: string): void =>
    choose(
      chosen.includes(id)
        ? chosen.filter(other => other !== id)
        : [...chosen, id]
    );
  const isFull = before !== undefined && after !== undefined;
  return (
    <>
      <table class="jtv-table jtv-sessions" aria-label={trans.__('Recordings')}>
        <thead>
          <tr>
            <th scope="col">{trans.__('Cell')}</th>
            <th scope="col">{trans.__('Traced')}</th>
            <th scope="col">{trans.__('Took')}</th>
            <th scope="col">{trans.__('Compare')}</th>
          </tr>
        </thead>
        <tbody>
          {[...store.sessions].reverse().map(session => (
            <Row
              key={session.id}
              session={session}
              shown={session === store.shown}
              show={() => store.show(session.id)}
              chosen={chosen.includes(session.id)}
              canChoose={!isFull || chosen.includes(session.id)}
              turn={() => turn(session.id)}
            />
          ))}
        </tbody>
      </table>
      <p class="jtv-note">
        {isFull
          ? trans.__('To compare others, untick one of the two.')
          : store.sessions.length > 1
            ? trans.__('Tick two recordings to see them side by side.')
            : trans.__(
                'Once a second cell is recorded, the two can be compared.'
              )}
      </p>
      {isFull ? <Comparison before={before} after={after} /> : null}
    </>
  );
}

function Row(props: {
  session: Session;
  shown: boolean;
  show: () => void;
  chosen: boolean;
  /** Two can be compared, no more. */
  canChoose: boolean;
  turn: () => void;
}): JSX.Element {
  const { session, shown, show, chosen, canChoose, turn } = props;
  const { tally, seconds, state } = session.recording.newest;
  const badge = badgeOf(tally, failedTraces(session.recording));
  const title = titleOf(session);
  return (
    <tr class="jtv-function" data-shown={shown} onClick={show}>
      <th scope="row">
        <button type="button" aria-pressed={shown} title={title}>
          {shortTitle(session)}
        </button>
      </th>
      <td>
        {badge ? (
          <span class={`jtv-tone-${badge.sign.tone}`}>
            <span aria-hidden="true">
              <span class="jtv-glyph">{badge.sign.glyph}</span>{' '}
              {formatCount(tally.retraces || tally.traces)}
            </span>
            <span class="jtv-spoken">{badge.text}</span>
          </span>
        ) : (
          '–'
        )}
        {state === 'error' && badge?.sign !== FAILED ? (
          <Glyph sign={FAILED} />
        ) : null}
      </td>
      <td class="jtv-cost">{formatSeconds(seconds)}</td>
      <td onClick={event => event.stopPropagation()}>
        <input
          type="checkbox"
          checked={chosen}
          disabled={!canChoose}
          aria-label={trans.__('Compare %1', title)}
          onChange={turn}
        />
      </td>
    </tr>
  );
}
