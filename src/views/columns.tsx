import type { JSX } from 'preact';

/** The head of a table: a name for each column. */
export function Columns(props: { names: readonly string[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {props.names.map(name => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
