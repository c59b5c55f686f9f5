import type { JSX } from 'preact';
import {
  RETRACE,
  decisiveReason,
  findingSign,
  formatSeconds,
  lineNames,
  trans
} from '../model';
import type { Finding, Place } from '../protocol';
import type { Session } from '../store';
import type { Actions } from './actions';
import { Change } from './change';
import { Glyph } from './glyph';
import { LineLink } from './line-link';
import { Prose } from './prose';

interface Props {
  readonly session: Session;
  readonly actions: Actions;
}

/** What deserves attention, what changed, and what usually helps. */
export function Findings(props: Props): JSX.Element | null {
  const { findings } = props.session.recording.newest;
  if (findings.length === 0) {
    return null;
  }
  return (
    <ul class="jtv-findings" role="list" aria-label={trans.__('Findings')}>
      {findings.map((finding, i) => (
        <Entry key={i} {...props} finding={finding} />
      ))}
    </ul>
  );
}

function Entry(props: Props & { finding: Finding }): JSX.Element {
  const { session, finding, actions } = props;
  const { selection, recording } = session;
  const { function: fn } = finding;
  const sign = findingSign(finding.kind);
  const trace = recording.traces.get(finding.trace ?? '');
  const reason = decisiveReason(
    trace?.reasons.filter(
      r => r.before !== null && r.kind !== 'new_function_object'
    ) ?? []
  );
  const told = sign !== RETRACE || finding.text.includes(reason?.after ?? '');
  const show = (place: Place): void => {
    if (fn) {
      selection.show(fn, finding.trace);
    }
    selection.toggle({ trace: finding.trace, box: null, places: [place] });
    actions.reveal?.(place);
  };
  return (
    <li class="jtv-finding">
      <Glyph sign={sign} silent />
      <div>
        <p class="jtv-finding-text">
          <Prose text={finding.text} />
          {reason && !told ? <Change reason={reason} /> : null}
        </p>
        {finding.fix ? (
          <p class="jtv-fix">
            <Prose text={finding.fix} />
          </p>
        ) : null}
      </div>
      <div class="jtv-finding-side">
        {finding.seconds > 0 ? (
          <span class="jtv-cost">{formatSeconds(finding.seconds)}</span>
        ) : null}
        <span>
          {sign === RETRACE && fn && trace ? (
            <button
              type="button"
              class="jtv-link"
              onClick={() => selection.askWhy(fn, trace.id)}
            >
              {trans.__('Why?')}
            </button>
          ) : null}
          {finding.place ? (
            <LineLink
              place={finding.place}
              names={lineNames(recording)}
              go={show}
            />
          ) : null}
        </span>
      </div>
    </li>
  );
}
