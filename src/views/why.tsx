import type { JSX } from 'preact';
import { Focus, formatSeconds, traceNumber } from '../model';
import type { Trace } from '../protocol';
import type { Session } from '../store';
import { Change } from './change';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly trace: Trace;
}

/** Why JAX traced the function this time: what changed since the nearest earlier trace, and what it cost. */
export function Why({ session, focus, trace }: Props): JSX.Element {
  const { compared_with: other, call_site: site } = trace;
  const isFirst = other === null;
  return (
    <section class="jtv-section jtv-why" data-first={isFirst}>
      <h4>
        Why was {focus.function?.name} traced ({traceNumber(trace)})?
      </h4>
      <ul class="jtv-reasons">
        {trace.reasons.map((reason, i) => (
          <li key={i}>
            <Change reason={reason} />
          </li>
        ))}
      </ul>
      <p class="jtv-note">
        {other ? `Compared with the nearest earlier trace, ${other}. ` : ''}
        {site ? `Called at line ${site.line}. ` : ''}
        {costs(session, trace)}
      </p>
      {trace.error ? (
        <p class="jtv-error">
          {trace.error.type}: {trace.error.message}
        </p>
      ) : null}
    </section>
  );
}

function costs(session: Session, trace: Trace): string {
  if (trace.status === 'running') {
    return 'Tracing is going on.';
  }
  const parts = [`trace ${formatSeconds(trace.seconds)}`];
  for (const compilation of session.recording.compilations.records) {
    if (compilation.trace === trace.id) {
      parts.push(
        `lower ${formatSeconds(compilation.lower_seconds)}`,
        `compile ${formatSeconds(compilation.seconds)}`
      );
    }
  }
  return `Cost: ${parts.join(', ')}.`;
}
