/* Generated from schema.json by generate.mjs. */

/**
 * See the module's docstring. `session` names the recording; `number` counts its updates from 1.
 */
export interface Update {
  session: string;
  number: number;
  complete: boolean;
  started_at: number;
  cell: Cell;
  state: 'cut_off' | 'error' | 'ok' | 'running';
  verdict: string;
  environment: Environment;
  seconds: number;
  tally: Tally;
  functions: Function[];
  traces: Trace[];
  compilations: Compilation[];
  annotations: Annotation[];
  line_marks: LineMark[];
  expressions: Expressions[];
  findings: Finding[];
  advice: Advice[];
  spans: Span[];
  hits: Hits[];
  graphs: Graph[];
  listings: Listing[];
  selected: string | null;
  note: string;
  cells: Cell[];
  dropped: Dropped;
  faults: string[];
  schema_version: number;
}
/**
 * The notebook cell that was recorded. `id` is empty where the front end sends none.
 */
export interface Cell {
  id: string;
  execution_count: number | null;
  file: string | null;
  checksum: number | null;
}
/**
 * Where the program ran. `platform` is None as long as the program has started no backend.
 */
export interface Environment {
  python: string;
  jax: string | null;
  jaxlib: string | null;
  platform: string | null;
  devices: Device[];
  process_index: number | null;
  process_count: number | null;
  limited: string[];
}
/**
 * One device of the active platform, as JAX names it.
 */
export interface Device {
  id: number;
  platform: string;
  kind: string;
}
/**
 * A session in a few numbers. Only the user's functions count.
 */
export interface Tally {
  traces: number;
  retraces: number;
  seconds: number;
  trace: string | null;
}
/**
 * A function is its code: all objects made from the same `def` are one function.
 */
export interface Function {
  id: string;
  name: string;
  qualname: string;
  file: string | null;
  line: number | null;
  end_line: number | null;
  origin: 'library' | 'user';
  source: string | null;
  calls: number;
  traces: number;
  cache_hits: number;
  fast_hits: number;
  compiles: number;
  seconds: Seconds;
  stale: StaleValue[];
}
/**
 * Costs in seconds. Nested traces are contained in the outer trace's time.
 */
export interface Seconds {
  trace: number;
  lower: number;
  compile: number;
}
/**
 * A value from outside that has changed since a trace read it, while calls went on being cache hits.
 */
export interface StaleValue {
  name: string;
  kind: 'array' | 'contents' | 'function' | 'in_place' | 'value';
  before: string;
  after: string;
  place: Place;
  trace: string | null;
  computed: boolean;
}
/**
 * A line of the user's source.
 */
export interface Place {
  file: string;
  line: number;
}
/**
 * One run of a function's body that JAX caused; kind `call` is a helper that plain Python called inside one.
 */
export interface Trace {
  id: string;
  function: string;
  parent: string | null;
  kind: string;
  status: 'error' | 'ok' | 'running';
  call_site: Place | null;
  reasons: Reason[];
  compared_with: string | null;
  compared_before: EarlierTrace | null;
  discarded: number;
  error: TraceError | null;
  arguments: Argument[];
  constants: Constant[];
  outside: OutsideValue[];
  equations: EquationCount;
  jaxpr: string | null;
  started: number;
  seconds: number;
  thread: string;
  at_line: number | null;
}
/**
 * One thing that is true of why this trace or compilation happened; the decisive one comes first.
 */
export interface Reason {
  kind: string;
  path: string | null;
  before: string | null;
  after: string | null;
}
/**
 * A trace of an earlier session, as of a notebook's cell that ran before.
 */
export interface EarlierTrace {
  session: string;
  trace: string;
}
/**
 * The exception that ended a trace, and the innermost user line it came through, as the span of an expression.
 */
export interface TraceError {
  type: string;
  message: string;
  file: string | null;
  line: number | null;
  end_line: number | null;
  column: number | null;
  end_column: number | null;
}
/**
 * One leaf of the arguments, by key path (`params['w'][0]`).
 */
export interface Argument {
  path: string;
  role: 'donated' | 'static' | 'traced';
  type: string;
  value: string | null;
}
/**
 * An array that was captured from outside and baked into the program.
 */
export interface Constant {
  name: string | null;
  source: 'closure' | 'global' | 'unknown';
  type: string;
  bytes: number;
}
/**
 * A number, a text or another plain value that Python read from outside while tracing: fixed in the program.
 */
export interface OutsideValue {
  name: string;
  value: string;
  place: Place;
}
/**
 * Equations written once (`distinct`) and with every nested call expanded (`expanded`).
 */
