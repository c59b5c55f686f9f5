import type { OtherVersion } from '../protocol';

/** What to do where the packages of the page and of the kernel differ: one sentence. */
export function mendVersions({ age, version }: OtherVersion): string {
  const kernels = `The kernel's jax_trace_viz${version && ` ${version}`}`;
  switch (age) {
    case 'newer':
      return `${kernels} is newer than JupyterLab's: upgrade jax-trace-viz where JupyterLab is installed, then reload this page.`;
    case 'older':
      return `${kernels} is older than JupyterLab's: upgrade jax-trace-viz where the kernel runs, then restart the kernel.`;
    case 'other':
      return `${kernels} does not fit JupyterLab's: install the same jax-trace-viz in both places.`;
  }
}
