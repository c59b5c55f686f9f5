"""The numbered updates of one session."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from jax_trace_viz.session.front_end import view
from jax_trace_viz.session.front_end.growing import Growing
from jax_trace_viz.session.health import health_text
from jax_trace_viz.session.verdict import explains_the_end, is_notable

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.listing import JaxprDiff
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.contract.view import ExportFormat, Found, Update
    from jax_trace_viz.session import Session
    from jax_trace_viz.session.front_end.pictures import Picture

MAX_BYTES: Final = 1_000_000
"""Of one update. More in one message would stand in the way of the user's own output; the session cuts, and says so."""


class Feed:
    """Makes a session's updates, each with the next number. Used from any thread.

    Args:
        session: where the updates come from; they carry its name.
        cell: the cell that is recorded.
        function: the name of the function to show first.
        written_in: finds the cell whose code has a file name, if somebody can.
    """

    def __init__(
        self,
        session: Session,
        cell: Cell,
        function: str | None = None,
        written_in: Callable[[str], Cell | None] | None = None,
    ) -> None:
        self.name = session.name
        self._session = session
        self._cell = cell
        self._function = function
        session.tell_cell(cell)
        if written_in is not None:
            session.find_cells(written_in)
        self._growing = Growing()
        self._number = 0
        self._version: int | None = None  # the session's, when the newest update was made
        self._whole: Update | None = None  # the newest complete one, as long as nothing has changed
        self._lock = threading.Lock()

    def health(self) -> str:
        """How the recording itself does, in words."""
        return health_text(self._session)

    @property
    def is_current(self) -> bool:
        """Whether nothing has changed since the newest update."""
        return self._session.version == self._version

    def changes(self) -> Update | None:
        """The next update: what changed since the one before; None if nothing did."""
        with self._lock:
            return None if self.is_current else self._next(self._version)

    def next_complete(self) -> Update:
        """The next update, with everything in it."""
        with self._lock:
            return self._next(None)

    def complete(self) -> Update:
        """Everything, under the number of the newest update: what one client asks for leaves no gap for the others."""
        with self._lock:
            return self._whole if self._whole and self.is_current else self._update(None, self._number)

    def graph(
        self, trace: str, open_boxes: list[str], *, overlay: bool = False, other: str | None = None
    ) -> Graph | None:
        """The graph of a trace with these groups open; None if there is none, see `view.graph`."""
        return view.graph(self._session, trace, open_boxes, overlay=overlay, other=other)

    def picture(self, trace: str) -> Picture | None:
        """Graph and listing of any trace; None if there is no such trace."""
        return view.picture_of(self._session, trace)

    def compare(self, trace: str, other: str | None) -> JaxprDiff | None:
        """What differs between the jaxprs of two traces; None if one of them is not there."""
        return view.compare(self._session, trace, other)

    def search(self, trace: str, text: str) -> Found | None:
        """What a search finds in a trace; None if there is no such trace."""
        return view.found(self._session, trace, text)

    def export(self, form: ExportFormat) -> str:
        """The session as a file.

        Raises:
            LookupError: There is nothing to draw.
        """
        from jax_trace_viz.exports.registry import EXPORTERS  # loaded by who exports

        return EXPORTERS[form](self._session.document())

    def is_notable(self) -> bool:
        """Whether the session has something to say unasked."""
        return is_notable(self._session.document())

    def explains_the_end(self) -> bool:
        """Whether an error ended the session that we can explain: of JAX's, though nothing may have been traced."""
        return explains_the_end(self._session.document())

    def _next(self, since: int | None) -> Update:
        version = self._session.version
        update = self._update(since, self._number + 1)
        self._number += 1
        self._version = version
        self._whole = update if update.complete else None
        return update

    def _update(self, since: int | None, number: int) -> Update:
        return view.update(
            self._session,
            since=since,
            number=number,
            cell=self._cell,
            function=self._function,
            max_bytes=MAX_BYTES,
            growing=self._growing,
        )
