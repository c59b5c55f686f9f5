import type { Reason } from '../../protocol';
import { Words, trans } from '../words/language';
import type { Part } from './parts';
import type { LineNames } from '../words/place';
import type { WhyCard } from './why';
import { reasonWords } from '../words/words';

/** A card to be pasted elsewhere. */
export function cardText(card: WhyCard, names: LineNames): string {
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
    ...(site ? [`  ${trans.__('Called at %1.', names.long(site))}`] : []),
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
