"""The output of a recorded cell: one display, readable wherever the notebook is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from jax_trace_viz.exports import html, text
from jax_trace_viz.jupyter import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython.core.interactiveshell import InteractiveShell

    from jax_trace_viz.contract.view import Update

MIME: Final = "application/vnd.jax-trace-viz+json"


def bundle(update: Update) -> dict[str, Any]:
    """Our own type for the front end that knows it, else a picture without script, else words.

    Never a widget view: a saved one shows an error in place of the picture when the notebook is opened again.
    """
    return {MIME: wire.plain(update), "text/html": html.fallback(update), "text/plain": text.summary(update)}


def line_bundle(update: Update) -> dict[str, Any]:
    """The same for cells that nobody asked to record: the verdict alone where there is no front end of ours."""
    return {MIME: wire.plain(update), "text/html": html.verdict(update), "text/plain": text.line(update)}


def show_again(shell: InteractiveShell, update: Update) -> None:
    """Shows a recorded cell once more, as it is now."""
    shell.display_pub.publish(data=bundle(update), metadata={})


@runtime_checkable
class _KernelPublisher(Protocol):
    """Where displays can be changed later on: in a kernel, not in a terminal. Lets us see what is published."""

    def register_hook(self, hook: Callable[[dict[str, Any]], dict[str, Any]]) -> None: ...
    def unregister_hook(self, hook: Callable[[dict[str, Any]], dict[str, Any]]) -> bool: ...


class CellOutput:
    """Shown when the cell begins, so that it stands above what the cell prints, and complete when it ends.

    In a terminal, where nothing can be changed afterwards, only at the end.
    """

    def __init__(self, shell: InteractiveShell, display_id: str) -> None:
        self._publisher = shell.display_pub
        self._display_id = display_id
        self._shown = False

    def begin(self, update: Update) -> None:
        """Shows that the cell is recorded."""
        if isinstance(self._publisher, _KernelPublisher):
            self._publish(bundle(update))
            self._publisher.register_hook(self._watch)
            self._shown = True

    def end(self, update: Update) -> None:
        """Shows what was traced: in the same place, or anew where the cell has cleared its output meanwhile."""
        if isinstance(self._publisher, _KernelPublisher):
            self._publisher.unregister_hook(self._watch)
        self._publish(bundle(update), update=self._shown)

    def line(self, update: Update) -> None:
        """Shows one line for a cell that was recorded without being asked."""
        self._publish(line_bundle(update), metadata={MIME: {"collapsed": True}})

    def _publish(self, data: dict[str, Any], *, update: bool = False, metadata: dict[str, Any] | None = None) -> None:
        transient = {"display_id": self._display_id}
        self._publisher.publish(data=data, metadata=metadata or {}, transient=transient, update=update)

    def _watch(self, message: dict[str, Any]) -> dict[str, Any]:
        """The user's `clear_output` takes our output away too, and an update of it would go nowhere."""
        if message["msg_type"] == "clear_output":
            self._shown = False
        return message
