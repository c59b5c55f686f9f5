"""What a function reads from outside, found in its bytecode: `w`, `cfg['lr']`, `self.scale`.

Only reads that surely happened count: those on lines that ran, with no jump before them on the same line; where not
all lines that ran are known (before Python 3.12), also those before the first jump. What the function itself changes
does not count.
"""

from __future__ import annotations

import dis
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

Root = Literal["global", "closure", "parameter"]
Step = tuple[Literal["attribute", "item"], str | int]

_ROOTS: dict[str, Root] = {"LOAD_GLOBAL": "global", "LOAD_NAME": "global", "LOAD_DEREF": "closure"}
_PARAMETERS = ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_WRITES = ("STORE_GLOBAL", "STORE_DEREF", "DELETE_GLOBAL", "DELETE_DEREF")
_MUTATING = {
    "add", "append", "clear", "discard", "extend", "insert",
    "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip
"""Methods of containers whose caller is a writer, not a reader."""

_WHOLE = {"all", "any", "list", "max", "min", "reversed", "sorted", "sum", "tuple"}
"""Builtins that read all of the container they are given."""
_NOTES = {"append", "appendleft", "debug", "extend", "info", "insert", "named_scope", "print", "warning", "write"}
"""Whoever calls these on a line may only write down what is read there."""


class Read(NamedTuple):
    """One place outside of a function that it reads."""

    root: Root
    name: str
    """The variable."""
    steps: tuple[Step, ...]
    """What is read of it, outermost first."""
    line: int
    first: bool
    """No jump comes before it in the function."""
    alone: bool
    """No jump comes before it on its line."""
    whole: bool
    """All items of what is read are read too: by a loop, or by a builtin such as `sum`."""

    @property
    def text(self) -> str:
        """As it stands in the source."""
        return self.name + "".join(f".{key}" if kind == "attribute" else f"[{key!r}]" for kind, key in self.steps)


class Reads(NamedTuple):
    """All that a function reads from outside."""

    places: tuple[Read, ...]
    writes_parts: bool
    """It assigns to items of something: then a container that it reads may be one that it fills."""


def asks_for_lines(code: CodeType) -> bool:
    """Whether it takes the lines that ran to tell whether a read happened."""
    return any(not read.first for read in reads_of(code).places)


_known: dict[int, tuple[CodeType, Reads]] = {}


def reads_of(code: CodeType) -> Reads:
    """What the function with this code reads from outside. Functions defined inside it are not looked into."""
    known = _known.get(id(code))
    if known is None:
        known = _known[id(code)] = (code, _find(code))
    return known[1]


def _find(code: CodeType) -> Reads:
    instructions = list(_instructions(code))
    parameters = set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    rebound = {i.argval for i in instructions if i.opname == "STORE_FAST"}
    written = {i.argval for i in instructions if i.opname in _WRITES}
    stored = {i.argval for i in instructions if i.opname == "STORE_ATTR"}
    noted = _noted(instructions, code.co_firstlineno)
    parts = any(i.opname in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE") for i in instructions)
    found: dict[tuple[str, tuple[Step, ...]], Read] = {}
    jumped, jumped_on, line = False, 0, code.co_firstlineno
    for place, instruction in enumerate(instructions):
        if instruction.positions is not None and instruction.positions.lineno:
            line = instruction.positions.lineno
        if _may_jump(instruction):
            jumped, jumped_on = True, line
        root = _root(instruction, code, parameters - rebound)
        if root is None or instruction.argval in written or line in noted:
            continue
        steps = _steps(instructions, place + 1)
        if steps is None or any(kind == "attribute" and key in stored for kind, key in steps):
            continue
        whole = _whole(instructions, place, steps)
        read = Read(root, instruction.argval, steps, line, not jumped, jumped_on != line, whole)
        found.setdefault((read.name, steps), read)
    return Reads(tuple(found.values()), parts)


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """Python fuses loads and stores of two locals since 3.13; here they stand one by one."""
    for instruction in dis.get_instructions(code):
        name, names = instruction.opname, instruction.argval
        if "_FAST_" in name and isinstance(names, tuple):
            second = "STORE_FAST" if name.count("STORE") == len(names) else "LOAD_FAST"
            first = "STORE_FAST" if name.startswith("STORE") else "LOAD_FAST"
            yield instruction._replace(opname=first, argval=names[0])
            yield instruction._replace(opname=second, argval=names[1])
        else:
            yield instruction


def _noted(instructions: list[dis.Instruction], line: int) -> set[int]:
    """Lines that may only write down what they read: to a list, a log, the screen, a scope's name."""
    lines: set[int] = set()
    for instruction in instructions:
        if instruction.positions is not None and instruction.positions.lineno:
            line = instruction.positions.lineno
        if instruction.opname in (*_ATTRIBUTES, "LOAD_GLOBAL", "LOAD_NAME") and instruction.argval in _NOTES:
            lines.add(line)
    return lines


def _whole(instructions: list[dis.Instruction], place: int, steps: tuple[Step, ...]) -> bool:
    after = place + 1 + sum(1 if kind == "attribute" else 2 for kind, _ in steps)
    following = [one for one in instructions[after : after + 3] if one.opname != "PRECALL"]
    if not following or following[0].opname == "GET_ITER":
        return bool(following)
    caller = instructions[place - 1]
    called = caller.opname in ("LOAD_GLOBAL", "LOAD_NAME") and caller.argval in _WHOLE
    return called and following[0].opname == "CALL" and following[0].arg == 1


def _may_jump(instruction: dis.Instruction) -> bool:
    return instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs


def _root(instruction: dis.Instruction, code: CodeType, parameters: set[str]) -> Root | None:
    name = instruction.opname
    if name in _PARAMETERS:
        return "parameter" if instruction.argval in parameters else None
    root = _ROOTS.get(name)
    return None if root == "closure" and instruction.argval not in code.co_freevars else root


def _steps(instructions: list[dis.Instruction], place: int) -> tuple[Step, ...] | None:
    """The attributes and constant items that are read one after the other; None where a container is changed."""
    steps: list[Step] = []
    while place < len(instructions):
        here = instructions[place]
        if here.opname in _ATTRIBUTES:
            if here.argval in _MUTATING:
                return None
            steps.append(("attribute", here.argval))
            place += 1
        elif here.opname == "LOAD_CONST" and type(here.argval) in (str, int) and _is_item(instructions, place + 1):
            steps.append(("item", here.argval))
            place += 2
        else:
            break
    return tuple(steps)


def _is_item(instructions: list[dis.Instruction], place: int) -> bool:
    if place >= len(instructions):
        return False
    here = instructions[place]
    return here.opname == "BINARY_SUBSCR" or (here.opname == "BINARY_OP" and here.argrepr == "[]")
