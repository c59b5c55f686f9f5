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
Step = tuple[Literal["attribute", "item", "get", "len"], str | int]
"""`.scale`, `['lr']`, `.get('lr')`, `len(…)`."""

_ROOTS: dict[str, Root] = {"LOAD_GLOBAL": "global", "LOAD_NAME": "global", "LOAD_DEREF": "closure"}
_PARAMETERS = ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_WRITES = ("STORE_GLOBAL", "STORE_DEREF", "DELETE_GLOBAL", "DELETE_DEREF")
_MUTATING = {
    "add", "append", "clear", "discard", "extend", "insert",
    "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip
"""Methods of containers whose caller is a writer, not a reader."""

_VIEWS = {"items", "values"}
"""Methods of dicts that give all that is in them."""
_LIKE = {"zeros_like", "ones_like", "full_like", "empty_like", "shape", "ndim", "size", "isinstance", "type"}
"""Functions that take no more of an array than its shape and type."""
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
    shape_only: bool = False
    """Of an array no more than its shape and type is read."""

    @property
    def text(self) -> str:
        """As it stands in the source."""
        text = self.name
        for kind, key in self.steps:
            match kind:
                case "attribute":
                    text += f".{key}"
                case "item":
                    text += f"[{key!r}]"
                case "get":
                    text += f".get({key!r})"
                case "len":
                    text = f"len({text})"
        return text


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
        steps = _steps(instructions, place)
        if steps is None or any(kind == "attribute" and key in stored for kind, key in steps.taken):
            continue
        whole, only = _whole(instructions, place, steps.end), _caller(instructions, place) in _LIKE
        read = Read(root, instruction.argval, steps.taken, line, not jumped, jumped_on != line, whole, only)
        known = found.setdefault((read.name, read.steps), read)
        found[read.name, read.steps] = known._replace(shape_only=known.shape_only and only)
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


def _whole(instructions: list[dis.Instruction], place: int, after: int) -> bool:
    following = _plain(instructions, after, 2)
    if not following or following[0].opname == "GET_ITER":
        return bool(following)
    return _caller(instructions, place) in _WHOLE and following[0].opname == "CALL" and following[0].arg == 1


def _caller(instructions: list[dis.Instruction], place: int) -> str:
    """The function whose first argument is read here."""
    place -= 1
    while place > 0 and instructions[place].opname == "PUSH_NULL":
        place -= 1
    caller = instructions[place]
    return caller.argval if caller.opname in ("LOAD_GLOBAL", "LOAD_NAME", *_ATTRIBUTES) else ""


def _plain(instructions: list[dis.Instruction], place: int, count: int) -> list[dis.Instruction]:
    """The next instructions, without one that older Python puts before calls."""
    return [one for one in instructions[place : place + count + 1] if one.opname != "PRECALL"][:count]


def _may_jump(instruction: dis.Instruction) -> bool:
    return instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs


def _root(instruction: dis.Instruction, code: CodeType, parameters: set[str]) -> Root | None:
    name = instruction.opname
    if name in _PARAMETERS:
        return "parameter" if instruction.argval in parameters else None
    root = _ROOTS.get(name)
    return None if root == "closure" and instruction.argval not in code.co_freevars else root


class _Steps(NamedTuple):
    taken: tuple[Step, ...]
    end: int
    """Where the instructions after them begin."""


def _steps(instructions: list[dis.Instruction], place: int) -> _Steps | None:
    """What is read of the variable that is loaded at a place, step by step; None where a container is changed."""
    steps: list[Step] = []
    here = place + 1
    while here < len(instructions):
        one = instructions[here]
        if one.opname in _ATTRIBUTES:
            if one.argval in _MUTATING:
                return None
            if (length := _call(instructions, here + 1, 0)) and one.argval in _VIEWS:
                here += 1 + length  # what is in the dict
                break
            key = _constant(instructions, here + 1)
            if one.argval == "get" and key is not None and (length := _lookup(instructions, here + 2)):
                steps.append(("get", key))
                here += 2 + length
                continue
            steps.append(("attribute", one.argval))
            here += 1
        elif (key := _constant(instructions, here)) is not None and _is_item(instructions, here + 1):
            steps.append(("item", key))
            here += 2
        else:
            break
    key, caller = _constant(instructions, here), _caller(instructions, place)
    if caller == "getattr" and isinstance(key, str) and (length := _lookup(instructions, here + 1, given=2)):
        return _Steps((*steps, ("attribute", key)), here + 1 + length)
    if caller == "len" and (length := _call(instructions, here, 1)):
        return _Steps((*steps, ("len", 0)), here + length)
    return _Steps(tuple(steps), here)


def _constant(instructions: list[dis.Instruction], place: int) -> str | int | None:
    one = instructions[place] if place < len(instructions) else None
    known = one is not None and one.opname in ("LOAD_CONST", "LOAD_SMALL_INT") and type(one.argval) in (str, int)
    return one.argval if one is not None and known else None


def _call(instructions: list[dis.Instruction], place: int, given: int) -> int:
    """How many instructions a call with so many arguments takes that begins here; 0 if there is none."""
    following = _plain(instructions, place, 1)
    if not following or following[0].opname != "CALL" or following[0].arg != given:
        return 0
    return 1 + (instructions[place].opname == "PRECALL")


def _lookup(instructions: list[dis.Instruction], place: int, given: int = 1) -> int:
    """The same for a call that may have a plain default as one argument more."""
    default = place < len(instructions) and instructions[place].opname in ("LOAD_CONST", "LOAD_SMALL_INT")
    if default and (length := _call(instructions, place + 1, given + 1)):
        return 1 + length
    return _call(instructions, place, given)


def _is_item(instructions: list[dis.Instruction], place: int) -> bool:
    if place >= len(instructions):
        return False
    here = instructions[place]
    return here.opname == "BINARY_SUBSCR" or (here.opname == "BINARY_OP" and here.argrepr == "[]")
