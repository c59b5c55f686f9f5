import type { Kernel, KernelMessage } from '@jupyterlab/services';
import { trans } from '../../model';
import { STREAM_TARGET } from '../../protocol';

/** Runs in the user's kernel and leaves no name behind. */
const LOAD = ['load_ext", "jax_trace_viz', 'jaxtrace", "on']
  .map(magic => `get_ipython().run_line_magic("${magic}")`)
  .join('\n');

/** Finds out whether a kernel has loaded our package, in a way that leaves no trace where it has not. */
export async function look(
  kernel: Kernel.IKernelConnection
): Promise<'foreign' | 'loaded' | 'absent'> {
  const spec = await kernel.spec;
  if (spec && spec.language.toLowerCase() !== 'python') {
    return 'foreign';
  }
  const { content } = await kernel.requestCommInfo({
    target_name: STREAM_TARGET
  });
  const isLoaded =
    content.status === 'ok' && Object.keys(content.comms).length > 0;
  return isLoaded ? 'loaded' : 'absent';
}

/**
 * Loads our package in a kernel and records all cells; one that is busy does it when its cell ends. Rejected with words for
 * the user.
 */
export async function loadIn(kernel: Kernel.IKernelConnection): Promise<void> {
  const future = kernel.requestExecute({
    code: LOAD,
    silent: true,
    store_history: false,
    stop_on_error: false
  });
  const { content } = await future.done;
  if (content.status === 'error') {
    throw new Error(whyNotLoaded(content));
  }
}

function whyNotLoaded({
  ename,
  evalue
}: KernelMessage.IReplyErrorContent): string {
  return ename === 'ModuleNotFoundError'
    ? trans.__(
        "The kernel's Python lacks jax_trace_viz (%1). Install it there with “pip install jax-trace-viz”.",
        evalue
      )
    : trans.__(
        'The kernel could not load jax_trace_viz: %1: %2',
        ename,
        evalue
      );
}
