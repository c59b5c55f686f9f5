// Writes types.ts from schema.json, which `python -m jax_trace_viz.contract` writes from the Python contract.
// With --check it writes nothing, and fails when types.ts is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';

const folder = new URL('.', import.meta.url);
const target = new URL('types.ts', folder);
const contract = JSON.parse(
  await readFile(new URL('schema.json', folder), 'utf8')
);

// `decode` fills in the defaults, so every field is there; and it drops what the schema does not name.
for (const definition of Object.values(contract.$defs)) {
  if (definition.properties) {
    definition.required = Object.keys(definition.properties);
    definition.additionalProperties = false;
    for (const field of Object.values(definition.properties)) {
      delete field.default;
    }
  }
}

const types = await compile({ title: 'Contract', ...contract }, 'Contract', {
  bannerComment: '/* Generated from schema.json by generate.mjs. */',
  style: { singleQuote: true, trailingComma: 'none' },
  unreachableDefinitions: true
});

// The generator wants one root type, which nobody needs, and says at each type that the root refers to it.
const records = types
  .replace(/export interface Contract \{[^]*?\n\}\n/, '')
  .replace(/ \*\n \* This interface was referenced by [^]*?(?= \*\/)/g, '');

if (!process.argv.includes('--check')) {
  await writeFile(target, records);
} else if ((await readFile(target, 'utf8')) !== records) {
  console.error('src/protocol/types.ts is not up to date: jlpm generate');
  process.exitCode = 1;
}
