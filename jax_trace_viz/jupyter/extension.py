"""`%load_ext jax_trace_viz` and `%unload_ext jax_trace_viz`."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from jax_trace_viz.jupyter.magic import Magic
from jax_trace_viz.jupyter.options import drop_line
from jax_trace_viz.jupyter.recorder import Recorder
from jax_trace_viz.jupyter.rpc import Rpc
from jax_trace_viz.jupyter.stream import announce, withdraw

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jax_trace_viz.jupyter.protocols import Start


class _Extension:
    """What is installed in one shell."""

    def __init__(self, shell: InteractiveShell, start: Start) -> None:
        self._recorder = recorder = Recorder(shell, start)
        self._rpc = Rpc(recorder)
        self._magic = Magic(shell, recorder)
        self._magic.register()
        shell.input_transformers_cleanup.append(drop_line)
        shell.events.register("pre_run_cell", recorder.before)
        shell.events.register("post_run_cell", recorder.after)
        announce(recorder.hello())

    def remove(self, shell: InteractiveShell) -> None:
        """Leaves the shell as it was, in the middle of a recorded cell too."""
        shell.input_transformers_cleanup.remove(drop_line)
        shell.events.unregister("pre_run_cell", self._recorder.before)
        shell.events.unregister("post_run_cell", self._recorder.after)
        self._magic.unregister()
        self._recorder.end()
        self._rpc.close()
        withdraw()


_installed: weakref.WeakKeyDictionary[InteractiveShell, _Extension] = weakref.WeakKeyDictionary()


def load(shell: InteractiveShell, start: Start) -> None:
    """Installs the magic. Does nothing where it is installed."""
    if shell not in _installed:
        _installed[shell] = _Extension(shell, start)


def unload(shell: InteractiveShell) -> None:
    """Takes everything out again. Does nothing where nothing is installed."""
    extension = _installed.pop(shell, None)
    if extension is not None:
        extension.remove(shell)
