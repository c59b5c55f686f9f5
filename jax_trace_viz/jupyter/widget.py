"""The same views as a widget, for VS Code, Colab and marimo, and for whoever asks for one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.view import Hello
from jax_trace_viz.jupyter import wire
from jax_trace_viz.jupyter.answers import UnanswerableError, answer
from jax_trace_viz.jupyter.feed import Feed
from jax_trace_viz.jupyter.hosts import prepare_widgets
from jax_trace_viz.version import package_version

if TYPE_CHECKING:
    from jax_trace_viz.session import Session

_INTERVAL: Final = 0.5


def bundle(path: Path = Path(__file__).parent / "static" / "widget.js") -> Path:
    """The widget's JavaScript.

    Raises:
        ImportError: It is not built, which happens only in a checkout.
    """
    if not path.is_file():
        raise ImportError(f"The widget's JavaScript is missing ({path}): run `make build` in the checkout.")
    return path


class TraceWidget(anywidget.AnyWidget):
    """Shows one session.

    Args:
        session: what to show; it may still be filling.
        function: the name of the function to show first.
    """

    _esm = bundle()
    update = traitlets.Dict().tag(sync=True)
    """A complete `Update`, so that a view which is drawn late, or from a saved notebook, misses nothing."""

    def __init__(self, session: Session, function: str | None = None) -> None:
        self._feed = Feed(session, Cell(), function)
        self._refreshed = time.monotonic()
        prepare_widgets()
        super().__init__(update=wire.plain(self._feed.next_complete()))
        self.on_msg(self._asked)

    def refresh(self, *, now: bool = False) -> None:
        """Shows what has been added since, at most twice a second unless it must be `now`."""
        if now or (not self._feed.is_current and time.monotonic() - self._refreshed >= _INTERVAL):
            self.update = wire.plain(self._feed.next_complete())
            self._refreshed = time.monotonic()

    def _asked(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        if "request" in content:
            self.send({"answer": wire.plain(answer(content["request"], _Alone(self._feed)))})


class _Alone:
    """Answers for one session (see `answers.Desk`)."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    def feed(self, session: str | None) -> Feed | None:
        return self._feed if session == self._feed.name else None

    def hello(self) -> Hello:
        return Hello(package_version=package_version(), recording=False, updates=[self._feed.complete()])

    def record(self, *, on: bool) -> None:
        raise UnanswerableError(
            f"A widget cannot switch recording; `%jaxtrace {'on' if on else 'off'}` in a cell does."
        )
