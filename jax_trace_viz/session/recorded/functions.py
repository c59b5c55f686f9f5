"""The functions of a session, with their totals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.document import Function, Seconds, StaleValue
from jax_trace_viz.session.records import Records

if TYPE_CHECKING:
    from jax_trace_viz.contract.events import CallsCounted, FunctionSeen


class Functions:
    """Keeps one record for each function, found by the capture layer's number or by id."""

    def __init__(self) -> None:
        self.records: Records[Function] = Records()
        self._ids: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._definitions: dict[int, FunctionSeen] = {}

    def see(self, seen: FunctionSeen, version: int) -> None:
        """A function appears."""
        if seen.function in self._ids:
            return
        self._ids[seen.function] = identifier = f"f{len(self._ids) + 1}"
        self._numbers[identifier] = seen.function
        self._definitions[seen.function] = seen
        record = Function(
            id=identifier,
            name=seen.name,
            qualname=seen.qualname,
            file=seen.file,
            line=seen.line,
            end_line=seen.end_line,
            origin=seen.origin,
            source=seen.source,
        )
        self.records.put(identifier, record, version)

    def of(self, number: int) -> Function | None:
        """The function with this number, if it was seen."""
        identifier = self._ids.get(number)
        return None if identifier is None else self.records[identifier]

    def number_of(self, identifier: str) -> int:
        """The capture layer's number of a function."""
        return self._numbers[identifier]

    def definition(self, number: int) -> FunctionSeen:
        """How the function was told."""
        return self._definitions[number]

    def count_calls(self, counted: CallsCounted, version: int) -> None:
        """Calls were made."""
        function = self.of(counted.function)
        if function is not None:
            calls, fast = function.calls + counted.calls, function.fast_hits + counted.fast
            hits = function.cache_hits + counted.calls - counted.missed
            self._put(replace(function, calls=calls, cache_hits=hits, fast_hits=fast), version)

    def count_trace(self, function: Function, version: int) -> int:
        """A trace began; returns how many there are now."""
        self._put(replace(function, traces=function.traces + 1), version)
        return function.traces + 1

    def count_compilation(self, function: Function, version: int) -> None:
        """A program was compiled."""
        self._put(replace(function, compiles=function.compiles + 1), version)

    def spend(self, identifier: str, cost: Seconds, version: int) -> None:
        """Add to the costs of a function."""
        function = self.records[identifier]
        seconds = Seconds(
            trace=function.seconds.trace + cost.trace,
            lower=function.seconds.lower + cost.lower,
            compile=function.seconds.compile + cost.compile,
        )
        self._put(replace(function, seconds=seconds), version)

    def outdate(self, number: int, value: StaleValue, version: int) -> None:
        """Something that a function read from outside has changed; the newest change of each name counts."""
        function = self.of(number)
        if function is not None:
            others = [one for one in function.stale if one.name != value.name]
            self._put(replace(function, stale=[*others, value]), version)

    def _put(self, function: Function, version: int) -> None:
        self.records.put(function.id, function, version)
