/** The part of JSON Schema that the contract's generator writes. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

export type Definitions = Readonly<Record<string, Schema>>;

/** Why data do not fit their schema, and where. */
export class Mismatch extends Error {
  constructor(
    readonly path: string,
    expected: string
  ) {
    super(`${path || 'document'} is not ${expected}`);
    this.name = 'Mismatch';
  }
}

const REFERENCE = '#/$defs/';

/**
 * Checks data against a schema and returns a copy that holds every field the schema names, with defaults for those left
 * out. Fields that the schema does not name are dropped: a later version may have added them.
 *
 * @throws Mismatch where the data do not fit.
 */
export function decode(
  schema: Schema,
  definitions: Definitions,
  data: unknown,
  path = ''
): unknown {
  if (schema.$ref !== undefined) {
    const target = definitions[schema.$ref.slice(REFERENCE.length)];
    if (!target) {
      throw new Error(`The schema lacks ${schema.$ref}`);
    }
    return decode(target, definitions, data, path);
  }
  if (schema.enum) {
    return check(schema.enum.includes(data), data, path, 'a known word');
  }
  if (schema.anyOf) {
    return decodeAny(schema.anyOf, definitions, data, path);
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return check(typeof data === schema.type, data, path, schema.type);
    case 'number':
      return check(Number.isFinite(data), data, path, 'a number');
    case 'integer':
      return check(Number.isInteger(data), data, path, 'an integer');
    case 'null':
      return check(data === null, data, path, 'null');
    case 'array':
      return decodeArray(schema, definitions, data, path);
    case 'object':
      return decodeObject(schema, definitions, data, path);
    default:
      throw new Mismatch(path, `of a type we know (${schema.type})`);
  }
}

function check(
  fits: boolean,
  data: unknown,
  path: string,
  expected: string
): unknown {
  if (!fits) {
    throw new Mismatch(path, expected);
  }
  return data;
}

function decodeAny(
  options: readonly Schema[],
  definitions: Definitions,
  data: unknown,
  path: string
): unknown {
  // Mostly it is one form or null; a form that fails costs an error, and updates come many times a second.
  const isNull = (option: Schema): boolean => option.type === 'null';
  if (data === null && options.some(isNull)) {
    return null;
  }
  const others = options.filter(option => !isNull(option));
  const [only] = others;
  if (only && others.length === 1) {
    return decode(only, definitions, data, path);
  }
  let closest: Mismatch | null = null;
  for (const option of others) {
    try {
      return decode(option, definitions, data, path);
    } catch (error) {
      const mismatch = error as Mismatch;
      if (!closest || mismatch.path.length > closest.path.length) {
        closest = mismatch;
      }
    }
  }
  throw closest ?? new Mismatch(path, 'anything allowed');
}

function decodeArray(
  schema: Schema,
  definitions: Definitions,
  data: unknown,
  path: string
): unknown[] {
  if (!Array.isArray(data)) {
    throw new Mismatch(path, 'an array');
  }
  const { items = {} } = schema;
  return data.map((item: unknown, i) =>
    decode(items, definitions, item, `${path}[${i}]`)
  );
}

function decodeObject(
  schema: Schema,
  definitions: Definitions,
  data: unknown,
  path: string
): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Mismatch(path, 'an object');
  }
  const fields = new Map(Object.entries(data));
  const entries: [string, unknown][] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = path ? `${path}.${name}` : name;
    if (fields.has(name)) {
      entries.push([name, decode(field, definitions, fields.get(name), at)]);
    } else if (schema.required?.includes(name)) {
      throw new Mismatch(at, 'there');
    } else {
      entries.push([name, decode(field, definitions, field.default, at)]);
    }
  }
  const { additionalProperties } = schema;
  if (additionalProperties) {
    for (const [name, value] of fields) {
      const at = `${path}[${JSON.stringify(name)}]`;
      entries.push([
        name,
        decode(additionalProperties, definitions, value, at)
      ]);
    }
  }
  return Object.fromEntries(entries);
}
