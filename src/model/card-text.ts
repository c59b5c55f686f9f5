import type { Place, Reason } from '../protocol';
import { Words, trans } from './language';
import type { Part } from './parts';
import type { WhyCard } from './why';
import { reasonWords } from './words';

/**
 * A card to be pasted elsewhere.
 *
 * @param cell - the name under which the cell around it was compiled: that goes without saying.
 */
export function cardText(card: WhyCard, cell: string | null): string {
  const rows = card.parts.map(part => [
    part.verdict === 'cause' || part.verdict === 'changed' ? '↻' : ' ',
    part.name,
    part.before,
    part.now,
    VERDICT_WORDS[part.verdict]()
  ]);
  const table = rows.length
    ? aligned([HEADS.map(head => head()), ...rows])
    : [];
  const { callSite: site, advice } = card;
  return [
    card.question,
    ...card.reasons.map(reason => `  ${reasonLine(reason)}`),
    ...table.map(line => `  ${line}`),
    ...card.facts.map(fact => `  ${fact}`),
    ...(site ? [`  ${trans.__('Called at %1.', placeText(site, cell))}`] : []),
    ...(advice ? [`  ${trans.__('What usually helps: %1', advice)}`] : []),
    ''
  ].join('\n');
}

const HEADS: readonly Words[] = [
  () => ' ',
  () => trans.__('part'),
  () => trans.__('before'),
  () => trans.__('now'),
  () => trans.__('same?')
];

export const VERDICT_WORDS: Record<Part['verdict'], Words> = {
  cause: () => trans.__('the cause'),
  changed: () => trans.__('changed too'),
  same: () => trans.__('same'),
  differs: () => trans.__('differs'),
  unknown: () => trans.__('not known')
};

/** `line 9` of the recorded cell, `train.py:9` elsewhere. */
export function placeText({ file, line }: Place, cell: string | null): string {
  return file === cell ? trans.__('line %1', line) : `${file}:${line}`;
}

function reasonLine(reason: Reason): string {
  const { path, before, after } = reason;
  const change =
    before === null && after === null
      ? ''
      : ` ${before ?? '–'} → ${after ?? '–'}`;
  return `${reasonWords(reason)}${path ? ` ${path}` : ''}${change}`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0))
  );
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd()
  );
}
