"""Where a traced value comes from: from the variable back to the arguments, in the user's own words."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr

_LONGEST = 60
_MOST_STEPS = 6


@dataclass(frozen=True)
class Provenance:
    """What a value was made of."""

    name: str
    """What the source calls it: a variable, else the expression that made it; empty if that is not known."""
    type: str
    steps: tuple[str, ...]
    """Names and expressions on the shortest way back, from the value on. Steps that no source tells are left out."""
    own: tuple[str, ...]
    """Those of the steps that are the value itself: its name, and the expression that the name stands for."""
    arguments: tuple[str, ...]
    """All arguments it depends on, by key path, the nearest first."""
    types: tuple[str, ...]
    """Their types."""
    outside: bool
    """It depends on values from outside, too: captured arrays, or values of an enclosing trace."""
    holders: tuple[str, ...] = ()
    """What holds the value outside of any staged trace, innermost first, as marks tell it: `vmap, axis 0 of 8`."""


def provenance(
    jaxpr: Jaxpr,
    frames: Sequence[Frame],
    functions: Iterable[Function],
    variable: int,
    seen_from: Function | None = None,
) -> Provenance:
    """Looks up where a variable of a jaxpr comes from.

    Args:
        jaxpr: The jaxpr, maybe of a trace that failed.
        frames: The frames that its equations name by index.
        functions: All functions, for their source.
        variable: Number of the variable.
        seen_from: The function in whose words to tell it: what helpers made for it is told as the calls that it wrote.
    """
    return _Search(jaxpr, frames, Sources(functions), seen_from).look(variable)


class _Search:
    def __init__(
        self, jaxpr: Jaxpr, frames: Sequence[Frame], sources: Sources, seen_from: Function | None = None
    ) -> None:
        self._seen_from = (seen_from.file, seen_from.qualname) if seen_from is not None else None
        self._jaxpr = jaxpr
        self._frames = frames
        self._sources = sources
        self._makers: dict[int | str, Equation] = {}
        for equation in jaxpr.equations:
            self._makers.update((output, equation) for output in equation.outputs)
        names = jaxpr.input_names or [""] * len(jaxpr.inputs)
        self._arguments: dict[int | str, str] = dict(zip(jaxpr.inputs, names, strict=False))

    def look(self, variable: int) -> Provenance:
        came: dict[int | str, int | str | None] = {variable: None}
        left: deque[int | str] = deque([variable])
        reached: list[int] = []
        outside = False
        while left:
            one = left.popleft()
            if isinstance(one, str):
                continue
            maker = self._makers.get(one)
            if maker is None:
                if one in self._arguments:
                    reached.append(one)
                else:
                    outside = True
                continue
            for given in maker.inputs:
                if given not in came:
                    came[given] = one
                    left.append(given)
        path = self._path(came, reached[0] if reached else None, variable)
        steps, own = self._steps(path), self._own(variable)
        return Provenance(
            name=own[0] if own else "",
            type=self._jaxpr.types[variable],
            steps=tuple(steps),
            own=tuple(own),
            arguments=tuple([self._arguments[one] for one in reached]),
            types=tuple([self._jaxpr.types[one] for one in reached]),
            outside=outside,
        )

    def _path(self, came: dict[int | str, int | str | None], end: int | None, variable: int) -> list[int | str]:
        """The variables from the value back to the nearest argument, or as far back as it was computed."""
        last = end
        if last is None:
            last = [one for one in came if one in self._makers][-1] if variable in self._makers else variable
        path: list[int | str] = []
        here: int | str | None = last
        while here is not None:
            path.append(here)
            here = came[here]
        return path[::-1]

    def _steps(self, path: list[int | str]) -> list[str]:
        steps: list[str] = []
        for variable in path:
            steps += [text for text in self._own(variable) if text not in steps]
        return steps

    def _own(self, variable: int | str) -> list[str]:
        """What the source calls one variable."""
        maker = self._makers.get(variable)
        told = self._told(maker) if maker is not None else [self._arguments.get(variable, "")]
        return [text for text in told if text]

    def _told(self, maker: Equation) -> list[str]:
        """The name that receives what an equation makes, and the expression."""
        frame = self._user_frame(maker.frame)
        if frame is None:
            return []
        assignment = self._sources.assignment(frame)
        name = assignment.text if assignment is not None and len(assignment.names) == 1 else ""
        return [name, _short(self._sources.text(frame))]

    def _is_seen_from(self, frame: Frame) -> bool:
        """Whether a frame is one of the function in whose words to tell, or of a lambda or comprehension in it."""
        if self._seen_from is None or frame.file != self._seen_from[0]:
            return False
        name = self._seen_from[1]
        return frame.function == name or frame.function.startswith(f"{name}.<locals>.<")

    def _user_frame(self, index: int | None) -> Frame | None:
        """The innermost user frame, or the one of the function in whose words to tell it."""
        innermost: Frame | None = None
        while index is not None:
            frame = self._frames[index]
            if frame.origin == "user":
                innermost = innermost or frame
                if self._is_seen_from(frame):
                    return frame
            index = frame.parent
        return innermost


def chain_text(origin: Provenance, of: str = "") -> str:
    """The way back as one phrase: `mask` ← `x > 0` ← argument `x` (f32[]); empty if nothing of it is known.

    Args:
        origin: What the value was made of.
        of: The function whose argument it is, where that has to be said.
    """
    steps = list(origin.steps)
    ends: list[str] = []
    if origin.arguments and origin.arguments[0]:
        first = origin.arguments[0]
        steps = [step for step in steps if step != first]
        ends = [f"argument `{first}`{f' of `{of}`' if of else ''} ({origin.types[0]})"]
    if len(steps) > _MOST_STEPS:
        steps = [*steps[: _MOST_STEPS - 2], "", steps[-1]]
    return " ← ".join([*(f"`{step}`" if step else "…" for step in steps), *ends])


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
