import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  LineNames,
  counted,
  errorWords,
  findBoxes,
  formatCount,
  lineNames,
  trans
} from '../../model';
import type { Found, Graph, Match } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { Roving, useRoving } from '../roving';

interface Props {
  readonly graph: Graph;
  readonly session: Session;
  readonly actions: Actions;
  readonly choose: (match: Match) => void;
}

/** Milliseconds after the last key before the kernel is asked. */
const PATIENCE = 200;

/** Finds equations by their words, also those that no open group shows. */
export function Search(props: Props): JSX.Element {
  const { graph, session, actions, choose } = props;
  const [text, setText] = useState('');
  const { found, words } = useFound(text, graph, session, actions);
  const matches = found?.matches ?? [];
  const names = lineNames(session.recording);
  const roving = useRoving(matches.length, 'ArrowUp', 'ArrowDown');
  const list = useRef<HTMLUListElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' && matches.length > 0) {
      event.preventDefault();
      list.current?.querySelector('button')?.focus();
    } else if (event.key === 'Enter' && matches[0]) {
      choose(matches[0]);
    } else if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      setText('');
    }
  };
  return (
    <search class="jtv-search" data-lm-suppress-shortcuts="true">
      <input
        type="search"
        aria-label={trans.__('Search all equations')}
        placeholder={trans.__('Search: primitive, name, type, line 7')}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="jtv-note" role="status">
        {text.trim() === '' ? '' : words || summaryOf(found)}
      </p>
      {matches.length > 0 ? (
        <ul
          ref={list}
          aria-label={trans.__('Matches')}
          onKeyDown={roving.onKeyDown}
        >
          {matches.map((match, i) => (
            <MatchView
              key={i}
              match={match}
              names={names}
              at={i}
              roving={roving}
              choose={choose}
            />
          ))}
        </ul>
      ) : null}
    </search>
  );
}

function MatchView(props: {
  match: Match;
  names: LineNames;
  at: number;
  roving: Roving;
  choose: (match: Match) => void;
}): JSX.Element {
  const { match, names, at, roving, choose } = props;
  const { label, detail, where, place } = match;
  return (
    <li>
      <button
        ref={roving.itemRef(at)}
        type="button"
        tabIndex={at === roving.active ? 0 : -1}
        onClick={() => choose(match)}
      >
        <code>{label}</code> <span class="jtv-note">{detail}</span>
        <span class="jtv-where">
          {[...where, ...(place ? [names.long(place)] : [])].join(' › ')}
        </span>
      </button>
    </li>
  );
}

function summaryOf(found: Found | null): string {
  if (!found) {
    return trans.__('Searching…');
  }
  if (found.matches.length === 0) {
    return trans.__('Nothing found.');
  }
  const places = counted(found.matches.length, 'place');
  const equations = counted(found.equations, 'equation');
  return found.more
    ? trans.__(
        '%1; the first %2 places:',
        equations,
        formatCount(found.matches.length)
      )
    : trans.__('%1 in %2. Equal copies are listed once.', equations, places);
}

interface Answered {
  /** What was asked: an answer counts as long as the question stands. */
  readonly text: string;
  readonly found: Found | null;
  readonly words: string;
}

/** What was found for a text; null as long as the answer is awaited. */
function useFound(
  text: string,
  graph: Graph,
  session: Session,
  actions: Actions
): Omit<Answered, 'text'> {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const { trace } = graph;
  const latest = useRef(actions);
  latest.current = actions;
  const hasKernel = !session.cutOff && actions.searchGraph !== null;
  useEffect(() => {
    if (text.trim() === '' || !hasKernel) {
      return undefined;
    }
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(() => {
      const { searchGraph } = latest.current;
      searchGraph?.(session.id, trace, text, signal).then(
        found => setAnswered({ text, found, words: '' }),
        (reason: unknown) => {
          if (!signal.aborted) {
            setAnswered({ text, found: null, words: errorWords(reason) });
          }
        }
      );
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, trace, session.id, hasKernel]);
  if (!hasKernel) {
    const words = trans.__('Only what is drawn is searched: no kernel.');
    return { found: findBoxes(graph, text), words };
  }
  return answered?.text === text && text.trim() !== ''
    ? answered
    : { found: null, words: '' };
}
