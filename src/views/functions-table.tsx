import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  Focus,
  FunctionRow,
  RETRACE,
  SPAN_KINDS,
  Counted,
  Words,
  counted,
  formatCount,
  formatSeconds,
  functionRows,
  rowCost,
  sortRows,
  phaseWord,
  trans
} from '../model';
import { BY_COST, Column, Session, Sorting } from '../store';
import { FoldButton } from './fold-button';
import { Icon } from './icon';
import { useExplanation } from './term';

/** All functions of a session, the user's costliest first; helpers and those of libraries are folded away. */
export function FunctionsTable(props: {
  session: Session;
  focus: Focus;
}): JSX.Element {
  const { session, focus } = props;
  const [sorting, sort] = useState(BY_COST);
  return (
    <FunctionsList
      rows={functionRows([session])}
      sorting={sorting}
      sort={sort}
      isShown={({ fn }) => fn === focus.function}
      show={({ fn }) => session.selection.show(fn.id, null)}
    />
  );
}

/** Functions that stay on top. */
export interface Pins {
  readonly has: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

interface Props {
  readonly rows: readonly FunctionRow[];
  readonly sorting: Sorting;
  readonly sort: (sorting: Sorting) => void;
  readonly isShown: (row: FunctionRow) => boolean;
  readonly show: (row: FunctionRow) => void;
  readonly pins?: Pins;
  /** Whether helpers and functions of libraries are shown like all others. */
  readonly unfolded?: boolean;
}

/** Functions with their counts and costs, sorted by any column. */
export function FunctionsList(props: Props): JSX.Element {
  const { rows, sorting, sort, pins } = props;
  const sorted = pinnedFirst(sortRows(rows, sorting), pins);
  const user = sorted.filter(({ fn }) => fn.origin === 'user');
  const library = sorted.filter(({ fn }) => fn.origin === 'library');
  const most = Math.max(1e-9, ...rows.map(rowCost));
  const shared = { ...props, most };
  return (
    <table class="jtv-functions" aria-label={trans.__('Functions')}>
      <Heads sorting={sorting} sort={sort} />
      <Rows {...shared} rows={user.filter(row => !isHelper(row))} />
      <FoldedRows {...shared} rows={user.filter(isHelper)} noun="helper" />
      <FoldedRows {...shared} rows={library} noun="library function" />
    </table>
  );
}

/** Called by plain Python inside the traces of others: it has no traces of its own. */
function isHelper({ calls, traces, compiles }: FunctionRow): boolean {
  return calls + traces + compiles === 0;
}

type Shared = Props & { readonly most: number };

function Rows(props: Shared): JSX.Element {
  return (
    <tbody>
      {props.rows.map(row => (
        <Row key={row.key} {...props} row={row} />
      ))}
    </tbody>
  );
}

/** Functions that are counted until one asks for them; nothing where there are none. */
function FoldedRows(props: Shared & { noun: Counted }): JSX.Element | null {
  const { rows, noun } = props;
  const [opened, setOpened] = useState(false);
  const unfolded = opened || props.unfolded === true;
  if (rows.length === 0) {
    return null;
  }
  return (
    <>
      <tbody>
        <tr>
          {/* No more columns than the narrowest table has: one that is not there would take its share of room. */}
          <td colSpan={COLUMNS.length - 1}>
            <FoldButton open={unfolded} turn={() => setOpened(!opened)}>
              {counted(rows.length, noun)}
            </FoldButton>
          </td>
        </tr>
      </tbody>
      {unfolded ? <Rows {...props} /> : null}
    </>
  );
}

function pinnedFirst(
  rows: readonly FunctionRow[],
  pins: Pins | undefined
): readonly FunctionRow[] {
  const isPinned = ({ key }: FunctionRow): boolean => pins?.has(key) ?? false;
  return [...rows.filter(isPinned), ...rows.filter(row => !isPinned(row))];
}

interface Head {
  readonly by: Column;
  readonly name: Words;
  /** As the glossary has it. */
  readonly word: string;
}

const COLUMNS: readonly Head[] = [
  { by: 'name', name: () => trans.__('Function'), word: '' },
  { by: 'traces', name: () => trans.__('Traces'), word: 'trace' },
  { by: 'hits', name: () => trans.__('Hits'), word: 'hit' },
  { by: 'compiles', name: () => trans.__('Compiles'), word: 'compilation' },
  { by: 'cost', name: () => trans.__('Cost'), word: 'cost' }
];

/** A click sorts, a second one the other way round. */
function Heads(props: Pick<Props, 'sorting' | 'sort'>): JSX.Element {
  return (
    <thead>
      <tr>
        {COLUMNS.map(head => (
          <HeadCell key={head.by} {...props} head={head} />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell(
  props: Pick<Props, 'sorting' | 'sort'> & { head: Head }
): JSX.Element {
  const { sorting, sort, head } = props;
  const { around, describedBy, meaning } = useExplanation(head.word);
  const isSorted = sorting.by === head.by;
  const order = sorting.descending ? 'descending' : 'ascending';
  const descending = isSorted ? !sorting.descending : head.by !== 'name';
  return (
    <th
      scope="col"
      class="jtv-term"
      aria-sort={isSorted ? order : undefined}
      {...around}
    >
      <button
        type="button"
        class="jtv-sort"
        onClick={() => sort({ by: head.by, descending })}
        aria-describedby={describedBy}
      >
        {head.name()}
        <span aria-hidden="true" class="jtv-sort-mark">
          {isSorted ? (sorting.descending ? '▾' : '▴') : ''}
        </span>
      </button>
      {meaning}
    </th>
  );
}

function Row(props: Shared & { row: FunctionRow }): JSX.Element {
  const { row, most, isShown, show, pins } = props;
  const { fn, retraces } = row;
  const shown = isShown(row);
  return (
    <tr class="jtv-function" data-shown={shown} onClick={() => show(row)}>
      <th scope="row">
        <span class="jtv-function-cell">
          <button type="button" aria-pressed={shown} title={fn.qualname}>
            {fn.name}
          </button>
          {retraces ? (
            <span
              class="jtv-retraces jtv-tone-retrace"
              title={counted(retraces, 'retrace')}
            >
              <span class="jtv-glyph">{RETRACE.glyph}</span>
              {retraces}
              <span class="jtv-spoken"> {trans.__('retraced')}</span>
            </span>
          ) : null}
          {pins ? <Pin row={row} pins={pins} /> : null}
        </span>
      </th>
      <td>{formatCount(row.traces)}</td>
      <td>{formatCount(row.hits)}</td>
      <td>{formatCount(row.compiles)}</td>
      <Cost row={row} most={most} />
    </tr>
  );
}

function Pin({ row, pins }: { row: FunctionRow; pins: Pins }): JSX.Element {
  const pinned = pins.has(row.key);
  const words = pinned
    ? trans.__('Let %1 go from the top', row.fn.name)
    : trans.__('Keep %1 on top', row.fn.name);
  return (
    <button
      type="button"
      class="jtv-pin"
      title={words}
      aria-label={words}
      aria-pressed={pinned}
      onClick={event => {
        event.stopPropagation();
        pins.toggle(row.key);
      }}
    >
      <Icon name="pin" />
    </button>
  );
}

/** Its first trace is not over, so nobody knows what it costs. */
function isGoingOn(row: FunctionRow): boolean {
  return row.traces > 0 && rowCost(row) === 0;
}

/** The cost as a number, and as a bar of its phases beside those of the other functions. */
function Cost(props: { row: FunctionRow; most: number }): JSX.Element {
  const { row, most } = props;
  const { seconds } = row;
  const parts = SPAN_KINDS.map(
    phase => `${phaseWord(phase)} ${formatSeconds(seconds[phase])}`
  );
  return (
    <td class="jtv-cost" title={parts.join(', ')}>
      <span class="jtv-bars" aria-hidden="true">
        {SPAN_KINDS.map(phase => (
          <span
            key={phase}
            class={`jtv-span-${phase}`}
            style={{ width: `${(100 * seconds[phase]) / most}%` }}
          />
        ))}
      </span>
      <span>{isGoingOn(row) ? '…' : formatSeconds(rowCost(row))}</span>
    </td>
  );
}
