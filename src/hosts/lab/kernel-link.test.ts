import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_DRAWING, SessionStore } from '../../store';
import { FakeContext, FakeKernel, settle } from './testing/kernel';
import { aGraph, aSession, anUpdate } from '../../testing/records';
import type { Hello, Update } from '../../protocol';
import { IOptions, KernelLink } from './kernel-link';

let kernel: FakeKernel;
let context: FakeContext;
let store: SessionStore;
let link: KernelLink;
const isOwn = vi.fn<IOptions['isOwn']>();
const loadsByItself = vi.fn<IOptions['loadsByItself']>();

beforeEach(() => {
  kernel = new FakeKernel();
  context = new FakeContext(kernel);
  store = new SessionStore();
  isOwn.mockReturnValue(true);
  loadsByItself.mockReturnValue(false);
});

async function connect(): Promise<void> {
  link = new KernelLink({
    context: context.context,
    store,
    isOwn,
    loadsByItself
  });
  await settle();
}

const hello = (updates: Update[] = [], recording = false): Hello => ({
  package_version: '0.1.0',
  recording,
  updates,
  schema_version: 1
});
const methods = (): string[] => kernel.asked.map(({ method }) => method);
const part = (number: number): Update =>
  anUpdate({ number, complete: false, state: 'running' });

describe('when a notebook opens', () => {
  it('gets all that the kernel holds', async () => {
    await connect();
    expect(methods()).toEqual(['hello']);
    context.answer({ hello: hello([aSession()], true) });
    await settle();
    expect(store.connection).toMatchObject({
      status: 'connected',
      recording: true
    });
    expect(store.newest?.id).toBe('s1');
  });

  it('opens no comm in a kernel that has not loaded our package', async () => {
    kernel.loaded = false;
    await connect();
    expect(kernel.comms).toEqual([]);
    expect(store.connection.status).toBe('absent');
  });

  it('leaves kernels of other languages alone', async () => {
    kernel.spec = Promise.resolve({ language: 'R' });
    await connect();
    expect(kernel.comms).toEqual([]);
    expect(store.connection.status).toBe('foreign');
  });

  it('knows that there is no kernel', async () => {
    context.kernel = null;
    await connect();
    expect(store.connection.status).toBe('none');
  });

  it('asks once, though two signals come', async () => {
    await connect();
    context.kernelChanged.emit({});
    await settle();
    expect(methods()).toEqual(['hello']);
  });
});

describe('a kernel that has not loaded our package', () => {
  beforeEach(() => {
    kernel.loaded = false;
  });

  it('is left alone, until it is asked to', async () => {
    await connect();
    expect(kernel.executed).toEqual([]);
    await link.load();
    expect(kernel.executed).toEqual([
      'get_ipython().run_line_magic("load_ext", "jax_trace_viz")\n' +
        'get_ipython().run_line_magic("jaxtrace", "on")'
    ]);
  });

  it('is asked at once where the user wants that, and says nothing if it cannot', async () => {
    loadsByItself.mockReturnValue(true);
    kernel.reply = {
      status: 'error',
      ename: 'ModuleNotFoundError',
      evalue: ''
    };
    await connect();
    expect(kernel.executed).toHaveLength(1);
    expect(store.connection.status).toBe('absent');
  });

  it('says what it lacks', async () => {
    await connect();
    const evalue = "No module named 'jax_trace_viz'";
    kernel.reply = { status: 'error', ename: 'ModuleNotFoundError', evalue };
    await expect(link.load()).rejects.toThrow('pip install jax-trace-viz');
    kernel.reply = { status: 'error', ename: 'OSError', evalue: 'disk' };
    await expect(link.load()).rejects.toThrow('OSError: disk');
  });
});

it('knows that its kernel died', async () => {
  await connect();
  context.statusChanged.emit('dead');
  expect(store.connection.status).toBe('dead');
});

describe('what is overheard', () => {
  it('fills the store while a cell runs, loaded in the very same cell', async () => {
    kernel.loaded = false;
    await connect();
    context.tell({ jax_trace_viz: part(1) });
    expect(store.newest?.recording.newest.state).toBe('running');
    expect(store.connection.status).toBe('connected');
    await settle();
    expect(methods()).toEqual(['hello']);
  });

  it('stays out when it is no update of ours', async () => {
    await connect();
    context.tell({ jax_trace_viz: { session: 7 } });
    context.tell({ jax_trace_viz: { ...part(1), schema_version: 99 } });
    context.tell({ something: 'else' });
    isOwn.mockReturnValue(false);
    context.tell({ jax_trace_viz: part(1) }, 'client-2');
    expect(isOwn).toHaveBeenLastCalledWith(expect.anything(), 'client-2');
    expect(store.sessions).toEqual([]);
  });

  it('is completed where something got lost', async () => {
    await connect();
    context.answer({ hello: hello() });
    context.tell({ jax_trace_viz: part(1) });
    await settle();
    expect(methods()).toEqual(['hello']);
    context.tell({ jax_trace_viz: part(3) });
    context.tell({ jax_trace_viz: part(4) });
    await settle();
    expect(methods()).toEqual(['hello', 'complete']);
    expect(kernel.asked.at(-1)?.session).toBe('s1');
    context.answer({ update: anUpdate({ number: 5, verdict: 'All of it.' }) });
    await settle();
    expect(store.newest?.recording.newest.verdict).toBe('All of it.');
    expect(store.incomplete()).toEqual([]);
  });

  it('tells that the extension was unloaded, and loaded again', async () => {
    await connect();
    context.answer({ hello: hello() });
    context.tell({ jax_trace_viz_bye: {} });
    expect(store.connection.status).toBe('absent');
    expect(link.isConnected).toBe(false);
    context.tell({ jax_trace_viz_hello: hello([], true) });
    expect(store.connection).toMatchObject({
      status: 'connected',
      recording: true
    });
  });
});