export interface EquationCount {
  distinct: number;
  expanded: number;
}
/**
 * One XLA compilation (or persistent-cache load) of a lowered program.
 */
export interface Compilation {
  id: string;
  function: string;
  trace: string | null;
  call_site: Place | null;
  reasons: Reason[];
  persistent_cache: 'hit' | 'miss' | 'off';
  started: number;
  seconds: number;
  lower_seconds: number;
  cache_write: 'none' | 'not_written' | 'too_fast' | 'written';
  flops: number | null;
  bytes_accessed: number | null;
  memory: {
    [k: string]: number;
  };
  devices: string[];
  in_shardings: string[];
  out_shardings: string[];
}
/**
 * What one name of the user's source was in one trace: at entry for a parameter, at return or raise for a local.
 *
 * `earlier`: a name that several lines bind, on one that did before the last; only where that is certain.
 */
export interface Annotation {
  function: string;
  trace: string;
  file: string;
  line: number;
  name: string;
  binding: 'earlier' | 'local' | 'parameter';
  status: 'concrete_array' | 'mixed' | 'static' | 'traced';
  value: string | null;
  type: string;
  runs: number;
  parts: Part[];
  leaves: number;
  length: number | null;
  tracers: string[];
}
/**
 * One leaf of a container that holds values of several kinds, by its key path (`['w']`, `.layers[0]`).
 */
export interface Part {
  path: string;
  status: 'concrete_array' | 'mixed' | 'static' | 'traced';
  type: string;
  value: string | null;
}
/**
 * What became of lines of the user's source in one trace.
 *
 * `not_run`: a branch that was not taken, or a loop without rounds. `unrolled`: a Python loop, whose rounds are all in
 * the program one by one. `side_effect`: done by Python while tracing, and no part of the program.
 */
export interface LineMark {
  function: string;
  trace: string;
  file: string;
  line: number;
  end_line: number;
  kind: 'not_run' | 'side_effect' | 'unrolled';
  times: number;
  at_least: boolean;
  equations: number;
}
/**
 * The expressions that one trace's equations came from, in order of their place.
 */
export interface Expressions {
  trace: string;
  expressions: Expression[];
}
/**
 * A piece of the user's source that staged equations, by itself or in the functions it calls.
 *
 * Lines count from 1, columns are UTF-8 bytes from 0. Under differentiation one expression has a record for each
 * phase.
 */
export interface Expression {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  equations: number;
  primitives: string[];
  types: string[];
  phase: '' | 'backward' | 'forward';
  mapped: boolean;
}
/**
 * Something worth the user's attention, with what usually helps. `seconds` ranks findings.
 */
export interface Finding {
  kind: string;
  function: string | null;
  trace: string | null;
  text: string;
  fix: string | null;
  place: Place | null;
  seconds: number;
}
/**
 * What usually helps against the retraces of a function that have this decisive reason.
 */
export interface Advice {
  function: string;
  kind: string;
  path: string | null;
  text: string;
}
/**
 * A stretch on the timeline, in seconds since the session's begin.
 */
export interface Span {
  kind: 'compile' | 'lower' | 'trace';
  function: string;
  trace: string | null;
  started: number;
  seconds: number;
  depth: number;
  thread: string;
}
/**
 * Cache hits of a function, somewhere between two moments (seconds since the session's begin).
 *
 * When each call came is not looked at, because that would slow it; the counters are read now and then.
 */
export interface Hits {
  function: string;
  count: number;
  since: number;
  until: number;
}
/**
 * A laid out picture of one trace's computation graph. Open groups come before the boxes inside them.
 */
export interface Graph {
  trace: string;
  name: string;
  width: number;
  height: number;
  boxes: Box[];
  edges: Edge[];
  equations: number;
  note: string;
  links: Link[];
  overlay: Overlay | null;
  changes: Changes | null;
}
/**
 * A drawn box. Open groups contain other boxes, whose `parent` they are. Lengths are CSS pixels at 100 %.
 *
 * Texts stand in a monospace face, 11 px for `name` and `label`, 9 px for the rest. In a box they are centred: the
 * label's baseline 13.5 px below the top edge, then `detail` and each of `notes` 11 px further. In an open group one
 * line at the top left, baseline 12 px down: name, label, detail. It begins `heading` px right of where it would, 8 px
 * from the edge, so that no line runs through it.
 */
export interface Box {
  id: string;
  kind: 'argument' | 'constant' | 'group' | 'operation' | 'port' | 'result';
  label: string;
  detail: string;
  title: string;
  x: number;
  y: number;
  width: number;
  height: number;
  name: string;
  notes: string[];
  parent: string | null;
  open: boolean;
  part: boolean;
  heading: number;
  repeat: number;
  shown: number;
  copies: string[];
  phase: '' | 'backward' | 'forward';
  places: Place[];
  equations: number;
  bytes: number;
  flops: number | null;
}
/**
 * A drawn edge. `points` are x, y pairs of a poly-bezier: start, then (control, control, end) triples.
 */
