import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GLOSSARY, LEGEND } from './glossary';

it('says the same as the documentation', () => {
  const page = readFileSync('docs/glossary.md', 'utf8');
  for (const { word, meaning } of GLOSSARY) {
    expect(page).toContain(`## ${word}\n\n`);
    expect(page.replace(/\s+/g, ' ')).toContain(meaning());
  }
  for (const { glyph, word } of LEGEND) {
    expect(page).toMatch(new RegExp(`\\| ${glyph} +\\| ${word} +\\|`));
  }
});