describe('when the kernel restarts', () => {
  it('forgets it, and looks again when it is back', async () => {
    await connect();
    context.answer({ hello: hello([part(1)]) });
    await settle();
    kernel.loaded = false;
    context.statusChanged.emit('restarting');
    expect(store.connection.status).toBe('asking');
    expect(store.newest?.cutOff).toBe(true);
    expect(kernel.comms[0]?.isDisposed).toBe(true);
    context.statusChanged.emit('idle');
    await settle();
    expect(store.connection.status).toBe('absent');
  });

  it('takes no late answer of the old one', async () => {
    await connect();
    context.statusChanged.emit('restarting');
    context.answer({ hello: hello([aSession()]) });
    await settle();
    expect(store.sessions).toEqual([]);
  });
});

it('asks for all again when the connection was lost', async () => {
  await connect();
  context.connectionStatusChanged.emit('connecting');
  context.connectionStatusChanged.emit('connected');
  await settle();
  expect(methods()).toEqual(['hello', 'hello']);
});

it('asks for a graph with groups open, and passes errors on', async () => {
  await connect();
  store.put(aSession(), 'kernel');
  const opened = link.questions.openGraph('s1', 'f1#1', {
    ...DEFAULT_DRAWING,
    boxes: ['g']
  });
  await settle();
  expect(kernel.asked.at(-1)).toMatchObject({
    method: 'graph',
    session: 's1',
    trace: 'f1#1',
    open_boxes: ['g']
  });
  context.answer({ graph: aGraph() });
  await opened;
  expect(store.session('s1')?.openedGraphs.get('f1#1')?.drawing.boxes).toEqual([
    'g'
  ]);

  const refused = link.questions.openGraph('s1', 'f1#9', DEFAULT_DRAWING);
  await settle();
  context.answer({ error: 'No such trace.' });
  await expect(refused).rejects.toThrow('No such trace.');
});

it('takes back what nobody waits for any more, and says so', async () => {
  await connect();
  store.put(aSession(), 'kernel');
  const stop = new AbortController();
  const opened = link.questions.openPicture('s1', 'f1#1', stop.signal);
  await settle();
  const { id } = kernel.asked.at(-1) ?? {};
  stop.abort();
  await expect(opened).rejects.toThrow('Cancelled.');
  expect(kernel.asked.at(-1)).toMatchObject({
    method: 'cancel',
    cancelled: id
  });
  const count = kernel.asked.length;
  const late = link.questions.openPicture('s1', 'f1#1', stop.signal);
  await expect(late).rejects.toThrow('Cancelled.');
  expect(kernel.asked, 'what is not asked is not taken back').toHaveLength(
    count
  );
});

it('draws nothing ahead as long as something is asked', async () => {
  await connect();
  context.answer({ hello: hello() });
  store.put(aSession(), 'kernel');
  link.questions.foreseeGraph('s1', 'f1#1', DEFAULT_DRAWING);
  await settle();
  link.questions.foreseeGraph('s1', 'f1#2', DEFAULT_DRAWING);
  await settle();
  expect(methods()).toEqual(['hello', 'graph']);
});

it('reads a graph from the buffer beside its message', async () => {
  await connect();
  store.put(aSession(), 'kernel');
  const opened = link.questions.openGraph('s1', 'f1#1', DEFAULT_DRAWING);
  await settle();
  context.answerBeside(id => JSON.stringify({ id, graph: aGraph() }));
  await opened;
  expect(store.session('s1')?.openedGraphs.get('f1#1')?.graph).toEqual(
    aGraph()
  );

  const broken = link.questions.openGraph('s1', 'f1#9', DEFAULT_DRAWING);
  await settle();
  context.answerBeside(() => '{"id": 1, "graph": {"boxe');
  await expect(broken).rejects.toThrow('cannot be read');
});

it('asks for what a search finds', async () => {
  await connect();
  store.put(aSession(), 'kernel');
  const searched = link.questions.searchGraph('s1', 'f1#1', 'mul');
  await settle();
  expect(kernel.asked.at(-1)).toMatchObject({
    method: 'search',
    session: 's1',
    trace: 'f1#1',
    text: 'mul'
  });
  const found = { matches: [], equations: 2, more: true };
  context.answer({ found });
  expect(await searched).toEqual(found);
});

it('takes answers to itself only', async () => {
  await connect();
  const id = kernel.asked.at(-1)?.id;
  context.tell({
    jax_trace_viz_answer: { id, hello: hello([aSession()]) },
    to: 'comm-of-another-page'
  });
  await settle();
  expect(store.sessions).toEqual([]);
});

it('hears nothing any more once disposed', async () => {
  await connect();
  link.dispose();
  context.tell({ jax_trace_viz: part(1) });
  expect(store.sessions).toEqual([]);
  expect(kernel.comms[0]?.isDisposed).toBe(true);
});
