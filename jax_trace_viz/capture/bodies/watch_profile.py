"""Body runs on Python 3.11: a profiler armed from the begin of a trace to the first user function it calls.

Where the trace is of a function of the user's own, that one is sure to come. A library's function may call one of the
user's or not: of its calls the profiler looks through the first ones, and a body that comes later is seen where it
stages its first equation (`further_bodies`).

CPython keeps the locals of a frame that is held as they stood at return or raise, so the frame itself tells them when
the trace ends. It is read before JAX looks for leaked tracers, then let go of.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from jax._src import core, linear_util
from jax._src.custom_batching import custom_vmap_p
from jax._src.interpreters import batching

from jax_trace_viz.capture.bodies import marks, setting_trace
from jax_trace_viz.capture.bodies.further_bodies import FurtherBodies
from jax_trace_viz.capture.bodies.looking import ALL, Look
from jax_trace_viz.capture.bodies.runs import Runs, trace_error
from jax_trace_viz.capture.bodies.worth_looking import WORTH_LOOKING
from jax_trace_viz.capture.code import reads, stack
from jax_trace_viz.capture.code.functions import USER_FUNCTIONS
from jax_trace_viz.capture.code.user_functions import is_own
from jax_trace_viz.capture.jaxprs import unfinished
from jax_trace_viz.capture.patching import MissingSeamError, Patch, PatchedEntry
from jax_trace_viz.capture.state import Bracket
from jax_trace_viz.capture.tracebacks import leave_us_out

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType, TracebackType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import Run, Stage, ThreadState

_BATCHERS: list[Any] = [
    table
    for name in ("primitive_batchers", "fancy_primitive_batchers")
    if isinstance(table := getattr(batching, name, None), dict)
]
"""JAX's tables of batching rules; since 0.10 the first is no dict, but passes on to the second."""


