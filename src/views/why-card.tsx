import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  LineNames,
  Part,
  RETRACE,
  VERDICT_WORDS,
  WhyCard,
  cardText,
  trans
} from '../model';
import type { Actions } from './actions';
import { Change } from './change';
import { CopyButton } from './copy-button';
import { FoldButton } from './fold-button';
import { Glyph } from './glyph';
import { LineLink } from './line-link';
import { Prose } from './prose';

/** Parts that did not change which are shown at first. */
const SAME = 8;

interface Props {
  readonly card: WhyCard;
  readonly names: LineNames;
  readonly actions: Actions;
  /** More about the same, below. */
  readonly children?: JSX.Element | null;
}

/** Why JAX traced or compiled: every part before and now, what it cost, and what usually helps. */
export function WhyCardView({
  card,
  names,
  actions,
  children
}: Props): JSX.Element {
  const { advice, callSite, facts, parts } = card;
  // What the table says need not be said twice.
  const reasons = card.reasons.slice(0, parts.length > 0 ? 1 : undefined);
  return (
    <section class="jtv-section jtv-why" data-first={!card.again}>
      <div class="jtv-why-head">
        <h4>
          {card.again ? <Glyph sign={RETRACE} silent /> : null} {card.question}
        </h4>
        <CopyButton
          label={trans.__('Copy as text')}
          text={() => cardText(card, names)}
        />
      </div>
      <ul class="jtv-reasons">
        {reasons.map((reason, i) => (
          <li key={i}>
            <Change reason={reason} />
          </li>
        ))}
      </ul>
      {parts.length > 0 ? <Parts card={card} /> : null}
      <ul class="jtv-why-facts">
        {facts.map(fact => (
          <li key={fact}>{fact}</li>
        ))}
        <Earlier earlier={card.earlier} others={actions.others} />
        {callSite ? (
          <li>
            {trans.__('Called at')}{' '}
            <LineLink place={callSite} names={names} go={actions.reveal} />
          </li>
        ) : null}
      </ul>
      {advice ? (
        <p class="jtv-advice">
          <b>{trans.__('What usually helps:')}</b> <Prose text={advice} />
        </p>
      ) : null}
      {children}
    </section>
  );
}

/** Leads to what it was compared with, where that is in another recording. */
function Earlier(props: {
  earlier: WhyCard['earlier'];
  others: Actions['others'];
}): JSX.Element | null {
  const { earlier, others } = props;
  return earlier && others ? (
    <li>
      <button
        type="button"
        class="jtv-link"
        onClick={() => {
          const { session, trace } = earlier;
          others.show(session, trace.function, trace.id);
        }}
      >
        {trans.__('Show the trace that it was compared with')}
      </button>
    </li>
  ) : null;
}

function Parts({ card }: { card: WhyCard }): JSX.Element {
  const [all, setAll] = useState(false);
  const same = card.parts.filter(part => part.verdict === 'same');
  const left = all ? new Set<Part>() : new Set(same.slice(SAME));
  return (
    <>
      <table
        class="jtv-table jtv-parts"
        aria-label={trans.__('Parts of %1', card.subject)}
      >
        <thead>
          <tr>
            <th scope="col">{trans.__('Part')}</th>
            <th scope="col">
              {card.comparedWith
                ? trans.__('Before (%1)', card.comparedWith)
                : trans.__('Before')}
            </th>
            <th scope="col">{trans.__('Now (%1)', card.subject)}</th>
            <th scope="col">{trans.__('Same?')}</th>
          </tr>
        </thead>
        <tbody>
          {card.parts
            .filter(part => !left.has(part))
            .map(part => (
              <Row key={part.name} part={part} />
            ))}
        </tbody>
      </table>
      {same.length > SAME ? (
        <FoldButton open={all} turn={() => setAll(!all)}>
          {trans.__('%1 more that are the same', same.length - SAME)}
        </FoldButton>
      ) : null}
    </>
  );
}

function Row({ part }: { part: Part }): JSX.Element {
  const { verdict } = part;
  const changed = verdict === 'cause' || verdict === 'changed';
  return (
    <tr data-verdict={verdict}>
      <th scope="row">{part.now ? <code>{part.name}</code> : part.name}</th>
      <td>
        <code>{part.before}</code>
      </td>
      <td>
        <code>{part.now}</code>
      </td>
      <td class="jtv-same">
        {changed ? <Glyph sign={RETRACE} silent /> : null}{' '}
        {VERDICT_WORDS[verdict]()}
      </td>
    </tr>
  );
}
