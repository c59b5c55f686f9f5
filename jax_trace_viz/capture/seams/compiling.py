"""Seam `compiles`: lowering, XLA compilation and the persistent compilation cache.

JAX's public monitoring events tell begin and end, with the function's name and nothing else; which call they belong
to is found on the thread. `pxla.MeshComputation.compile` brackets the compilation and has the executable, whose
analysis is read later, off the program's path. Event names are those of `jax.monitoring` in 0.6.2 to 0.12.
"""

from __future__ import annotations

import collections
import sys
from typing import TYPE_CHECKING, Any

import jax
from jax import monitoring
from jax._src import monitoring as monitoring_internals
from jax._src.interpreters import pxla
from msgspec.structs import replace

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.keys.transformed import transformations_of
from jax_trace_viz.capture.patching import MissingSeamError, Patch
from jax_trace_viz.capture.seams.executables import analysis
from jax_trace_viz.capture.seams.variants import Variant, variant
from jax_trace_viz.capture.state import UNNAMED, Compile, Dispatch, Forward, ThreadState
from jax_trace_viz.capture.tracebacks import leave_us_out
from jax_trace_viz.contract.events import Compiled, Lowered

if TYPE_CHECKING:
    from types import FrameType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.contract.document import CacheWrite
    from jax_trace_viz.contract.key import Key

_LOWERING = "/jax/core/compile/jaxpr_to_mlir_module_duration"
_COMPILING = "/jax/core/compile/backend_compile_duration"
_CACHE_HIT = "/jax/compilation_cache/cache_hits"
_CACHE_WRITTEN = "/jax/compilation_cache/cache_misses"
"""JAX counts as misses only the programs that it then writes."""
_CACHE_ASKED = (_CACHE_WRITTEN, "/jax/compilation_cache/compile_requests_use_cache")


class Compiling:
    """Listens to JAX's monitoring events and wraps `MeshComputation.compile`."""

    name = "compiles"

    def __init__(self, context: Context) -> None:
        self._context = context
        self._guard = context.faults.guard(self.name)
        self._patch = Patch(pxla.MeshComputation, "compile", self._wrap)
        self._finished: collections.deque[tuple[Compile, Any]] = collections.deque()
        self._begin = self._guarded(self._began)
        self._end = self._guarded(self._ended)
        self._event = self._guarded(self._happened)
        self._listening: list[tuple[str, Any]] = []
        for kind in ("scalar", "event_duration", "event"):
            _unregister(kind)

    def install(self) -> None:
        """Puts the hooks in."""
        for kind, listener, register in (
            ("scalar", self._begin, monitoring.register_scalar_listener),
            ("event_duration", self._end, monitoring.register_event_duration_secs_listener),
            ("event", self._event, monitoring.register_event_listener),
        ):
            self._listening.append((kind, listener))  # before it is in: an interrupt half-way has it taken out
            register(listener)
        self._patch.install()

    def remove(self) -> None:
        """Takes the hooks out."""
        self._patch.remove()
        while self._listening:
            self._guard.insist(lambda: _take_back(*self._listening[-1]))
            self._listening.pop()

    def flush(self) -> None:
        """Tells the compilations that have ended since the last flush, with what their executables say."""
        while self._finished:
            compile, executable = self._finished.popleft()
            self._tell(compile, executable)

    def _guarded(self, listener: Any) -> Any:
        guard = self._guard

        def listen(event: str, *values: Any, **details: Any) -> None:
            if not guard.off:
                with guard:
                    listener(event, *values, **details)

        return listen

    def _began(self, event: str, _value: float, **details: Any) -> None:
        state = self._context.state
        if event == _LOWERING:
            found = variant(sys._getframe(1))
            state.lowering.append(_match(state, _plain_name(details.get("fun_name")), found))
        elif event == _COMPILING:
            name = _plain_name(details.get("fun_name"))
            caller = sys._getframe(1)
            found = variant(caller)
            dispatch = _match(state, name, found)
            compile = Compile(dispatch, self._context.clock(), name=name, call_site=stack.place(caller))
            if found is not None:
                compile.key = self._variant_key(dispatch, found, caller)
            elif dispatch is not None and dispatch.key is None:
                dispatch.key = self._key(dispatch, caller)
            state.compiles.append(compile)

    def _ended(self, event: str, seconds: float, **details: Any) -> None:
        state, context = self._context.state, self._context
        if event == _LOWERING and state.lowering:
            dispatch = state.lowered = state.lowering.pop()
            function = self._function(dispatch, _plain_name(details.get("fun_name")))
            context.emit(
                Lowered(
                    function=function,
                    dispatch=dispatch.number if dispatch else None,
                    at=context.clock() - seconds,
                    seconds=seconds,
                )
            )
        elif event == _COMPILING and state.compiles:
            compile = state.compiles.pop()
            compile.seconds = seconds
            if state.analysed:
                state.analysed[-1].append(compile)
            else:
                self._finished.append((compile, None))

    def _happened(self, event: str, **_details: Any) -> None:
        compiles = self._context.state.compiles
        if not compiles:
            return
        if event == _CACHE_HIT:
            compiles[-1].cache = "hit"
        elif event in _CACHE_ASKED and compiles[-1].cache == "off" and _cache_in_use():
            compiles[-1].cache = "miss"
        if event == _CACHE_WRITTEN:
            compiles[-1].written = True

    def _wrap(self, original: Any) -> Any:
        seam = self

        def compile(computation: Any, *args: Any, **kwargs: Any) -> Any:
            done: list[Compile] = []
            seam._context.state.analysed.append(done)
            executable = None
            try:
                executable = original(computation, *args, **kwargs)
            except BaseException as error:
                leave_us_out(error)
                raise
            else:
                return executable
            finally:
                seam._context.state.analysed.pop()
                for one in done:
                    seam._finished.append((one, executable))

        return compile

    def _tell(self, compile: Compile, executable: Any) -> None:
        dispatch = compile.dispatch
        run = None
        if dispatch is not None and dispatch.run is not None and not dispatch.compiled:
            run, dispatch.compiled = dispatch.run.number, True
        found = analysis(executable)
        self._context.emit(
            Compiled(
                function=self._function(dispatch, compile.name),
                dispatch=dispatch.number if dispatch else None,
                run=run,
                key=compile.key or (dispatch.key if dispatch else None),
                call_site=compile.call_site,
                persistent_cache=compile.cache,
                cache_write=_cache_write(compile),
                at=compile.started,
                seconds=compile.seconds,
                flops=found.flops,
                bytes_accessed=found.bytes_accessed,
                memory=found.memory,
                devices=found.devices,
                in_shardings=found.in_shardings,
                out_shardings=found.out_shardings,
                program=self._context.programs.keep(executable) if run is not None else None,
                ahead_of_time=dispatch is not None and not dispatch.is_call,
            )
        )

    def _function(self, dispatch: Dispatch | None, name: str) -> int:
        functions = self._context.functions
        if dispatch is not None and dispatch.code is not None:
            return functions.of_code(dispatch.code, dispatch.alias)
        return functions.of_library(name)

    def _key(self, dispatch: Dispatch, frame: FrameType | None) -> Key | None:
        """The key of a call that hit the tracing cache: its arguments still lie in the frame of `cache_miss`."""
        fun = dispatch.fun() if dispatch.fun is not None else None
        while frame is not None and frame.f_code.co_name not in stack.CALLS:
            frame = frame.f_back
        if frame is None or fun is None or dispatch.code is None:
            return None
        values = frame.f_locals
        with self._context.state.working():
            key, _ = self._context.keys.of_call(
                fun,
                dispatch.info,
                values["args"],
                values["kwargs"],
                transformations_of(fun),
            )
            return key

    def _variant_key(self, dispatch: Dispatch | None, found: Variant, frame: FrameType | None) -> Key:
        fun = dispatch.fun() if dispatch is not None and dispatch.fun is not None else None
        number = 0 if fun is None else self._context.object_numbers.of(fun)
        with self._context.state.working():
            key = self._context.keys.of_program(found.text, found.inputs, number)
        made_of = self._made_of(dispatch, found, frame)
        told = [text for text in (made_of.respect, found.axes) if text]
        return replace(key, outer=made_of.key, program_detail=", ".join(told))

    def _made_of(self, dispatch: Dispatch | None, found: Variant, frame: FrameType | None) -> Forward:
        """The call that a program is made of, where there is no doubt which call that is."""
        if dispatch is None:
            return Forward(None, None, None, found.respect)
        state, code = self._context.state, id(dispatch.code)
        newest = state.newest_calls.get(code)
        if found.of_call:
            forward = Forward(newest, found.of_last_call, self._key(dispatch, frame), found.respect)
            state.forward[code] = forward
            return forward
        forward = state.forward.get(code)
        if forward is not None and found.of_last_call == forward.user_frame and newest == forward.call:
            return forward
        is_newest = dispatch.number == newest and dispatch.user_frame == found.of_last_call
        return Forward(newest, found.of_last_call, dispatch.key if is_newest else None, "")


