import type { JSX } from 'preact';
import {
  RETRACE,
  SPAN_KINDS,
  Stretch,
  badgeOf,
  failedTraces,
  formatSeconds,
  phaseWord,
  strip,
  trans,
  titleOf
} from '../../model';
import type { SessionStore } from '../../store';
import { useRoving } from '../roving';

/** All recordings of a notebook in a row; the one that is shown is marked, and another is a click away. */
export function Strip({ store }: { store: SessionStore }): JSX.Element {
  const stretches = strip(store.sessions);
  const { shown } = store;
  const at = stretches.findIndex(({ session }) => session === shown);
  const roving = useRoving(
    stretches.length,
    'ArrowLeft',
    'ArrowRight',
    Math.max(0, at),
    index => {
      const session = stretches[index]?.session;
      if (session) {
        store.show(session.id);
      }
    }
  );
  return (
    <>
      <div
        class="jtv-strip"
        role="group"
        aria-label={trans.__('Timeline of the notebook')}
        data-lm-suppress-shortcuts="true"
        onKeyDown={roving.onKeyDown}
      >
        {stretches.map((stretch, i) => (
          <StretchView
            key={stretch.session.id}
            stretch={stretch}
            shown={i === at}
            stop={i === roving.active}
            nodeRef={roving.itemRef(i)}
            show={() => {
              roving.setActive(i);
              store.show(stretch.session.id);
            }}
          />
        ))}
      </div>
      <p class="jtv-legend">
        {SPAN_KINDS.map(kind => (
          <span key={kind}>
            <span class={`jtv-swatch jtv-span-${kind}`} />
            {phaseWord(kind)}
          </span>
        ))}
      </p>
    </>
  );
}

function StretchView(props: {
  stretch: Stretch;
  shown: boolean;
  stop: boolean;
  nodeRef: (node: Element | null) => void;
  show: () => void;
}): JSX.Element {
  const { stretch, shown, stop, nodeRef, show } = props;
  const { session, left, width, bars, retraces } = stretch;
  const { tally, seconds, state } = session.recording.newest;
  const failed = failedTraces(session.recording);
  const what = badgeOf(tally, failed)?.text ?? trans.__('nothing was traced');
  const words = trans.__(
    '%1: %2, %3 in all',
    titleOf(session),
    what,
    formatSeconds(seconds)
  );
  return (
    <button
      ref={nodeRef}
      type="button"
      class="jtv-stretch"
      data-state={state}
      style={{ left: `${100 * left}%`, width: `${100 * width}%` }}
      title={words}
      aria-label={words}
      aria-pressed={shown}
      tabIndex={stop ? 0 : -1}
      onClick={show}
    >
      {bars.map((bar, i) => (
        <span
          key={i}
          class={`jtv-stretch-bar jtv-span-${bar.kind}`}
          style={{ left: `${100 * bar.left}%`, width: `${100 * bar.width}%` }}
        />
      ))}
      {retraces > 0 ? (
        <span class="jtv-stretch-sign" aria-hidden="true">
          {RETRACE.glyph}
        </span>
      ) : null}
    </button>
  );
}
