import { describe, expect, it } from 'vitest';
import { anUpdate } from '../testing/records';
import { parseAnswer, parseUpdate } from './index';
import contract from './schema.json';
import { Definitions, Mismatch, Schema, decode } from './validate';

const KNOWN = [
  '$ref',
  'type',
  'enum',
  'anyOf',
  'items',
  'properties',
  'additionalProperties',
  'required',
  'default',
  'title',
  'description'
];

/** Every schema inside a schema, itself included. */
function nested(schema: Schema): Schema[] {
  const inside = [
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object'
      ? [schema.additionalProperties]
      : [])
  ];
  return [schema, ...inside.flatMap(nested)];
}

describe('decode', () => {
  const definitions: Definitions = {
    Point: {
      type: 'object',
      properties: {
        x: { type: 'number' },
        tags: { type: 'object', additionalProperties: { type: 'integer' } },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null }
      },
      required: ['x', 'tags']
    }
  };
  const point = { $ref: '#/$defs/Point' };
  const read = (data: unknown): unknown => decode(point, definitions, data);

  it('fills in what was left out, and drops what it does not know', () => {
    expect(read({ x: 1.5, tags: {}, newer: true })).toEqual({
      x: 1.5,
      tags: {},
      note: null
    });
  });

  it('says where the data do not fit', () => {
    expect(() => read({ x: 1, tags: { a: 0.5 } })).toThrow(
      'tags["a"] is not an integer'
    );
    expect(() => read({ tags: {} })).toThrow('x is not there');
    expect(() => read([])).toThrow(Mismatch);
    expect(() => read({ x: NaN, tags: {} })).toThrow('x is not a number');
  });

  it('keeps a hostile key a mere key', () => {
    const data: unknown = JSON.parse('{"x": 1, "tags": {"__proto__": 7}}');
    const { tags } = read(data) as { tags: object };
    expect(Object.getPrototypeOf(tags)).toBe(Object.prototype);
    expect(Object.keys(tags)).toEqual(['__proto__']);
  });

  it('understands all that the contract says', () => {
    const schemas = Object.values(contract.$defs as unknown as Definitions);
    for (const schema of schemas.flatMap(nested)) {
      expect(KNOWN).toEqual(expect.arrayContaining(Object.keys(schema)));
    }
  });
});

describe('parseUpdate', () => {
  it('gives back a whole update as it is', () => {
    const update = anUpdate();
    expect(parseUpdate(structuredClone(update))).toEqual(update);
  });

  it.each([null, undefined, 7, 'text', [], {}, { session: 's1' }])(
    'refuses %j',
    data => {
      expect(parseUpdate(data)).toBeNull();
    }
  );

  it('refuses what a newer version wrote, whatever it looks like', () => {
    expect(parseUpdate(anUpdate({ schema_version: 2 }))).toBeNull();
  });

  it('refuses a word that is not in the contract', () => {
    expect(parseUpdate({ ...anUpdate(), state: 'paused' })).toBeNull();
  });
});

it('reads an answer that holds an error', () => {
  expect(parseAnswer({ id: 3, error: 'No such session.' })).toMatchObject({
    id: 3,
    error: 'No such session.',
    hello: null,
    update: null,
    graph: null
  });
});
