"""Where a function's names stand: the line of each parameter, and the lines that bind each name."""

from __future__ import annotations

import dis
import re
from typing import TYPE_CHECKING

from jax_trace_viz.capture.code.one_line_loops import one_line_loops
from jax_trace_viz.file_lines import file_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType

_DEF = re.compile(r"\s*(async\s+)?def\b")
_SPREADS = ("STORE", "UNPACK", "POP_TOP", "SWAP", "COPY", "EXTENDED_ARG", "CACHE", "NOP")
"""Instructions between what makes a value and the name that receives it."""
_COMES_BACK = ("FOR_ITER", "BEFORE_WITH")
"""Begins of statements whose first line is come back to after their body: a `for` asks for more, a `with` is left."""

_INLINED = ("END_FOR", "POP_ITER")
"""Ends of comprehensions, whose every line is come to in each round where they are no functions of their own."""


class Places:
    """See the module's docstring; read from the code once."""

    __slots__ = ("_counted_by", "bindings", "code", "head", "one_line_loops", "parameters", "rebinds")

    def __init__(self, code: CodeType) -> None:
        self.code = code  # kept, since its identity is the key
        self.bindings: dict[str, list[int]] = {}
        """Name → the lines that bind it."""
        self._counted_by: dict[int, tuple[int, ...]] = {}
        instructions = list(dis.get_instructions(code))
        self._find_lines(instructions)
        self.one_line_loops = one_line_loops(instructions)
        """See there."""
        self.rebinds = any(len(lines) > 1 for lines in self.bindings.values())
        """Whether some name is bound on several lines, so that it matters which of them ran."""
        written = file_lines(code.co_filename)
        self.head = _head(code, written)
        """The lines from `def` to the first statement."""
        self.parameters = {name: _head_line(written, self.head, name) for name in code.co_varnames}
        """Parameter → the line of the head that names it."""

    def times(self, line: int, lines: Mapping[int, int]) -> int:
        """How often the statement that begins on a line was run.

        The interpreter comes back to a line for each part of an expression that goes over several.

        Args:
            line: Where a name is bound.
            lines: How often each line was come to.
        """
        counts = [lines[one] for one in (line, *self._counted_by.get(line, ())) if one in lines]
        return min(counts, default=1)

    def _find_lines(self, instructions: list[dis.Instruction]) -> None:
        for at, instruction in enumerate(instructions):
            line = instruction.positions.lineno if instruction.positions else None
            if line is None or not instruction.opname.startswith(("STORE_FAST", "STORE_DEREF")):
                continue
            names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            stores = instruction.opname.count("STORE")  # since Python 3.13 one may store one name and load the next
            for name in names[:stores]:
                self.bindings.setdefault(name, []).append(line)
            self._counted_by.setdefault(line, _counted_by(instructions, at, line))


def _counted_by(instructions: list[dis.Instruction], at: int, line: int) -> tuple[int, ...]:
    """Further lines whose counts say how often a value was bound on `line` by the instruction at this place."""
    maker = at - 1
    while maker >= 0 and instructions[maker].opname.startswith(_SPREADS):
        maker -= 1
    if maker < 0:
        return ()
    made = instructions[maker]
    if made.opname in _COMES_BACK:
        end = made.argval if made.opname == "FOR_ITER" else None
        for further in instructions[at + 1 :]:
            if end is not None and further.offset >= end:
                break
            if further.positions and further.positions.lineno not in (line, None):
                return (further.positions.lineno or line,)
        return ()
    if made.opname in _INLINED:
        rest = (one for one in instructions[at + 1 :] if not one.opname.startswith(("STORE", "SWAP")))
        following = next(rest, None)
        after = following.positions.lineno if following and following.positions else None
        return () if following is None or after is None or "JUMP" in following.opname else (after,)
    span = made.positions
    if span is None or span.lineno is None or span.end_lineno is None:
        return ()
    return tuple(range(span.lineno, span.end_lineno + 1))


_known: dict[int, Places] = {}


def places_of(code: CodeType) -> Places:
    """The places of a function's names, looked up once for each code object."""
    known = _known.get(id(code))
    if known is None:
        known = _known[id(code)] = Places(code)
    return known


def _head(code: CodeType, written: list[str]) -> list[int]:
    """The lines from `def` to the first statement; `co_firstlineno` is that of the first decorator."""
    first = code.co_firstlineno
    body = min((line for _, _, line in code.co_lines() if line and line > first), default=first)
    for line in range(first, body + 1):
        if _DEF.match(_line(written, line)):
            return list(range(line, max(body, line + 1)))
    return [first]


def _line(written: list[str], number: int) -> str:
    return written[number - 1] if 0 < number <= len(written) else ""


def _head_line(written: list[str], head: list[int], name: str) -> int:
    """The line of the function's head on which a parameter stands."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return next((line for line in head if word.search(_line(written, line))), head[0])