export interface Edge {
  id: string;
  source: string;
  target: string;
  kind: 'bundle' | 'saved' | 'value';
  title: string;
  points: number[];
  label: string;
  values: EdgeValue[];
}
/**
 * Values that an edge stands for: those that are alike and go from one box to the same others.
 */
export interface EdgeValue {
  type: string;
  source: number;
  targets: number[];
  name: string;
  operation: string;
  count: number;
  bytes: number;
}
/**
 * That one box uses what another makes, whether a line is drawn for it or not. Neither is an open group.
 */
export interface Link {
  source: number;
  target: number;
  type: string;
  kind: 'carried' | 'saved' | 'value';
}
/**
 * What XLA made of a trace's equations, by the metadata of the executable that the program itself compiled.
 */
export interface Overlay {
  compilation: string;
  summary: string;
  kernels: KernelNote[];
  holding: number;
  boxes: BoxKernels[];
  flops: number | null;
  bytes_accessed: number | null;
  note: string;
}
/**
 * One kernel of the compiled program, see `Kernel`.
 */
export interface KernelNote {
  number: number;
  name: string;
  what: string;
  inside: string;
  bytes: number;
  equations: number;
  alike: number;
}
/**
 * Where the equations of one box ended up. The five counts add up to all of its equations, each counted once.
 */
export interface BoxKernels {
  kernels: number[];
  more: number;
  placed: number;
  alike: number;
  dead: number;
  constant: number;
  unknown: number;
  title: string;
}
/**
 * How a graph differs from that of another trace.
 */
export interface Changes {
  other: string;
  later: boolean;
  boxes: BoxChanges[];
  note: string;
}
/**
 * How the equations of one box differ from another trace's. The counts add up to all of its equations.
 */
export interface BoxChanges {
  same: number;
  only: number;
  changed: number;
  resized: number;
}
/**
 * A jaxpr as text, with the source line of every equation.
 */
export interface Listing {
  trace: string;
  lines: Line[];
  dropped: number;
}
/**
 * One line of a jaxpr listing.
 */
export interface Line {
  text: string;
  depth: number;
  place: Place | null;
  equation: number | null;
}
/**
 * What was not kept, so that nothing is silently missing.
 */
export interface Dropped {
  events: number;
  equations: number;
  details: number;
  memory_mb: number | null;
  calls: number;
}
/**
 * First answer to a client: what this kernel package speaks, and all sessions it still holds.
 */
export interface Hello {
  package_version: string;
  recording: boolean;
  updates: Update[];
  schema_version: number;
}
/**
 * What a client may ask over the request comm.
 */
export interface Request {
  id: number;
  method: 'cancel' | 'compare' | 'complete' | 'export' | 'graph' | 'hello' | 'picture' | 'record' | 'search';
  session: string | null;
  trace: string | null;
  other: string | null;
  open_boxes: string[];
  overlay: boolean;
  text: string;
  record: boolean | null;
  format: 'chrome_trace' | 'html' | 'json' | 'svg';
  cancelled: number | null;
}
/**
 * The answer to the request of the same `id`.
 */
export interface Answer {
  id: number;
  error: string | null;
  hello: Hello | null;
  update: Update | null;
  graph: Graph | null;
  listing: Listing | null;
  diff: JaxprDiff | null;
  found: Found | null;
  exported: string | null;
}
/**
 * What became of one trace's equations in another trace, those of nested jaxprs included, each counted once.
 */
export interface JaxprDiff {
  before: string;
  after: string;
  added: number;
  removed: number;
  changed: number;
  resized: number;
  same: number;
  lines: DiffLine[];
  note: string;
}
/**
 * One line of a comparison of two jaxprs.
 *
 * A changed equation is two lines, `before` and `after`. `skipped` stands for equations that are the same in both.
 */
export interface DiffLine {
  sign: 'added' | 'after' | 'before' | 'removed' | 'same' | 'skipped';
  text: string;
  depth: number;
  place: Place | null;
  sizes_only: boolean;
}
/**
 * The answer to a search: the first matches in the order of the program, those of equal copies told once.
 */
export interface Found {
  matches: Match[];
  equations: number;
  more: boolean;
}
/**
 * One place in a trace's jaxpr that a search found.
 */
export interface Match {
  box: string;
  open_boxes: string[];
  label: string;
  detail: string;
  where: string[];
  equations: number;
  place: Place | null;
}