class ProfileWatcher:
    """See the module's docstring."""

    name = "bodies"

    def __init__(self, context: Context, runs: Runs) -> None:
        self._context = context
        self._runs = runs
        self._guard = context.faults.guard(self.name)
        self._is_user = USER_FUNCTIONS
        self._further = FurtherBodies(context, setting_trace.FUNCTIONS, self._is_user, self._begin_next)
        self._patches = [
            Patch(core, "set_current_trace", self._wrap_setting),
            Patch(linear_util.WrappedFun, "call_wrapped", self._wrap, parameters=("self",)),
            self._further,
            *(PatchedEntry(table, custom_vmap_p, self._wrap_rule) for table in _BATCHERS if custom_vmap_p in table),
        ]
        self._installed = False
        self._hindered = False

    def install(self) -> None:
        """Puts the hooks in."""
        if sys.getprofile() is not None:
            raise MissingSeamError("another profiler is running")
        self._installed = True
        for patch in self._patches:
            patch.install()

    def remove(self) -> None:
        """Takes the hooks out."""
        if not self._installed:
            return
        for patch in self._patches:
            patch.remove()
        look = self._context.state.look
        if look is not None:
            look.end_all()
        self._installed = False

    def staging_begins(self, state: ThreadState, stage: Stage) -> None:
        """Looks out for the body that this trace runs."""
        stage.bracket = Bracket(len(state.watched))
        # A function of JAX's own may call the user's (`lax.map` wraps it), but only below a transformation.
        if stage.owner != "jax" or stack.cause(sys._getframe(2)).kind:
            caller = sys._getframe(3).f_code
            if caller.co_name in stack.MACHINERY and setting_trace.sets_trace(caller):
                stage.looks_in = caller
            else:
                self._begin_look(state, sys._getframe(3), stage, stage.bracket)

    def staging_ends(
        self, state: ThreadState, stage: Stage, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Ends the runs whose frames were kept for this trace."""
        bracket, stage.bracket = stage.bracket, None
        if bracket is not None:
            self._end_look(state, bracket)
        runs, stage.held = stage.held, []
        self._let_go(state, runs, stage, error, traceback)

    def _wrap_setting(self, original: Any) -> Any:
        return setting_trace.watched(original, self._guard, self._enters, self._ends_eagerly)

    def _wrap(self, original: Any) -> Any:
        """Custom rules, and in JAX 0.6 most bodies, are called through `linear_util`, which knows the function."""
        state = self._context.state

        def looks(wrapped: Any) -> bool | None:
            if state.busy or not is_own(wrapped.f):
                return None
            # What sets a trace for the body begins a look itself, after thousands of calls for its arguments.
            return not any(map(setting_trace.transformation_sets_trace, wrapped.transforms))

        return self._bracketed(original, looks)

    def _wrap_rule(self, original: Any) -> Any:
        """The rule of a `custom_vmap` is called by its batching rule, with nothing around it that tells."""
        return self._bracketed(original, lambda _: True)

    def _bracketed(self, original: Any, looks: Callable[[Any], bool | None]) -> Any:
        """A function of JAX's that runs a body, and whether a look begins with its call; None if it runs none.

        Our one frame is all that comes between: JAX records the stack with each equation, so that every frame more
        makes all of the body slower.
        """

        def call(first: Any, /, *args: Any, **kwargs: Any) -> Any:
            bracket: Bracket | None = None
            with self._guard:
                look = looks(first)
                bracket = None if look is None else self._begins_eagerly(looks=look)
            try:
                result = original(first, *args, **kwargs)
            except BaseException as error:
                if bracket is not None:
                    with self._guard:
                        self._ends_eagerly(bracket, error, error.__traceback__)
                leave_us_out(error)
                raise
            if bracket is not None:
                with self._guard:
                    self._ends_eagerly(bracket, None, None)
            return result

        return call

    def _enters(self, frame: FrameType) -> Bracket | None:
        """JAX sets a trace, in this frame of its own, under which it runs a body next."""
        state, code = self._context.state, frame.f_code
        if state.busy:
            return None
        if code.co_name in setting_trace.EAGER:
            bracket = Bracket(len(state.watched))
            self._begin_look(state, frame, None, bracket)
            return bracket
        stage = state.stages[-1] if state.stages else None
        if stage is not None and stage.bracket is not None and stage.looks_in is code:
            stage.looks_in = None
            self._begin_look(state, frame, stage, stage.bracket)
        return None

    def _begins_eagerly(self, *, looks: bool) -> Bracket:
        state = self._context.state
        return Bracket(len(state.watched), looks and self._arm(state, ALL))

    def _begin_look(self, state: ThreadState, frame: FrameType, stage: Stage | None, bracket: Bracket) -> None:
        """Looks for the body that a frame of JAX's runs next, as long as that is worth it; then watches for it."""
        most, bracket.key = WORTH_LOOKING.most(state, frame, stage)
        if most != ALL:
            self._further.watch(state, frame)
        bracket.looks = most > 0 and self._arm(state, most)

    def _end_look(self, state: ThreadState, bracket: Bracket) -> None:
        watched = state.watched[bracket.watched :]
        del state.watched[bracket.watched :]
        came = any(one.body is not None for one in watched)
        if bracket.looks:
            came = state.look.end() or came
        if bracket.looks or came:
            WORTH_LOOKING.learn(bracket.key, came=came)

    def _ends_eagerly(self, bracket: Bracket, error: BaseException | None, traceback: TracebackType | None) -> None:
        state = self._context.state
        self._end_look(state, bracket)
        self._let_go_finished(state, error, traceback)

    def _let_go_finished(
        self, state: ThreadState, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
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
                if stage is not None and stage.frame is not None and _asks_for_lines(run.code):
                    run.lines = unfinished.lines(stage.frame, run.code)
                told = (
                    trace_error(self._context, error, traceback) if error is not None and id(frame) in failed else None
                )
                self._runs.end(state, frame, run, told)
        finally:
            state.busy = False

    def _arm(self, state: ThreadState, most: int) -> bool:
        """Begins to look for a body; returns whether it is the caller who ends the look."""
        if state.look is None:
            state.look = Look(self._is_user, functools.partial(self._found, state), self._found_hindered, self._guard)
        return not self._guard.off and state.look.begin(most)

    def _found(self, state: ThreadState, frame: FrameType) -> bool:
        """A user function is about to run; returns whether it is the body that is looked for."""
        with self._guard:
            return self._begin(state, frame)
        return False

    def _found_hindered(self) -> None:
        """Says once that bodies cannot be seen while another profiler runs."""
        if not self._hindered:
            self._hindered = True
            self._context.faults.caught(self.name, RuntimeError("bodies are not seen while another profiler runs"))

    def _begin(self, state: ThreadState, frame: FrameType) -> bool:
        run = self._began(state, frame)
        if run is None or run.kind == "call":
            return False
        self._further.after(state, frame)
        return True

    def _begin_next(self, state: ThreadState, frame: FrameType) -> None:
        self._let_go_finished(state, None, None)
        self._began(state, frame)

    def _began(self, state: ThreadState, frame: FrameType) -> Run | None:
        state.busy = True
        try:
            run = self._runs.begin(state, frame)
        finally:
            state.busy = False
        if run is not None:
            run.frame = frame
            (state.stages[-1].held if state.stages else state.held).append(run)
        return run


def _asks_for_lines(code: CodeType) -> bool:
    return marks.rebinds(code) or reads.asks_for_lines(code)


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
