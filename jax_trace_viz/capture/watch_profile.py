"""Body runs on Python 3.11: a profiler armed from the begin of a trace to the first user function it calls.

CPython keeps the locals of a frame that is held as they stood at return or raise, so the frame itself tells them when
the trace ends. It is read before JAX looks for leaked tracers, then let go of.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jax._src import core, linear_util
from jax._src.custom_batching import custom_vmap_p
from jax._src.interpreters import batching

from jax_trace_viz.capture import marks, partial, stack
from jax_trace_viz.capture.bodies import is_own
from jax_trace_viz.capture.functions import is_user_function
from jax_trace_viz.capture.patching import MissingSeamError, Patch, PatchedEntry
from jax_trace_viz.capture.runs import Runs, trace_error

if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import Run, Stage, ThreadState

_BATCHERS = [t for t in (batching.primitive_batchers, batching.fancy_primitive_batchers) if isinstance(t, dict)]
"""JAX's tables of batching rules; since 0.10 the first is no dict, but passes on to the second."""
_LIBRARY_CALLS = 20_000
"""Calls to look through when a library's function is traced, which may never come to one of the user's."""
_EAGER = {
    "_batch_inner",
    "jvp",
    "jvpfun",
    "jvp_subtrace",
    "jvp_subtrace_2",
    "vjp",
    "linearize",
    "linearize_jaxpr",
    "_linearize_jaxpr",
    "linearize_subtrace",
    "linearize_subtrace_2",
    "direct_linearize",
    "_run_shmap",
}
"""JAX functions that run a body under `core.set_current_trace` without staging it."""


