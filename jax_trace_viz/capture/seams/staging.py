"""Seam `staging`: every staging trace of JAX, from its first tracer to its jaxpr.

`core.ensure_no_leaks(trace)` brackets each of them (jit, scan, while, branches, custom rules, remat, shard_map,
nested ones too), and `JaxprStackFrame.to_jaxpr`, inside that bracket, makes the final jaxpr. Both are called by these
names in all versions from 0.6.2 to 0.12. What is in the frame must be read before the bracket ends: JAX empties it
there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax._src import core
from jax._src.interpreters import partial_eval

from jax_trace_viz.capture.bodies import needed
from jax_trace_viz.capture.bodies.runs import trace_error
from jax_trace_viz.capture.jaxprs import captures, constants, unfinished
from jax_trace_viz.capture.jaxprs.staged import Staged
from jax_trace_viz.capture.patching import Patch
from jax_trace_viz.capture.state import Stage
from jax_trace_viz.capture.tracebacks import leave_us_out
from jax_trace_viz.contract.events import RunFailed
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from types import TracebackType

    from jax_trace_viz.capture.bodies.library_bodies import LibraryBodies
    from jax_trace_viz.capture.bodies.watching import Watcher
    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import ThreadState


class Staging:
    """Installs both patches and keeps the stack of stages."""

    name = "staging"

    def __init__(self, context: Context, watcher: Watcher, library: LibraryBodies) -> None:
        self._context = context
        self._watcher = watcher
        self._library = library
        self._guard = context.faults.guard(self.name)
        self._patches = [
            Patch(core, "ensure_no_leaks", self._bracket, parameters=("trace",)),
            Patch(partial_eval.JaxprStackFrame, "to_jaxpr", self._to_jaxpr, parameters=("self", "trace")),
        ]

    def install(self) -> None:
        """Puts the hooks in."""
        for patch in self._patches:
            patch.install()

    def remove(self) -> None:
        """Takes the hooks out."""
        for patch in self._patches:
            patch.remove()

    def _to_jaxpr(self, original: Any) -> Any:
        state, guard, seam = self._context.state, self._guard, self

        def to_jaxpr(frame: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                result = original(frame, *args, **kwargs)
            except BaseException as error:
                leave_us_out(error)
                raise
            with guard:
                stage = state.stages[-1] if state.stages else None
                if stage is not None and stage.frame is frame:
                    seam._staged(state, stage, *result[:2])
            return result

        return to_jaxpr

    def _staged(self, state: ThreadState, stage: Stage, jaxpr: Any, values: list[Any]) -> None:
        if stage.call is not None:
            with state.working():
                self._library.begin(state, stage)
        if stage.run is not None:
            self._keep(stage, jaxpr, values)

    def _keep(self, stage: Stage, jaxpr: Any, values: list[Any]) -> None:
        stage.jaxpr = jaxpr
        if values:
            # In 0.12 the constants are the first inputs until their values are attached, which happens later.
            stage.constants = [captures.identity_of(getattr(value, "original", value)) for value in values]
            variables = jaxpr.constvars or jaxpr.invars[: len(values)]
            # An array that is only handed back is baked into no computation.
            read = {id(atom) for equation in jaxpr.eqns for atom in equation.invars}
            used = [value for variable, value in zip(variables, values, strict=False) if id(variable) in read]
            stage.found = constants.found(used)

    def _bracket(self, original: Any) -> Any:
        seam = self

        class EnsureNoLeaks:
            __slots__ = ("_original", "_stage")

            def __init__(self, trace: Any) -> None:
                self._original = original(trace)
                self._stage: Stage | None = None
                with seam._guard:
                    self._stage = seam._begin(trace)

            def __enter__(self) -> Any:
                return self._original.__enter__()

            def __exit__(
                self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
            ) -> Any:
                stage, self._stage = self._stage, None
                if stage is not None:
                    with seam._guard:
                        seam._end(stage, error, traceback)
                try:
                    return self._original.__exit__(kind, error, traceback)
                except BaseException as leak:
                    with seam._guard:
                        if stage is not None and leak is not error:
                            seam._failed(stage, leak)
                    leave_us_out(leak)
                    raise

        return EnsureNoLeaks

    def _begin(self, trace: Any) -> Stage | None:
        state = self._context.state
        frame = getattr(trace, "frame", None)
        if frame is None or state.busy or self._guard.off:
            return None
        debug = getattr(frame, "debug_info", None)
        source = getattr(debug, "func_src_info", None) or ""
        file = source.rpartition(" at ")[2].rpartition(":")[0]
        owner = origin(file) if file else "user"
        now = self._context.clock()
        traced_for = str(getattr(debug, "traced_for", "unknown"))
        stage = Stage(frame=frame, traced_for=traced_for, owner=owner, source=source, began=now)
        stage.part_at = now  # what is over soon is written once
        stage.call = self._library.call_of_stage(state)
        state.stages.append(stage)
        self._context.live.begin(stage)
        self._watcher.staging_begins(state, stage)
        return stage

    def _end(self, stage: Stage, error: BaseException | None, traceback: TracebackType | None) -> None:
        context, state = self._context, self._context.state
        self._watcher.staging_ends(state, stage, error, traceback)
        if stage.call is not None:
            with self._guard, state.working():
                self._library.begin(state, stage)
                self._library.end(state, stage, trace_error(context, error, traceback) if error else None)
        while state.stages and state.stages.pop() is not stage:
            pass
        run = stage.run
        context.live.end(stage)
        frame, stage.frame = stage.frame, None
        if run is None:
            return
        if stage.jaxpr is not None:
            context.pending.add(Staged(run.number, stage.jaxpr, stage.constants, stage.found, run.captured, run.inputs))
        elif error is not None:
            # A failed trace has no jaxpr; what it had staged is still there, and is the picture the user needs most.
            found = constants.found(getattr(frame, "constvar_to_val", {}).values())
            part = unfinished.part(frame, run.inputs)
            part.needed = needed.variable(needed.tracer(error, traceback), frame)
            context.pending.write_part(run.number, part, found)

    def _failed(self, stage: Stage, leak: BaseException) -> None:
        if stage.run is not None:
            self._context.emit(
                RunFailed(run=stage.run.number, error=trace_error(self._context, leak, leak.__traceback__))
            )