def _match(state: ThreadState, name: str, found: Variant | None) -> Dispatch | None:
    """The newest call of a function that JAX names so; monitoring events carry no more than the name.

    JAX may call others between the trace and its compilation. What it makes of a traced program for a transformation
    may be compiled at any time after; it says where the function stands.
    """
    if found is not None and found.source in state.known:
        return state.known[found.source]
    for dispatch in (state.last, state.lowered):
        if dispatch is not None and dispatch.name == name:
            return dispatch
    waiting = (d for d in reversed(state.traced) if d.name == name and not d.compiled)
    return next(waiting, None)


def _plain_name(name: str | None) -> str:
    """`jit(f)` → `f`."""
    if not name:
        return "unknown"
    name = name[name.index("(") + 1 : -1] if name.endswith(")") and "(" in name else name
    return UNNAMED if name.startswith("<unnamed") else name


def _cache_write(compile: Compile) -> CacheWrite:
    """What became of a program that was not in the persistent cache."""
    if compile.cache != "miss":
        return "none"
    least: object = getattr(jax.config, "jax_persistent_cache_min_compile_time_secs", None)
    too_fast = isinstance(least, int | float) and compile.seconds < least
    return "written" if compile.written else "too_fast" if too_fast else "not_written"


def _cache_in_use() -> bool:
    """JAX reports requests even where no persistent cache is set."""
    return bool(getattr(jax.config, "jax_compilation_cache_dir", None))


def _take_back(kind: str, listener: Any) -> None:
    _unregister(kind)(listener)


def _unregister(kind: str) -> Any:
    """The function that takes a listener back: public since 0.8, under another name before."""
    for owner in (monitoring, monitoring_internals):
        for name in (f"unregister_{kind}_listener", f"_unregister_{kind}_listener_by_callback"):
            if hasattr(owner, name):
                return getattr(owner, name)
    raise MissingSeamError(f"jax.monitoring cannot unregister {kind} listeners")
