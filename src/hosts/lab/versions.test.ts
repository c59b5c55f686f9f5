import { beforeEach, describe, expect, it } from 'vitest';
import { Hello, SCHEMA_VERSION } from '../../protocol';
import { DEFAULT_DRAWING, SessionStore } from '../../store';
import { aGraph, aSession, anUpdate } from '../../testing/records';
import { KernelLink } from './kernel-link';
import { FakeContext, FakeKernel, settle } from './testing/kernel';

let kernel: FakeKernel;
let context: FakeContext;
let store: SessionStore;
let link: KernelLink;

beforeEach(() => {
  kernel = new FakeKernel();
  context = new FakeContext(kernel);
  store = new SessionStore();
});

async function connect(): Promise<void> {
  link = new KernelLink({
    context: context.context,
    store,
    isOwn: () => true,
    loadsByItself: () => false
  });
  await settle();
}

const hello = (schema = SCHEMA_VERSION): Hello => ({
  package_version: '9.0.0',
  recording: false,
  updates: [aSession()],
  schema_version: schema
});

describe('a package in the kernel of another version than ours', () => {
  const newer = hello(SCHEMA_VERSION + 1);

  it('is said, when it is one that we cannot read, and left alone', async () => {
    await connect();
    context.answer({ hello: newer });
    await settle();
    expect(store.connection).toMatchObject({
      status: 'unreadable',
      otherVersion: { age: 'newer', version: '9.0.0' }
    });
    expect(store.sessions).toEqual([]);
    expect(kernel.comms[0]?.isDisposed).toBe(true);
    context.tell({ jax_trace_viz: anUpdate({ schema_version: 99 }) });
    context.tell({ jax_trace_viz_hello: newer });
    await settle();
    expect(kernel.comms).toHaveLength(1);
    expect(store.connection.status).toBe('unreadable');
  });

  it('is said, when it is loaded later', async () => {
    kernel.loaded = false;
    await connect();
    context.tell({ jax_trace_viz_hello: newer });
    expect(store.connection.status).toBe('unreadable');
    expect(kernel.comms).toEqual([]);
  });

  it('is heard again once it is one that we can read', async () => {
    await connect();
    context.tell({ jax_trace_viz_hello: newer });
    context.tell({ jax_trace_viz_hello: hello() });
    await settle();
    expect(store.connection).toMatchObject({
      status: 'connected',
      otherVersion: null
    });
    expect(kernel.asked.map(({ method }) => method)).toEqual(['hello']);
  });

  it('serves on, when it is an older one that we can read', async () => {
    await connect();
    context.answer({ hello: hello(SCHEMA_VERSION - 1) });
    await settle();
    expect(store.connection).toMatchObject({
      status: 'connected',
      otherVersion: { age: 'older', version: '9.0.0' }
    });
    expect(store.newest?.id).toBe('s1');
  });

  it('is said, when what it tells has not the form that it claims', async () => {
    await connect();
    const odd = { ...hello(), updates: 'none' } as unknown as Hello;
    context.answer({ hello: odd });
    expect(store.connection).toMatchObject({
      status: 'unreadable',
      otherVersion: { age: 'other' }
    });
  });

  it('leaves no question open, when its answer cannot be read', async () => {
    await connect();
    const opened = link.questions.openGraph('s1', 'f1#1', DEFAULT_DRAWING);
    await settle();
    context.answer({
      graph: { boxes: 7 } as unknown as ReturnType<typeof aGraph>
    });
    await expect(opened).rejects.toThrow('of another version');
  });
});
