import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  Compared,
  ComparedFunction,
  Words,
  compareFunctions,
  compareSessions,
  trans,
  shortTitle,
  titleOf
} from '../../model';
import type { Session } from '../../store';

interface Props {
  readonly before: Session;
  readonly after: Session;
}

/** Two recordings side by side, the earlier one first: totals, then each function with its reasons. */
export function Comparison({ before, after }: Props): JSX.Element {
  const heads = [before, after] as const;
  const node = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It comes below what was clicked, often out of sight.
    node.current?.scrollIntoView({ block: 'nearest' });
  }, [before.id, after.id]);
  return (
    <div ref={node} class="jtv-comparison">
      <Numbers
        title={trans.__('All functions')}
        note={null}
        heads={heads}
        numbers={compareSessions(before, after)}
      />
      {compareFunctions(before, after).map(fn => (
        <Numbers
          key={fn.key}
          title={fn.name}
          note={onlyIn(fn)}
          heads={heads}
          numbers={fn.numbers}
        />
      ))}
    </div>
  );
}

function onlyIn({ before, after }: ComparedFunction): string {
  return before && after
    ? ''
    : before
      ? trans.__('in the first only')
      : trans.__('in the second only');
}

const SIGNS = { more: '▲', less: '▼', same: '=' };

const CHANGES: Record<keyof typeof SIGNS, Words> = {
  more: () => trans.__('more'),
  less: () => trans.__('less'),
  same: () => trans.__('same')
};

function Numbers(props: {
  title: string;
  /** Where it was met, if not in both; null where the title is no function's name. */
  note: string | null;
  heads: readonly [Session, Session];
  numbers: readonly Compared[];
}): JSX.Element {
  const { title, note, heads, numbers } = props;
  return (
    <table class="jtv-table jtv-compared" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">
            {note === null ? title : <code>{title}</code>} {note}
          </th>
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
