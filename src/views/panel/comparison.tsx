import type { JSX } from 'preact';
import {
  Compared,
  ComparedFunction,
  Words,
  compareFunctions,
  compareSessions,
  trans
} from '../../model';
import type { Session } from '../../store';
import { shortTitle, titleOf } from './session-title';

interface Props {
  readonly before: Session;
  readonly after: Session;
}

/** Two recordings side by side, the earlier one first: totals, then each function with its reasons. */
export function Comparison({ before, after }: Props): JSX.Element {
  const heads = [before, after] as const;
  return (
    <div class="jtv-comparison">
      <Numbers
        title={trans.__('All functions')}
        heads={heads}
        numbers={compareSessions(before, after)}
      />
      {compareFunctions(before, after).map(fn => (
        <Numbers
          key={fn.key}
          title={titleOfFunction(fn)}
          heads={heads}
          numbers={fn.numbers}
        />
      ))}
    </div>
  );
}

function titleOfFunction({ name, before, after }: ComparedFunction): string {
  return before && after
    ? name
    : before
      ? trans.__('%1 (in the first only)', name)
      : trans.__('%1 (in the second only)', name);
}

const SIGNS = { more: '▲', less: '▼', same: '=' };

const CHANGES: Record<keyof typeof SIGNS, Words> = {
  more: () => trans.__('more'),
  less: () => trans.__('less'),
  same: () => trans.__('same')
};

function Numbers(props: {
  title: string;
  heads: readonly [Session, Session];
  numbers: readonly Compared[];
}): JSX.Element {
  const { title, heads, numbers } = props;
  return (
    <table class="jtv-table jtv-compared" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          {heads.map(session => (
            <th key={session.id} scope="col" title={titleOf(session)}>
              {shortTitle(session)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.map(({ name, before, after, change }) => (
          <tr key={name} data-change={change ?? 'none'}>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td>
              {after}
              {change ? (
                <span class="jtv-change-sign">
                  <span aria-hidden="true">{SIGNS[change]}</span>
                  <span class="jtv-spoken"> {CHANGES[change]()}</span>
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
