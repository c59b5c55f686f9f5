"""What is told of every run, of the user's bodies and of libraries' functions alike."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.capture.bodies.run_keys import NO_KEY
from jax_trace_viz.capture.state import Dispatch, Helpers, Run
from jax_trace_viz.contract.document import Argument
from jax_trace_viz.contract.events import CallablesGone, CallsLeftOut, RunBegan

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.contract.document import Place
    from jax_trace_viz.contract.events import Entry
    from jax_trace_viz.contract.key import Key


class RunEvents:
    """Makes runs and the events of their begin and end."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._guard = context.faults.guard("descriptions")
        self._numbers = itertools.count(1)

    def new(self, code: CodeType, function: int, kind: str, parent: Run | None) -> Run:
        """A run that begins now, inside `parent`."""
        number = next(self._numbers)
        helpers = Helpers(number) if parent is None else parent.helpers
        return Run(number, code, function, self._context.clock(), kind, helpers)

    def began(self, run: Run, alias: str | None, parent: Run | None, entry: Entry, place: Place | None) -> RunBegan:
        """What is told of a helper; of another run there is more to tell."""
        return RunBegan(
            run=run.number,
            function=run.function,
            version=self._context.functions.version_of(run.code, alias),
            parent=parent.number if parent else None,
            kind=run.kind,
            entry=entry,
            dispatch=None,
            key=NO_KEY,
            arguments=[],
            call_site=place,
            at=run.started,
            thread=threading.current_thread().name,
        )

    def tell_caused(
        self, began: RunBegan, run: Run, call: Dispatch | None, describe: Callable[[], tuple[Key, list[Argument]]]
    ) -> Key:
        """Tells that JAX begins a run. What we fail to describe of it is left out.

        Args:
            began: The event as it is of a helper.
            run: The run.
            call: The call of a jitted function that runs it, if one does.
            describe: Makes its key, and its arguments as rows for people.

        Returns:
            The key.
        """
        held_before = False
        with self._guard:
            held_before = call is not None and self._held_before(run.function, call)
        key, rows = NO_KEY, list[Argument]()
        with self._guard:
            key, rows = describe()
        if call is not None:
            call.run, call.key = run, key
        self._tell_what_is_gone(key)
        number = call.number if call is not None else None
        self._context.emit(replace(began, dispatch=number, key=key, arguments=rows, held_before=held_before))
        return key

    def _held_before(self, function: int, dispatch: Dispatch) -> bool:
        """Whether JAX had traced this callable before our first look at the function."""
        if function in self._context.met:
            return False
        self._context.met.add(function)
        return self._context.held.has(dispatch.fun)

    def _tell_what_is_gone(self, key: Key) -> None:
        """A new object of some code means more where the earlier ones are gone."""
        lives = self._context.lives
        for number in filter(None, (key.callable, key.user_callable)):
            lives.call(number, 0)
        gone = list(lives.take())
        if gone:
            self._context.emit(CallablesGone(gone=gone))

    def tell_of_helpers(self, run: Run) -> None:
        """Once the outermost run is over, what waited for further calls is told, and how many there were."""
        helpers = run.helpers
        if helpers.outermost != run.number:
            return
        for ended in helpers.ends:
            self._context.emit(ended)
        if helpers.left_out:
            self._context.emit(CallsLeftOut(count=helpers.left_out))
