import type {
  Annotation,
  Box,
  Finding,
  FunctionRecord,
  Graph,
  Listing,
  Place,
  Span,
  Trace,
  Update
} from '../protocol';

/** Records with every field filled in; a test says only what it is about. */
export const FILE = 'cell-5.py';

export function place(line: number): Place {
  return { file: FILE, line };
}

export function anUpdate(fields: Partial<Update> = {}): Update {
  return {
    session: 's1',
    number: 1,
    complete: true,
    started_at: 1000,
    cell: { id: 'c5', execution_count: 5, file: FILE, checksum: null },
    cells: [],
    state: 'ok',
    verdict: 'step was traced twice.',
    environment: {
      python: '3.12.1',
      jax: '0.12.0',
      jaxlib: '0.12.0',
      platform: 'cpu',
      devices: [{ id: 0, platform: 'cpu', kind: 'cpu' }],
      process_index: null,
      process_count: null,
      limited: []
    },
    seconds: 2,
    tally: { traces: 0, retraces: 0, seconds: 0, trace: null },
    functions: [],
    traces: [],
    compilations: [],
    annotations: [],
    line_marks: [],
    expressions: [],
    findings: [],
    advice: [],
    spans: [],
    hits: [],
    graphs: [],
    listings: [],
    selected: null,
    dropped: { equations: 0, details: 0, memory_mb: null, events: 0, calls: 0 },
    note: '',
    faults: [],
    schema_version: 1,
    ...fields
  };
}

export function aFunction(
  fields: Partial<FunctionRecord> = {}
): FunctionRecord {
  return {
    id: 'f1',
    name: 'step',
    qualname: 'step',
    file: FILE,
    line: 3,
    end_line: 5,
    origin: 'user',
    source: '@jax.jit\ndef step(x):\n    return jnp.sin(x)\n',
    calls: 3,
    traces: 2,
    cache_hits: 1,
    fast_hits: 1,
    compiles: 2,
    seconds: { trace: 0.1, lower: 0.05, compile: 0.5 },
    stale: [],
    ...fields
  };
}

export function aTrace(fields: Partial<Trace> = {}): Trace {
  return {
    id: 'f1#1',
    function: 'f1',
    parent: null,
    kind: 'jit',
    status: 'ok',
    call_site: place(9),
    reasons: [{ kind: 'first_call', path: null, before: null, after: null }],
    compared_with: null,
    compared_before: null,
    error: null,
    arguments: [{ path: 'x', role: 'traced', type: 'f32[3]', value: null }],
    constants: [],
    outside: [],
    equations: { distinct: 1, expanded: 1 },
    jaxpr: 'j1',
    started: 0,
    seconds: 0.05,
    thread: 'MainThread',
    at_line: null,
    discarded: 0,
    ...fields
  };
}

export function anAnnotation(fields: Partial<Annotation> = {}): Annotation {
  return {
    function: 'f1',
    trace: 'f1#1',
    file: FILE,
    line: 4,
    name: 'x',
    binding: 'parameter',
    status: 'traced',
    value: null,
    type: 'f32[3]',
    runs: 1,
    parts: [],
    leaves: 0,
    length: null,
    tracers: [],
    ...fields
  };
}

export function aFinding(fields: Partial<Finding> = {}): Finding {
  return {
    kind: 'changing_shapes',
    function: 'f1',
    trace: 'f1#2',
    text: 'step retraced because x changed its shape.',
    fix: 'Pad x.',
    place: place(9),
    seconds: 1.2,
    ...fields
  };
}

export function aSpan(fields: Partial<Span> = {}): Span {
  return {
    kind: 'trace',
    function: 'f1',
    trace: 'f1#1',
    started: 0,
    seconds: 0.1,
    depth: 0,
    thread: 'MainThread',
    ...fields
  };
}

export function aBox(fields: Partial<Box> = {}): Box {
  return {
    id: 'b1',
    kind: 'operation',
    label: 'sin',
    detail: 'f32[3]',
    title: 'sin\nf32[3]',
    x: 10,
    y: 60,
    width: 50,
    height: 31,
    name: '',
    notes: [],
    parent: null,
    open: false,
    part: false,
    heading: 0,
    repeat: 1,
    shown: 0,
    copies: [],
    phase: '',
    places: [place(5)],
    equations: 1,
    bytes: 12,
    flops: null,
    ...fields
  };
}

export function aGraph(fields: Partial<Graph> = {}): Graph {
  return {
    trace: 'f1#1',
    name: 'step',
    width: 120,
    height: 150,
    boxes: [
      aBox({ id: 'x', kind: 'argument', label: 'x', y: 0, places: [] }),
      aBox()
    ],
    edges: [
      {
        id: 'e1',
        source: 'x',
        target: 'b1',
        kind: 'value',
        title: 'x: f32[3]',
        points: [35, 31, 35, 40, 35, 50, 35, 60],
        label: '',
        values: []
      }
    ],
    equations: 1,
    note: '',
    links: [{ source: 0, target: 1, type: 'f32[3]', kind: 'value' }],
    overlay: null,
    changes: null,
    ...fields
  };
}

export function aListing(fields: Partial<Listing> = {}): Listing {
  return {
    trace: 'f1#1',
    lines: [
      {
        text: '{ lambda ; a:f32[3]. let',
        depth: 0,
        place: null,
        equation: null
      },
      { text: 'b:f32[3] = sin a', depth: 1, place: place(5), equation: 0 },
      { text: 'in (b,) }', depth: 0, place: null, equation: null }
    ],
    dropped: 0,
    ...fields
  };
}

/** A small but whole session: two functions of the user's, one of a library, two traces. */
export function aSession(fields: Partial<Update> = {}): Update {
  return anUpdate({
    functions: [
      aFunction(),
      aFunction({
        id: 'f2',
        name: 'loss',
        qualname: 'loss',
        seconds: { trace: 2, lower: 0, compile: 1 }
      }),
      aFunction({ id: 'f3', name: '_where', origin: 'library' })
    ],
    traces: [
      aTrace(),
      aTrace({
        id: 'f1#2',
        started: 1,
        compared_with: 'f1#1',
        reasons: [
          { kind: 'new_shape', path: 'x', before: 'f32[3]', after: 'f32[4]' }
        ]
      }),
      aTrace({ id: 'f2#1', function: 'f2', started: 0.5 })
    ],
    annotations: [anAnnotation()],
    findings: [aFinding()],
    spans: [aSpan()],
    graphs: [aGraph()],
    listings: [aListing()],
    selected: 'f1#2',
    ...fields
  });
}
