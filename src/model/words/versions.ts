import type { OtherVersion } from '../../protocol';
import { trans } from './language';

/** What to do where the packages of the page and of the kernel differ: one sentence. */
export function mendVersions({ age, version }: OtherVersion): string {
  const name = version ? `jax_trace_viz ${version}` : 'jax_trace_viz';
  switch (age) {
    case 'newer':
      return trans.__(
        "The kernel's %1 is newer than JupyterLab's: upgrade jax-trace-viz where JupyterLab is installed, then reload this page.",
        name
      );
    case 'older':
      return trans.__(
        "The kernel's %1 is older than JupyterLab's: upgrade jax-trace-viz where the kernel runs, then restart the kernel.",
        name
      );
    case 'other':
      return trans.__(
        "The kernel's %1 does not fit JupyterLab's: install the same jax-trace-viz in both places.",
        name
      );
  }
}
