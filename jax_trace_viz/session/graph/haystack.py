"""The words by which an equation can be found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check
from jax_trace_viz.session.graph.keypaths import without_params
from jax_trace_viz.session.graph.labels import function_name
from jax_trace_viz.session.graph.scopes import parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr
    from jax_trace_viz.session.graph.records import Program
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.tree import Node

_LINE = re.compile(r"(?:\bline\s+|(?<!\S):)(\d+)\b")
_PLACE = re.compile(r"(?<!\S)(\S+):(\d+)(?!\S)")
"""A line of one file: `model.py:11`."""


class Haystack:
    """Compares equations, and the picture's ends, with the words of one search."""

    def __init__(self, program: Program, text: str, paths: Mapping[int, str]) -> None:
        """Prepares a search.

        Args:
            program: All that is recorded.
            text: What is looked for.
            paths: The key paths of the program's arguments, by variable.
        """
        self.program = program
        self._lines = {int(number) for number in _LINE.findall(text)}
        text = _LINE.sub(" ", text).lower()
        self._places = [(file, int(number)) for file, number in _PLACE.findall(text)]
        self._words = tuple(_PLACE.sub(" ", text).split())
        self._paths = paths
        self._frames: dict[int, str] = {}
        self._rests: dict[tuple[str, int | None, Phase], tuple[str, ...] | None] = {}
        self._inputs: dict[str, dict[int, str]] = {}

    def matches(self, jaxpr: Jaxpr, equation: Equation, outside: Phase) -> bool:
        """Whether all words stand in what is known of an equation.

        Args:
            jaxpr: The jaxpr that the equation stands in.
            equation: The equation.
            outside: The pass of a gradient that the call of this jaxpr belongs to.
        """
        check()
        key = equation.scope, equation.frame, outside
        if key not in self._rests:
            self._rests[key] = self._rest(*key)
        rest = self._rests[key]
        if not rest:
            return rest is not None
        known = [equation.primitive, equation.parameters.get("name", "")]
        known += [jaxpr.types[variable] for variable in equation.outputs]
        if names := self._input_names(jaxpr):
            known += _spellings(names[atom] for atom in equation.inputs if isinstance(atom, int) and atom in names)
        text = " ".join(known).lower()
        return all(word in text for word in rest)

    def only_input(self, jaxpr: Jaxpr, start: int, stop: int) -> str:
        """Name of the one input of a jaxpr that a run of its equations uses; empty if there are none or several."""
        names = self._input_names(jaxpr)
        atoms = (atom for equation in jaxpr.equations[start:stop] for atom in equation.inputs)
        used = {names[atom] for atom in atoms if isinstance(atom, int) and atom in names}
        return used.pop() if len(used) == 1 else ""

    def matches_end(self, node: Node) -> bool:
        """Whether all words stand in what is known of an argument, a constant or a result."""
        if self._lines or self._places or not self._words:
            return False
        ports = node.level.ports.items() if node.level is not None else ()
        paths = [self._paths[variable] for variable, port in ports if port is node and variable in self._paths]
        text = " ".join([node.label, node.title, *_spellings(paths)]).lower()
        return all(word in text for word in self._words)

    def _rest(self, scope: str, frame: int | None, outside: Phase) -> tuple[str, ...] | None:
        """The words that neither the scope nor the source says; None if the line is another one."""
        if (self._lines or self._places) and not self._on_line(frame):
            return None
        text = f"{scope.lower()} {parse_scope(scope).phase or outside} {self._frame_text(frame)}"
        return tuple(word for word in self._words if word not in text)

    def _on_line(self, frame: int | None) -> bool:
        frames = (self.program.frames[index] for index in self.program.chain(frame))
        return any(one.origin == "user" and (one.line in self._lines or self._is_named(one)) for one in frames)

    def _is_named(self, frame: Frame) -> bool:
        path = "/" + frame.file.lower().replace("\\", "/")
        return any(frame.line == line and path.endswith(f"/{file}") for file, line in self._places)

    def _frame_text(self, frame: int | None) -> str:
        """What the source says about a frame and those that called it."""
        if frame is None:
            return ""
        known = self._frames.get(frame)
        if known is None:
            record, sources = self.program.frames[frame], self.program.sources
            assignment = sources.assignment(record)
            words = [function_name(record), sources.text(record), assignment.text if assignment else ""]
            words.append(re.split(r"[/\\]", record.file)[-1])
            outer = self._frame_text(record.parent)
            known = self._frames[frame] = " ".join([*words, outer]).lower()
        return known

    def _input_names(self, jaxpr: Jaxpr) -> dict[int, str]:
        if jaxpr.id not in self._inputs:
            self._inputs[jaxpr.id] = dict(zip(jaxpr.inputs, jaxpr.input_names, strict=False))
        return self._inputs[jaxpr.id]


def _spellings(paths: Iterable[str]) -> list[str]:
    """Key paths as they are, and as boxes say them."""
    return [text for path in paths for text in dict.fromkeys((path, without_params(path)))]
