import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  Focus,
  LineNames,
  counted,
  lineNames,
  listingOf,
  trans
} from '../model';
import type { Line, Listing } from '../protocol';
import { Selection, Session, lightsPlace } from '../store';
import type { Actions } from './actions';
import { useAsking } from './asking';
import { Empty } from './empty';
import { LineNumber, withGutter } from './gutter';
import { selectsText, useReveal } from './reveal';
import { useRoving } from './roving';
import { useWindow } from './window';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly actions: Actions;
  /** Why there may be no listing. */
  readonly missing: string;
}

/** As in style/code.css. */
const LINE_HEIGHT = 20;

/** What JAX staged, each equation with the source line it came from. */
export function Jaxpr(props: Props): JSX.Element {
  const { session, focus, actions, missing } = props;
  const { trace } = focus;
  const listing = listingOf(session, trace?.id ?? '');
  if (!listing || listing.lines.length === 0) {
    return (
      <Empty
        words={
          missing ||
          (trace?.status === 'running'
            ? trans.__('No equation has been staged yet.')
            : trans.__('No jaxpr was kept for this trace.'))
        }
      />
    );
  }
  return (
    <Lines
      key={listing.trace}
      listing={listing}
      names={lineNames(session.recording)}
      selection={session.selection}
      more={
        session.cutOff || session.pictures.has(listing.trace)
          ? null
          : actions.openPicture?.bind(null, session.id, listing.trace)
      }
    />
  );
}

interface LinesProps {
  readonly listing: Listing;
  readonly names: LineNames;
  readonly selection: Selection;
  /** Asks the kernel for the lines that were left out. */
  readonly more: (() => Promise<void>) | null | undefined;
}

function Lines(props: LinesProps): JSX.Element {
  const { listing, names, selection, more } = props;
  const { lines, dropped, trace } = listing;
  const view = useReveal(selection.pinned);
  const { first, last, onScroll } = useWindow(view, lines.length, LINE_HEIGHT);
  const roving = useRoving(lines.length, 'ArrowUp', 'ArrowDown');
  const gutter = useMemo(
    () =>
      withGutter(
        lines.map(({ place }) => place),
        names
      ),
    [lines, names]
  );
  return (
    <div
      ref={view}
      class="jtv-code jtv-jaxpr"
      style={gutter}
      role="listbox"
      aria-label={trans.__('Jaxpr')}
      data-lm-suppress-shortcuts="true"
      onScroll={onScroll}
      onKeyDown={roving.onKeyDown}
      onMouseLeave={() => selection.hover(null)}
    >
      <div style={{ height: `${first * LINE_HEIGHT}px` }} />
      {lines.slice(first, last).map((line, i) => (
        <JaxprLine
          key={first + i}
          line={line}
          names={names}
          trace={trace}
          selection={selection}
          stop={first + i === roving.active}
          nodeRef={roving.itemRef(first + i)}
          position={first + i + 1}
          count={lines.length}
        />
      ))}
      <div style={{ height: `${(lines.length - last) * LINE_HEIGHT}px` }} />
      {dropped > 0 ? <LeftOut dropped={dropped} more={more} /> : null}
    </div>
  );
}

function LeftOut(props: {
  dropped: number;
  more: LinesProps['more'];
}): JSX.Element {
  const { dropped, more } = props;
  const { busy, words, ask } = useAsking();
  return (
    <p class="jtv-note">
      {trans.__(
        '%1 left out to keep this notebook small.',
        counted(dropped, 'further line')
      )}{' '}
      {more ? (
        <button
          type="button"
          class="jtv-button"
          disabled={busy}
          onClick={() => ask(() => more())}
        >
          {trans.__('Ask the kernel for more')}
        </button>
      ) : null}{' '}
      {words}
    </p>
  );
}

interface LineProps {
  readonly line: Line;
  readonly names: LineNames;
  readonly trace: string;
  readonly selection: Selection;
  readonly stop: boolean;
  readonly nodeRef: (node: Element | null) => void;
  readonly position: number;
  readonly count: number;
}

function JaxprLine(props: LineProps): JSX.Element {
  const { line, names, trace, selection, stop, nodeRef, position, count } =
    props;
  const { place } = line;
  const target = { trace, box: null, places: place ? [place] : [] };
  const toggle = (): void => {
    if (place && !selectsText()) {
      selection.toggle(target);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      toggle();
    }
  };
  const lit = place !== null && lightsPlace(selection.target, place);
  return (
    <div
      ref={nodeRef}
      class={`jtv-line${lit ? ' jtv-lit' : ''}`}
      role="option"
      aria-selected={place !== null && lightsPlace(selection.pinned, place)}
      aria-posinset={position}
      aria-setsize={count}
      tabIndex={stop ? 0 : -1}
      onMouseEnter={() => selection.hover(place ? target : null)}
      onClick={toggle}
      onKeyDown={onKeyDown}
    >
      <LineNumber place={place} names={names} />
      <span class="jtv-text" style={{ paddingLeft: `${2 * line.depth}ch` }}>
        {line.text}
      </span>
    </div>
  );
}
