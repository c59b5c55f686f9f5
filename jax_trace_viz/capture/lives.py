"""How often each jitted callable was called, and which of them are gone.

A function object that is thrown away after one call costs a trace each time it is made again; one that is kept does
not. Which it is can only be seen from outside: by its end.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from jax_trace_viz.contract.events import Gone

if TYPE_CHECKING:
    from collections.abc import Iterable


class Lives:
    """Counts calls by the callable's number. Safe on any thread, and in the middle of a garbage collection."""

    def __init__(self) -> None:
        self._calls: dict[int, int] = {}
        self._gone: deque[tuple[int, int]] = deque()

    def call(self, callable: int, times: int = 1) -> None:
        """The callable was traced (`times` is 0) or called."""
        self._calls[callable] = self._calls.get(callable, 0) + times

    def end(self, number: int) -> None:
        """An object with this number is gone; what was neither traced nor called is passed over.

        Called while Python ends too, when this module's names are gone already.
        """
        calls = self._calls.pop(number, None)
        if calls is not None:
            self._gone.append((number, calls))

    def take(self) -> Iterable[Gone]:
        """The callables that are gone since the last look."""
        while self._gone:
            number, calls = self._gone.popleft()
            yield Gone(callable=number, calls=calls)
