"""Python's bytecode, read the same way on every version: what a variable is given to, called with, indexed by."""

from __future__ import annotations

import dis
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME")
LOCALS = ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_CONSTANTS = ("LOAD_CONST", "LOAD_SMALL_INT")
_VARIABLES = (*GLOBALS, *LOCALS, "LOAD_DEREF")


def instructions_of(code: CodeType) -> Iterator[dis.Instruction]:
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


def may_jump(instruction: dis.Instruction) -> bool:
    """Whether what comes next may not be the next instruction."""
    return instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs


def following(instructions: list[dis.Instruction], place: int, count: int) -> list[dis.Instruction]:
    """The next instructions, without one that older Python puts before calls."""
    return [one for one in instructions[place : place + count + 1] if one.opname != "PRECALL"][:count]


def caller(instructions: list[dis.Instruction], place: int) -> str:
    """The function whose first argument is read at a place, as it stands in the source: `len`, `np.linalg.norm`."""
    place -= 1
    while place > 0 and instructions[place].opname == "PUSH_NULL":
        place -= 1
    names: list[str] = []
    while place >= 0 and instructions[place].opname in ATTRIBUTES:
        names.append(instructions[place].argval)
        place -= 1
    if place >= 0 and instructions[place].opname in GLOBALS:
        names.append(instructions[place].argval)
    return ".".join(reversed(names))


def constant(instructions: list[dis.Instruction], place: int) -> str | int | None:
    """The text or whole number that is loaded at a place."""
    one = instructions[place] if place < len(instructions) else None
    known = one is not None and one.opname in _CONSTANTS and type(one.argval) in (str, int)
    return one.argval if one is not None and known else None


def variable(instructions: list[dis.Instruction], place: int) -> str | None:
    """The name of the variable that is loaded at a place."""
    one = instructions[place] if place < len(instructions) else None
    return one.argval if one is not None and one.opname in _VARIABLES else None


def call_length(instructions: list[dis.Instruction], place: int, given: int) -> int:
    """How many instructions a call with so many arguments takes that begins here; 0 if there is none."""
    found = following(instructions, place, 1)
    if not found or found[0].opname != "CALL" or found[0].arg != given:
        return 0
    return 1 + (instructions[place].opname == "PRECALL")


def lookup_length(instructions: list[dis.Instruction], place: int, given: int = 1) -> int:
    """The same for a call that may have a plain default as one argument more."""
    default = place < len(instructions) and instructions[place].opname in _CONSTANTS
    if default and (length := call_length(instructions, place + 1, given + 1)):
        return 1 + length
    return call_length(instructions, place, given)


def is_item(instructions: list[dis.Instruction], place: int) -> bool:
    """Whether an item is read here, by the key that was loaded last."""
    if place >= len(instructions):
        return False
    here = instructions[place]
    return here.opname == "BINARY_SUBSCR" or (here.opname == "BINARY_OP" and here.argrepr == "[]")


def with_number(instructions: list[dis.Instruction], place: int, end: int) -> bool:
    """Whether what was loaded from `place` to `end` is combined with a literal: `2 * table`, `table + 1`."""
    before, after = instructions[place - 1] if place else None, following(instructions, end, 2)
    if not after:
        return False
    if after[0].opname == "BINARY_OP":
        return before is not None and before.opname in _CONSTANTS and after[0].argrepr != "[]"
    return after[0].opname in _CONSTANTS and after[-1].opname == "BINARY_OP" and after[-1].argrepr != "[]"
