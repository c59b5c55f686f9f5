import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  FunctionRow,
  findRows,
  focusOf,
  functionRows,
  trans
} from '../../model';
import type { Arranged, Session, SessionStore } from '../../store';
import { FunctionsList } from '../functions-table';

interface Props {
  readonly store: SessionStore;
  readonly shown: Session;
  readonly arranged: Arranged;
}

/** So many functions that one looks for one. */
const MANY = 6;

/** The functions of the recording that is shown or of all, with a search, sorted as one likes, some kept on top. */
export function Functions({ store, shown, arranged }: Props): JSX.Element {
  const [query, setQuery] = useState('');
  const { sorting, wholeNotebook, pinned } = arranged.now;
  const many = store.sessions.length > 1;
  const whole = wholeNotebook && many;
  const rows = functionRows(whole ? store.sessions : [shown]);
  const found = findRows(rows, query);
  const focus = focusOf(shown);
  const show = ({ fn, session }: FunctionRow): void => {
    store.show(session.id);
    session.selection.show(fn.id, null);
  };
  return (
    <>
      {many || rows.length > MANY || query ? (
        <Filter
          query={query}
          setQuery={setQuery}
          arranged={many ? arranged : null}
        />
      ) : null}
      {found.length > 0 ? (
        <FunctionsList
          rows={found}
          sorting={sorting}
          sort={next => arranged.set({ sorting: next })}
          isShown={({ fn, session }) =>
            session === shown && fn === focus.function
          }
          show={show}
          pins={{
            has: key => pinned.includes(key),
            toggle: key => arranged.pin(key)
          }}
          unfolded={query !== ''}
        />
      ) : (
        <p class="jtv-note">
          {trans.__('No function matches “%1”.', query)}{' '}
          <button type="button" class="jtv-link" onClick={() => setQuery('')}>
            {trans.__('Clear the search')}
          </button>
        </p>
      )}
    </>
  );
}

function Filter(props: {
  query: string;
  setQuery: (query: string) => void;
  /** Null where there is one recording alone. */
  arranged: Arranged | null;
}): JSX.Element {
  const { query, setQuery, arranged } = props;
  return (
    <div class="jtv-filter">
      <input
        type="search"
        placeholder={trans.__('Search')}
        aria-label={trans.__('Search functions')}
        value={query}
        onInput={event => setQuery(event.currentTarget.value)}
      />
      {arranged ? (
        <label class="jtv-toggle">
          <input
            type="checkbox"
            checked={arranged.now.wholeNotebook}
            onChange={event =>
              arranged.set({ wholeNotebook: event.currentTarget.checked })
            }
          />
          {trans.__('All recordings')}
        </label>
      ) : null}
    </div>
  );
}
