"""The lowerings and compilations of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.contract.document import Compilation, Function, Reason, Trace
from jax_trace_viz.session.records import Records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.events import Compiled, Lowered
    from jax_trace_viz.contract.program import CompiledProgram


class Lowering(msgspec.Struct, kw_only=True, frozen=True):
    """A jaxpr was lowered to StableHLO."""

    function: str
    trace: str | None
    started: float
    seconds: float


class Compilations:
    """Keeps one record for each compilation; a lowering waits for the compilation that follows it."""

    def __init__(self) -> None:
        self.records: Records[Compilation] = Records()
        self.lowerings: list[Lowering] = []
        self.programs: dict[str, CompiledProgram] = {}
        """What XLA made of those that were looked at."""
        self.numbers: dict[str, int] = {}
        """Under which number the capture can read a compilation's program."""
        self._waiting: dict[tuple[int | None, str], float] = {}

    def lower(self, event: Lowered, function: Function, trace: Trace | None) -> None:
        """A jaxpr was lowered."""
        lowering = Lowering(function=function.id, trace=trace and trace.id, started=event.at, seconds=event.seconds)
        self.lowerings.append(lowering)
        self._waiting[event.dispatch, function.id] = event.seconds

    def compile(
        self, event: Compiled, function: Function, trace: Trace | None, reasons: list[Reason], version: int
    ) -> None:
        """A program was compiled."""
        identifier = f"c{len(self.records) + 1}"
        record = Compilation(
            id=identifier,
            function=function.id,
            trace=trace and trace.id,
            call_site=event.call_site,
            reasons=reasons,
            persistent_cache=event.persistent_cache,
            cache_write=event.cache_write,
            started=event.at,
            seconds=event.seconds,
            lower_seconds=self._waiting.pop((event.dispatch, function.id), 0.0),
            flops=event.flops,
            bytes_accessed=event.bytes_accessed,
            memory=event.memory,
            devices=event.devices,
            in_shardings=event.in_shardings,
            out_shardings=event.out_shardings,
        )
        self.records.put(identifier, record, version)
        if event.program is not None:
            self.numbers[identifier] = event.program


def compilation_of(compilations: Sequence[Compilation], trace: str) -> Compilation | None:
    """The newest compilation of a trace."""
    return next((one for one in reversed(compilations) if one.trace == trace), None)
