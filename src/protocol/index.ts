import contract from './schema.json';
import type { Answer, Hello, Update } from './types';
import { Definitions, Mismatch, decode } from './validate';
import { SCHEMA_VERSION, schemaOf } from './versions';

export { SCHEMA_VERSION, otherVersionOf } from './versions';
export type { OtherVersion } from './versions';

export type {
  Advice,
  Annotation,
  Answer,
  Argument,
  Box,
  Cell,
  Compilation,
  Constant,
  DiffLine,
  Edge,
  EdgeValue,
  Environment,
  Expression,
  Expressions,
  Finding,
  Found,
  Function as FunctionRecord,
  Graph,
  Hello,
  Hits,
  JaxprDiff,
  Line,
  LineMark,
  Link,
  Listing,
  Match,
  Place,
  Reason,
  Request,
  Span,
  StaleValue,
  Tally,
  Trace,
  Update
} from './types';

/** The mime type of a cell output that holds one complete `Update`. */
export const MIME_TYPE = 'application/vnd.jax-trace-viz+json';

/** The comm on which the kernel streams, and the key of its messages' data. */
export const STREAM_TARGET = 'jax_trace_viz';

/** The comm on which a client asks. */
export const REQUEST_TARGET = 'jax_trace_viz.rpc';

const definitions = contract.$defs as unknown as Definitions;

/**
 * Reads a value that came from outside as one of the contract's records. All data pass through here: what gets by can be
 * trusted to have its declared form.
 *
 * @returns null for data that do not fit or are of a newer version.
 */
function read(name: string, data: unknown): unknown {
  if (schemaOf(data) > SCHEMA_VERSION) {
    return null;
  }
  try {
    return decode({ $ref: `#/$defs/${name}` }, definitions, data);
  } catch (error) {
    if (error instanceof Mismatch) {
      return null;
    }
    throw error;
  }
}

export function parseUpdate(data: unknown): Update | null {
  return read('Update', data) as Update | null;
}

export function parseHello(data: unknown): Hello | null {
  return read('Hello', data) as Hello | null;
}

/** An answer that came as a buffer. */
export function readAnswer(
  buffer: ArrayBuffer | ArrayBufferView
): Answer | null {
  try {
    return parseAnswer(JSON.parse(new TextDecoder().decode(buffer)));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

export function parseAnswer(data: unknown): Answer | null {
  const { hello } = (data ?? {}) as Record<string, unknown>;
  return schemaOf(hello) > SCHEMA_VERSION
    ? null
    : (read('Answer', data) as Answer | null);
}