class ProfileWatcher:
    """See the module's docstring."""

    name = "bodies"

    def __init__(self, context: Context, runs: Runs) -> None:
        self._context = context
        self._runs = runs
        self._guard = context.faults.guard(self.name)
        self._user: dict[int, tuple[CodeType, bool]] = {}
        self._patches = [
            Patch(core, "set_current_trace", self._bracket),
            Patch(linear_util.WrappedFun, "call_wrapped", self._wrap, parameters=("self",)),
            *(PatchedEntry(table, custom_vmap_p, self._wrap_rule) for table in _BATCHERS if custom_vmap_p in table),
        ]
        self._installed = False
        self._hindered = False

    def install(self) -> None:
        """Puts the hooks in."""
        if sys.getprofile() is not None:
            raise MissingSeamError("another profiler is running")
        for patch in self._patches:
            patch.install()
        self._installed = True

    def remove(self) -> None:
        """Takes the hooks out."""
        if not self._installed:
            return
        self._installed = False
        for patch in self._patches:
            patch.remove()
        self._disarm(self._context.state)

    def staging_begins(self, state: ThreadState, stage: Stage) -> None:
        """Looks out for the body that this trace runs."""
        # A function of JAX's own may call the user's (`lax.map` wraps it), but only below a transformation.
        if stage.owner != "jax" or stack.cause(sys._getframe(2)).kind:
            stage.looks = self._arm(state, _LIBRARY_CALLS if stage.owner == "library" else None)

    def staging_ends(
        self, state: ThreadState, stage: Stage, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Ends the runs whose frames were kept for this trace."""
        if stage.looks:
            self._disarm(state)
        runs, stage.held = stage.held, []
        self._let_go(state, runs, stage, error, traceback)

    def _bracket(self, original: Any) -> Any:
        watcher = self

        class SetCurrentTrace(original):
            __slots__ = ("_eager", "_looks")

            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **kwargs)
                self._eager = self._looks = False

            def __enter__(self) -> Any:
                with watcher._guard:
                    if watcher._runs_eagerly(sys._getframe(1)):
                        self._eager, self._looks = True, watcher._arm(watcher._context.state)
                return super().__enter__()

            def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
                if self._eager:
                    with watcher._guard:
                        watcher._ends_eagerly(error, traceback, looks=self._looks)
                return super().__exit__(kind, error, traceback)

        return SetCurrentTrace

    def _wrap(self, original: Any) -> Any:
        """Custom rules, and in JAX 0.6 most bodies, are called through `linear_util`, which knows the function."""
        state = self._context.state

        def call_wrapped(wrapped: Any, *args: Any, **kwargs: Any) -> Any:
            if state.busy or not is_own(wrapped.f):
                return original(wrapped, *args, **kwargs)
            return self._armed(original, wrapped, *args, **kwargs)

        return call_wrapped

    def _wrap_rule(self, original: Any) -> Any:
        """The rule of a `custom_vmap` is called by its batching rule, with nothing around it that tells."""

        def batch(*args: Any, **kwargs: Any) -> Any:
            return self._armed(original, *args, **kwargs)

        return batch

    def _armed(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        looks = False
        with self._guard:
            looks = self._arm(self._context.state)
        try:
            result = original(*args, **kwargs)
        except BaseException as error:
            with self._guard:
                self._ends_eagerly(error, error.__traceback__, looks=looks)
            raise
        with self._guard:
            self._ends_eagerly(None, None, looks=looks)
        return result

    def _runs_eagerly(self, caller: FrameType) -> bool:
        return caller.f_code.co_name in _EAGER and not self._context.state.busy

    def _ends_eagerly(self, error: BaseException | None, traceback: TracebackType | None, *, looks: bool) -> None:
        state = self._context.state
        if looks:
            self._disarm(state)
        stage = state.stages[-1] if state.stages else None
        keeper = state.held if stage is None else stage.held
        finished = [run for run in keeper if not _running(run)]
        keeper[:] = [run for run in keeper if run not in finished]
        self._let_go(state, finished, stage, error, traceback)

    def _let_go(
        self,
        state: ThreadState,
        runs: list[Run],
        stage: Stage | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Ends runs whose frames were kept, the innermost first, and drops the frames."""
        failed = _frames(traceback)
        state.busy = True
        try:
            for run in reversed(runs):
                frame, run.frame = run.frame, None
                if frame is None:
                    continue
                if stage is not None and stage.frame is not None and marks.rebinds(run.code):
                    run.lines = partial.lines(stage.frame, run.code)
                told = trace_error(error, traceback) if error is not None and id(frame) in failed else None
                self._runs.end(state, frame, run, told)
        finally:
            state.busy = False

    def _arm(self, state: ThreadState, most: int | None = None) -> bool:
        """Starts to look for a body; returns whether it is the caller who ends the look."""
        if state.look is None:
            state.look = _Look(self, state)
        return not self._guard.off and state.look.arm(most)

    def _disarm(self, state: ThreadState) -> None:
        if state.look is not None:
            state.look.disarm()

    def begin(self, state: ThreadState, frame: FrameType) -> bool:
        """A user function is about to run; returns whether it is the body that is looked for."""
        with self._guard:
            return self._begin(state, frame)
        return False

    def hindered(self) -> None:
        """Says once that bodies cannot be seen while another profiler runs."""
        if not self._hindered:
            self._hindered = True
            self._context.faults.caught(self.name, RuntimeError("bodies are not seen while another profiler runs"))

    def _begin(self, state: ThreadState, frame: FrameType) -> bool:
        state.busy = True
        try:
            run = self._runs.begin(state, frame)
        finally:
            state.busy = False
        if run is None:
            return False
        run.frame = frame
        (state.stages[-1].held if state.stages else state.held).append(run)
        return run.kind != "call"

    def is_user(self, code: CodeType) -> bool:
        """Whether this is the body of a user function."""
        known = self._user.get(id(code))
        if known is None:
            known = self._user[id(code)] = (code, is_user_function(code))
        return known[1]


class _Look:
    """Looks through the calls of one thread for the next body.

    It lives as long as the thread does: CPython calls a profiler by a borrowed reference, so one that goes away while
    it takes itself out is not safe.
    """

    def __init__(self, watcher: ProfileWatcher, state: ThreadState) -> None:
        self._watcher = watcher
        self._state = state
        self._left: int | None = None
        self._called = self._on_event

    def arm(self, most: int | None) -> bool:
        """Starts looking and returns True, unless it is looking already or somebody profiles the program.

        Args:
            most: How many calls to look through; None for all, until whoever started the look ends it.
        """
        running = sys.getprofile()
        if running is None:
            self._left = most
            sys.setprofile(self._called)
            return True
        if running is not self._called:
            self._watcher.hindered()
        return False

    def disarm(self) -> None:
        """Stops looking."""
        if sys.getprofile() is self._called:
            sys.setprofile(None)

    def _on_event(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        if self._watcher.is_user(frame.f_code) and not core.trace_state_clean():
            if self._watcher.begin(self._state, frame):
                self.disarm()
        elif self._left is not None:
            self._left -= 1
            if self._left <= 0:
                self.disarm()


def _running(run: Run) -> bool:
    """Whether a kept frame is still on this thread's stack."""
    walk: FrameType | None = sys._getframe(1)
    while walk is not None and walk is not run.frame:
        walk = walk.f_back
    return walk is not None


def _frames(traceback: TracebackType | None) -> set[int]:
    out: set[int] = set()
    while traceback is not None:
        out.add(id(traceback.tb_frame))
        traceback = traceback.tb_next
    return out
