"""A recorded jaxpr as text, much as JAX prints it.

A jaxpr that is used more than once is written once, after the main one, and named where it is used. So a program that
stands for millions of equations (nested calls multiply) has as many lines as it has distinct equations.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check
from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.listing import Line, Listing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr, SubJaxpr

LINES = 2000
"""Lines of one listing; the others are counted."""

VARIABLES = 16
"""Variables written in one place; the others are counted."""

_CALLS = frozenset({"jit", "pjit", "closed_call", "core_call"})


def listing(trace: str, jaxpr: str, jaxprs: Mapping[str, Jaxpr], frames: Sequence[Frame]) -> Listing:
    """The listing of a trace's jaxpr; `jaxpr` is the id of the outermost one."""
    writer = _Writer(jaxprs, frames)
    writer.write(jaxpr)
    return Listing(trace=trace, lines=writer.lines, dropped=writer.dropped)


def user_place(frame: int | None, frames: Sequence[Frame]) -> Place | None:
    """The innermost line of the user's source that staged an equation."""
    while frame is not None and frame < len(frames):
        if frames[frame].origin == "user":
            return Place(file=frames[frame].file, line=frames[frame].line)
        frame = frames[frame].parent
    return None


def letters(number: int) -> str:
    """A variable's name as JAX makes it: a, b, …, z, ba, bb, …."""
    name = ""
    while not name or number:
        number, digit = divmod(number, 26)
        name = chr(ord("a") + digit) + name
    return name


class _Writer:
    def __init__(self, jaxprs: Mapping[str, Jaxpr], frames: Sequence[Frame]) -> None:
        self.lines: list[Line] = []
        self.dropped = 0
        self._jaxprs = jaxprs
        self._frames = frames
        self._names: dict[tuple[str, int], str] = {}
        self._labels: dict[str, str] = {}
        self._equations = 0

    def write(self, main: str) -> None:
        self._labels = _labels(main, self._jaxprs)
        if main in self._jaxprs:
            self._jaxpr("", self._jaxprs[main], 0)
        for identifier, label in self._labels.items():
            if identifier in self._jaxprs:
                self._jaxpr(f"{label} = ", self._jaxprs[identifier], 0)

    def _put(self, text: str, depth: int, equation: Equation | None = None) -> None:
        if len(self.lines) >= LINES:
            self.dropped += 1
        elif equation is None:
            self.lines.append(Line(text=text, depth=depth))
        else:
            place = user_place(equation.frame, self._frames)
            self.lines.append(Line(text=text, depth=depth, place=place, equation=self._equations))

    def _jaxpr(self, label: str, jaxpr: Jaxpr, depth: int) -> None:
        if len(self.lines) >= LINES:
            self.dropped += _height(jaxpr, self._jaxprs, self._labels)
            return
        constants = self._declared(jaxpr, jaxpr.constants)
        inputs = self._declared(jaxpr, jaxpr.inputs)
        self._put(f"{label}{{ lambda {constants}; {inputs}. let", depth)
        for equation in jaxpr.equations:
            self._equation(jaxpr, equation, depth + 1)
        if jaxpr.dropped_equations:
            self._put(f"… {jaxpr.dropped_equations} more equations, not recorded", depth + 1)
        outputs = [self._atom(jaxpr, atom) for atom in jaxpr.outputs]
        self._put(f"in ({shortened(outputs, ', ')}{',' if len(outputs) == 1 else ''}) }}", depth)

    def _equation(self, jaxpr: Jaxpr, equation: Equation, depth: int) -> None:
        check()
        outputs = self._declared(jaxpr, equation.outputs)
        head = f"{outputs} = {equation.primitive}" if outputs else equation.primitive
        inputs = shortened([self._atom(jaxpr, atom) for atom in equation.inputs], " ")
        parameters = shown_parameters(equation)
        inline = [sub for sub in equation.jaxprs if sub.jaxpr not in self._labels]
        named = [f"{sub.parameter}={self._labels[sub.jaxpr]}" for sub in equation.jaxprs if sub.jaxpr in self._labels]
        if not inline:
            inside = " ".join(parameters + named)
            self._put(f"{head}{f'[{inside}]' if inside else ''} {inputs}".rstrip(), depth, equation)
            self._equations += 1
            return
        self._put(f"{head}[", depth, equation)
        self._equations += 1
        if parameters or named:
            self._put(" ".join(parameters + named), depth + 1)
        for sub in inline:
            self._sub(sub, depth + 1)
        self._put(f"] {inputs}".rstrip(), depth)

    def _sub(self, sub: SubJaxpr, depth: int) -> None:
        inner = self._jaxprs.get(sub.jaxpr)
        if inner is None:
            self._put(f"{sub.parameter}={{ not recorded }}", depth)
        else:
            self._jaxpr(f"{sub.parameter}=", inner, depth)

    def _declared(self, jaxpr: Jaxpr, variables: Sequence[int]) -> str:
        return shortened([f"{self._name(jaxpr, v)}:{jaxpr.types[v]}" for v in variables], " ")

    def _atom(self, jaxpr: Jaxpr, atom: int | str) -> str:
        return atom if isinstance(atom, str) else self._name(jaxpr, atom)

    def _name(self, jaxpr: Jaxpr, variable: int) -> str:
        return self._names.setdefault((jaxpr.id, variable), letters(len(self._names)))


def shortened(words: list[str], separator: str) -> str:
    """Joins words, and counts those that are too many for one line."""
    if len(words) > VARIABLES + 1:
        words = [*words[:VARIABLES], f"… {len(words) - VARIABLES} more"]
    return separator.join(words)


def shown_parameters(equation: Equation) -> list[str]:
    """What a reader wants to know: no defaults of a call, nothing that is None."""
    pairs = [(name, text) for name, text in equation.parameters.items() if text != "None"]
    if equation.primitive in _CALLS:
        pairs = [
            (name, text) for name, text in pairs if name == "name" or (name == "donated_invars" and "True" in text)
        ]
    return [f"{name}={text}" for name, text in pairs]


def _labels(main: str, jaxprs: Mapping[str, Jaxpr]) -> dict[str, str]:
    """Names for the jaxprs that are used more than once, in order of their first use."""
    uses: Counter[str] = Counter()
    wanted: dict[str, str] = {}
    waiting = [main]
    while waiting:
        jaxpr = jaxprs.get(waiting.pop(0))
        for equation in jaxpr.equations if jaxpr else ():
            for sub in equation.jaxprs:
                uses[sub.jaxpr] += 1
                if uses[sub.jaxpr] == 1:
                    wanted[sub.jaxpr] = equation.parameters.get("name", "").strip("'\"") or equation.primitive
                    waiting.append(sub.jaxpr)
    labels: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for identifier, name in wanted.items():
        if uses[identifier] > 1:
            taken[name] += 1
            labels[identifier] = name if taken[name] == 1 else f"{name}_{taken[name]}"
    return labels


def _height(jaxpr: Jaxpr, jaxprs: Mapping[str, Jaxpr], labels: Mapping[str, str]) -> int:
    """Lines of a jaxpr that is not written. Each is inside one other only, so each is counted once."""
    lines = 2 + bool(jaxpr.dropped_equations)
    for equation in jaxpr.equations:
        inline = [sub.jaxpr for sub in equation.jaxprs if sub.jaxpr not in labels]
        named = len(equation.jaxprs) > len(inline)
        lines += 1 if not inline else 2 + bool(named or shown_parameters(equation))
        lines += sum(_height(jaxprs[sub], jaxprs, labels) if sub in jaxprs else 1 for sub in inline)
    return lines
