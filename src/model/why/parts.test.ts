import { expect, it } from 'vitest';
import type { Argument, Reason } from '../../protocol';
import reference from '../../testing/fixtures/parts.json';
import { partsOf } from './parts';

interface Case {
  readonly what: string;
  readonly reasons: readonly Reason[];
  readonly now: readonly Argument[];
  readonly before: readonly Argument[] | null;
  readonly parts: readonly (readonly string[])[];
}

it.each(reference as unknown as Case[])(
  'sets two keys side by side as files do: $what',
  ({ reasons, now, before, parts }) => {
    const rows = partsOf(reasons, now, before).map(part => [
      part.name,
      part.before,
      part.now,
      part.verdict
    ]);
    expect(rows).toEqual(parts);
  }
);
