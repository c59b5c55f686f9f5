import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aTrace } from '../../testing/records';
import { holderTag } from '../words/holders';
import { traceTitle } from '../words/words';
import { GLOSSARY, LEGEND, meaningOf } from './glossary';

it('says the same as the documentation', () => {
  const page = readFileSync('docs/glossary.md', 'utf8');
  for (const { word, meaning } of GLOSSARY) {
    expect(page).toContain(`## ${word}\n\n`);
    expect(page.replace(/\s+/g, ' ')).toContain(meaning());
  }
  for (const { glyph, word } of LEGEND) {
    expect(page).toMatch(new RegExp(`\\| ${glyph} +\\| ${word} +\\|`));
  }
  // The other way round as well: the page explains nothing that the help leaves out.
  const words = [...page.matchAll(/^## (.*)$/gm)].map(([, word]) => word);
  expect(words).toEqual(GLOSSARY.map(({ word }) => word));
});

it('explains what the views write of traces and of what is differentiated', () => {
  expect(meaningOf('train #3')).toContain('third trace of the function train');
  expect(traceTitle('train', aTrace({ id: 'f8#3' }))).toMatch(/^train #3/);
  expect(meaningOf('∂')).toContain('differentiated');
  expect(holderTag(['linearize'])).toBe('∂');
});
