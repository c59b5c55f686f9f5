import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  Focus,
  costOf,
  counted,
  formatCount,
  formatSeconds,
  rankFunctions
} from '../model';
import type { FunctionRecord } from '../protocol';
import type { Session } from '../store';
import { Columns } from './columns';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
}

/** All functions of a session, the user's costliest first; those of libraries are folded away. */
export function FunctionsTable({ session, focus }: Props): JSX.Element {
  const [unfolded, setUnfolded] = useState(false);
  const { user, library } = rankFunctions(session.recording);
  const most = Math.max(1e-9, ...[...user, ...library].map(costOf));
  const rowsOf = (functions: FunctionRecord[]): JSX.Element[] =>
    functions.map(fn => (
      <Row
        key={fn.id}
        fn={fn}
        most={most}
        shown={fn === focus.function}
        show={() => session.selection.show(fn.id, null)}
      />
    ));
  return (
    <table class="jtv-functions" aria-label="Functions">
      <Columns names={['Function', 'Traces', 'Hits', 'Compiles', 'Cost']} />
      <tbody>{rowsOf(user)}</tbody>
      {library.length > 0 ? (
        <tbody>
          <tr>
            <td colSpan={5}>
              <button
                type="button"
                class="jtv-disclosure"
                aria-expanded={unfolded}
                onClick={() => setUnfolded(!unfolded)}
              >
                <span aria-hidden="true">{unfolded ? '▾' : '▸'} </span>
                {counted(library.length, 'library function')}
              </button>
            </td>
          </tr>
          {unfolded ? rowsOf(library) : null}
        </tbody>
      ) : null}
    </table>
  );
}

function Row(props: {
  fn: FunctionRecord;
  /** The cost of the costliest function, in seconds. */
  most: number;
  shown: boolean;
  show: () => void;
}): JSX.Element {
  const { fn, most, shown, show } = props;
  return (
    <tr class="jtv-function" data-shown={shown} onClick={show}>
      <th scope="row">
        <button type="button" aria-pressed={shown} title={fn.qualname}>
          {fn.name}
        </button>
      </th>
      <td>{formatCount(fn.traces)}</td>
      <td>{formatCount(fn.cache_hits)}</td>
      <td>{formatCount(fn.compiles)}</td>
      <Cost fn={fn} most={most} />
    </tr>
  );
}

const PHASES = ['trace', 'lower', 'compile'] as const;

/** The cost as a number, and as a bar of its phases beside those of the other functions. */
function Cost(props: { fn: FunctionRecord; most: number }): JSX.Element {
  const { fn, most } = props;
  const parts = PHASES.map(
    phase => `${phase} ${formatSeconds(fn.seconds[phase])}`
  );
  return (
    <td class="jtv-cost" title={parts.join(', ')}>
      <span class="jtv-bars" aria-hidden="true">
        {PHASES.map(phase => (
          <span
            key={phase}
            class={`jtv-span-${phase}`}
            style={{ width: `${(100 * fn.seconds[phase]) / most}%` }}
          />
        ))}
      </span>
      <span>{formatSeconds(costOf(fn))}</span>
    </td>
  );
}
