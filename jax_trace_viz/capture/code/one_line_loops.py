"""Loops that stand on one line with their body: the interpreter tells only once that the line runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import dis

_COLLECTS = ("LIST_APPEND", "SET_ADD", "MAP_ADD")
"""Instructions that only the loops of comprehensions have; before Python 3.12 those are functions of their own."""


def one_line_loops(instructions: list[dis.Instruction]) -> dict[int, int]:
    """Offset of the jump that ends each round of a `for` on one line → that line."""
    lines = {i.offset: i.positions.lineno if i.positions else None for i in instructions}
    heads = {i.offset for i in instructions if i.opname == "FOR_ITER"}
    found: dict[int, int] = {}
    for end, instruction in enumerate(instructions):
        start = instruction.argval
        if not instruction.opname.startswith("JUMP_BACKWARD") or start not in heads:
            continue
        body = [i for i in instructions[:end] if i.offset >= start]
        line = lines[start]
        if line is None or any(lines[i.offset] != line for i in body):
            continue
        if not any(i.opname in _COLLECTS for i in body):
            found[instruction.offset] = line
    return found
