import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  FunctionRow,
  findRows,
  focusOf,
  formatCount,
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

/** How many functions are listed, folded ones too. */
export function functionsNote(props: Props): string {
  return formatCount(functionRows(listed(props)).length);
}

/** The recordings whose functions are listed. */
function listed({ store, shown, arranged }: Props): readonly Session[] {
  return arranged.now.wholeNotebook ? store.sessions : [shown];
}

/** So many functions that one looks for one. */
const MANY = 6;

/** The functions of the recording that is shown or of all, with a search, sorted as one likes, some kept on top. */
export function Functions(props: Props): JSX.Element {
  const { store, shown, arranged } = props;
  const [query, setQuery] = useState('');
  const { sorting, pinned } = arranged.now;
  const many = store.sessions.length > 1;
  const rows = functionRows(listed(props));
  const found = findRows(rows, query);
  const own = functionRows([shown]);
  const focus = focusOf(shown);
  const focused = own.find(({ fn }) => fn === focus.function)?.key;
  const show = (row: FunctionRow): void => {
    // The recording that is shown stays where it has the function too.
    const { fn, session } = own.find(({ key }) => key === row.key) ?? row;
    store.showTrace(session, fn.id, null);
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
          isShown={({ key }) => key === focused}
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
