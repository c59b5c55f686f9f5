"""By what equations are told apart, whatever their variables are called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check
from jax_trace_viz.session.jaxpr_diff.align import Item
from jax_trace_viz.session.listing import user_place

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr

_SIZES = frozenset(
    {
        "axis_size",
        "length",
        "limit_indices",
        "new_dtype",
        "new_sizes",
        "preferred_element_type",
        "shape",
        "sizes",
        "slice_sizes",
    }
)
"""Parameters that follow from the types of the arrays."""


class Signatures:
    """Makes signatures; each jaxpr's is worked out once."""

    def __init__(self, jaxprs: Mapping[str, Jaxpr], frames: Sequence[Frame]) -> None:
        self._jaxprs = jaxprs
        self._frames = frames
        self._whole: dict[str, int] = {}

    def items(self, jaxpr: Jaxpr, values: dict[int, Hashable], most: int) -> list[Item]:
        """What the first equations of a jaxpr, `most` of them, are aligned by.

        `values` holds, by variable, what stands for those inputs that are in both jaxprs; what the equations make is
        added to it.
        """
        return [self._item(equation, jaxpr, values) for equation in jaxpr.equations[:most]]

    def _item(self, equation: Equation, jaxpr: Jaxpr, values: dict[int, Hashable]) -> Item:
        check()
        exact = (operation(equation, jaxpr), sizes(equation, jaxpr), self._inside(equation))
        value = hash((exact, *(a if isinstance(a, str) else values.get(a) for a in equation.inputs)))
        values.update((variable, (value, place)) for place, variable in enumerate(equation.outputs))
        kind = (equation.primitive, equation.parameters.get("name"))
        return Item(kind=kind, exact=exact, value=value, place=user_place(equation.frame, self._frames))

    def of(self, jaxpr: str) -> int:
        """Equal for jaxprs that are the same but for the names of their variables."""
        if jaxpr not in self._whole:
            self._whole[jaxpr] = 0  # in case a jaxpr should hold itself
            self._whole[jaxpr] = self._sum(self._jaxprs[jaxpr]) if jaxpr in self._jaxprs else hash(jaxpr)
        return self._whole[jaxpr]

    def _sum(self, jaxpr: Jaxpr) -> int:
        numbers: dict[int, int] = {}

        def flow(atoms: Sequence[int | str]) -> tuple[int | str, ...]:
            return tuple(a if isinstance(a, str) else numbers.setdefault(a, len(numbers)) for a in atoms)

        ends = (*jaxpr.constants, *jaxpr.inputs)
        parts: list[Hashable] = [len(jaxpr.constants), flow(ends), tuple(jaxpr.types[variable] for variable in ends)]
        for equation in jaxpr.equations:
            parts.append((operation(equation, jaxpr), sizes(equation, jaxpr), self._inside(equation)))
            parts.append((flow(equation.inputs), flow(equation.outputs)))
        return hash((*parts, flow(jaxpr.outputs), jaxpr.dropped_equations))

    def _inside(self, equation: Equation) -> tuple[int, ...]:
        return tuple(self.of(sub.jaxpr) for sub in equation.jaxprs)


def operation(equation: Equation, jaxpr: Jaxpr) -> Hashable:
    """What is done, for arrays of any type and size."""
    return (
        equation.primitive,
        tuple(_operand(atom, jaxpr) for atom in equation.inputs),
        len(equation.outputs),
        tuple(sorted((name, text) for name, text in equation.parameters.items() if name not in _SIZES)),
        tuple(sub.parameter for sub in equation.jaxprs),
        tuple(equation.effects),
    )


def sizes(equation: Equation, jaxpr: Jaxpr) -> Hashable:
    """The types, and what follows from them."""
    return (
        tuple(atom if isinstance(atom, str) else jaxpr.types[atom] for atom in equation.inputs),
        tuple(jaxpr.types[variable] for variable in equation.outputs),
        tuple(sorted((name, text) for name, text in equation.parameters.items() if name in _SIZES)),
    )


def _operand(atom: int | str, jaxpr: Jaxpr) -> Hashable:
    """A literal by its value (`2.0` of `2.0:f32[]`), a variable by how many dimensions it has."""
    if isinstance(atom, str):
        return atom.rpartition(":")[0] or atom
    dimensions = re.search(r"\[(.*?)\]", jaxpr.types[atom])
    return len(dimensions[1].split(",")) if dimensions and dimensions[1] else 0
