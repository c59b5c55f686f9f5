import { expect, it, vi } from 'vitest';
import { SessionStore } from '../../store';
import { anUpdate } from '../../testing/records';
import { KernelLink } from './kernel-link';
import { FakeContext, FakeKernel, settle } from './testing/kernel';

it('says that a kernel which was busy before our package was loaded answers late', async () => {
  vi.useFakeTimers();
  const kernel = new FakeKernel();
  const context = new FakeContext(kernel);
  const store = new SessionStore();
  kernel.loaded = false;
  kernel.status = 'busy';
  const link = new KernelLink({
    context: context.context,
    store,
    isOwn: () => true,
    loadsByItself: () => false
  });
  await settle();
  context.tellStatus('busy', 'execute_request');
  await vi.advanceTimersByTimeAsync(2000);
  expect(store.connection.late, 'nobody answers yet').toBe(false);

  context.tell({ jax_trace_viz: anUpdate({ number: 1, state: 'running' }) });
  await vi.advanceTimersByTimeAsync(2000);
  expect(store.connection.late).toBe(true);

  context.tellStatus('busy', 'debug_request');
  context.tellStatus('idle', 'debug_request');
  expect(store.connection.late, 'the cell goes on').toBe(true);
  context.tellStatus('idle', 'execute_request');
  expect(store.connection.late).toBe(false);
  link.dispose();
  vi.useRealTimers();
});
