"""The kernels of a program: what XLA runs in one go, found from the program's start on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.program import CompiledProgram, HloOperation, Kernel
from jax_trace_viz.session.xla.hlo import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.session.xla.hlo import Instruction, Module

GONE = "XLA's program cannot be read: the executable is no longer held by JAX, or its platform does not tell."

_NO_WORK = frozenset(
    {
        "add-dependency",
        "after-all",
        "bitcast",
        "constant",
        "domain",
        "get-tuple-element",
        "opt-barrier",
        "parameter",
        "partition-id",
        "replica-id",
        "tuple",
    }
)
"""Instructions that run nothing."""
_RUNS_OTHERS = frozenset({"async-start", "call", "conditional", "while"})
"""Instructions that run the computations they name, whose own kernels count."""
_PLAIN = frozenset({"constant", "parameter"})
"""Instructions whose metadata names what they were made for, or an argument: no equation is computed in them."""


def kernels(compilation: str, text: str) -> CompiledProgram:
    """The kernels of an optimised program.

    Args:
        compilation: The compilation's id.
        text: The program as XLA prints it.
    """
    module = parse(text)
    if not module.entry:
        return CompiledProgram(
            compilation=compilation, note="XLA printed the program in a form that is not known here."
        )
    operations: dict[HloOperation, int] = {}
    found: list[Kernel] = []
    for inside, instruction, operands in _running(module):
        made_of = (_operation(one) for one in _inside(module, instruction) if one.op_name and one.opcode not in _PLAIN)
        found.append(
            Kernel(
                name=instruction.name,
                opcode=instruction.opcode,
                detail=instruction.detail,
                inside=inside,
                bytes=instruction.bytes + operands,
                operations=[operations.setdefault(one, len(operations)) for one in dict.fromkeys(made_of)],
            )
        )
    return CompiledProgram(compilation=compilation, kernels=found, operations=list(operations), frames=module.frames)


def _running(module: Module) -> Iterator[tuple[str, Instruction, int]]:
    """The instructions that do work, with the loop or branch they run in and the bytes of their operands."""
    left, seen = [(module.entry, "")], {module.entry}
    while left:
        name, inside = left.pop(0)
        instructions = module.computations.get(name, [])
        sizes = {one.name: one.bytes for one in instructions}
        for one in instructions:
            if one.opcode in _RUNS_OTHERS:
                place = one.name if one.opcode in ("conditional", "while") else inside
                called = [callee for names in one.called.values() for callee in names if callee not in seen]
                left += [(callee, place) for callee in called]
                seen.update(called)
            elif one.opcode not in _NO_WORK and not one.opcode.endswith(("-done", "-update")):
                yield inside, one, sum(sizes.get(operand, 0) for operand in one.operands)


def _inside(module: Module, instruction: Instruction) -> Iterator[Instruction]:
    """An instruction and all that it is made of. A fusion's own metadata repeats that of one of these."""
    left, seen = list(instruction.called.values()), set[str]()
    if not left:
        yield instruction
        return
    names = [name for called in left for name in called]
    if instruction.opcode != "fusion":
        yield instruction
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        for one in module.computations.get(name, []):
            yield one
            names += [callee for called in one.called.values() for callee in called]


def _operation(instruction: Instruction) -> HloOperation:
    return HloOperation(name=instruction.op_name, opcode=instruction.opcode, frame=instruction.frame)
