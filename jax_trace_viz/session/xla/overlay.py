"""What lies over a graph when it is asked what XLA made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.overlay import BoxKernels, KernelNote, Overlay
from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.text import clean, cut
from jax_trace_viz.session.wording import count_text
from jax_trace_viz.session.xla.origins import primitive_of
from jax_trace_viz.session.xla.placing import Placing, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jax_trace_viz.contract.document import Compilation
    from jax_trace_viz.contract.program import CompiledProgram, Kernel
    from jax_trace_viz.session.graph.tree import Node

MOST_EQUATIONS = 100_000
"""Larger programs are not looked through."""
_NAMED, _LISTED, _LONGEST = 3, 4, 60
_OF_BOX = 12
"""Kernels told of one box; a whole program's may be thousands."""
_OF_PROGRAM = 16
"""Kernels with most equations, told for a legend."""


def overlay(root: Node, nodes: Sequence[Node], compilation: Compilation, program: CompiledProgram) -> Overlay:
    """Finds the kernels of every box.

    Args:
        root: The tree that the picture was cut from.
        nodes: What is drawn, in the order of the graph's boxes.
        compilation: The compilation of this trace.
        program: What XLA made of it.
    """
    base = Overlay(compilation=compilation.id, flops=compilation.flops, bytes_accessed=compilation.bytes_accessed)
    level = root.level
    if level is None or (program.note and not program.kernels):
        return _without(base, program.note)
    if root.weight > MOST_EQUATIONS:
        return _without(
            base, f"The program has more than {MOST_EQUATIONS:,} equations: that is too much to look through."
        )
    placing = Placing(level.program, level.jaxpr, program, moved=compilation.persistent_cache == "hit")
    total = placing.tally(level, 0, len(level.equations))
    tallies = [_tally(placing, node) for node in nodes]
    return _told(base, program, total, tallies, places=placing.places)


def unknown(note: str) -> Overlay:
    """Nothing is known, and why."""
    return Overlay(note=note)


def _without(base: Overlay, note: str) -> Overlay:
    return Overlay(compilation=base.compilation, flops=base.flops, bytes_accessed=base.bytes_accessed, note=note)


def _tally(placing: Placing, node: Node) -> Tally:
    if node.level is None or node.stop <= node.start:
        return Tally()
    return placing.tally(node.level, node.start, node.stop)


def _told(base: Overlay, program: CompiledProgram, total: Tally, tallies: list[Tally], *, places: bool) -> Overlay:
    notes = [_note(program, place, total.kernels[place], total.guesses[place]) for place in range(len(program.kernels))]
    holding = [place for place, note in enumerate(notes) if note.equations + note.alike]
    ranked = [_ranked(tally) for tally in tallies]
    first = sorted(holding, key=lambda place: -notes[place].equations)[:_OF_PROGRAM]
    told = sorted({*first, *(place for places in ranked for place in places[:_OF_BOX])})
    spot = {place: number for number, place in enumerate(told)}
    return Overlay(
        compilation=base.compilation,
        summary=f"{count_text(total.equations, 'equation')} → {count_text(len(notes), 'kernel')}",
        kernels=[notes[place] for place in told],
        holding=len(holding),
        boxes=[_box(tally, each, notes, spot) for tally, each in zip(tallies, ranked, strict=True)],
        flops=base.flops,
        bytes_accessed=base.bytes_accessed,
        note=" ".join(_remarks(program, total, places=places)),
    )


def _note(program: CompiledProgram, place: int, equations: int, alike: int) -> KernelNote:
    kernel = program.kernels[place]
    return KernelNote(
        number=place + 1,
        name=cut(clean(kernel.name), _LONGEST),
        what=cut(clean(_what(program, kernel)), _LONGEST),
        inside=cut(clean(kernel.inside), _LONGEST),
        bytes=min(kernel.bytes, LARGEST),
        equations=equations - alike,
        alike=alike,
    )


def _what(program: CompiledProgram, kernel: Kernel) -> str:
    """`fusion of add, tanh and 2 more`: by the primitives, in JAX's words."""
    if kernel.opcode != "fusion":
        return kernel.detail or kernel.opcode
    names = dict.fromkeys(primitive_of(program.operations[one].name) for one in kernel.operations)
    named = [name for name in names if name]
    return f"fusion of {_some(named, _NAMED)}" if named else "fusion"


def _ranked(tally: Tally) -> list[int]:
    """The kernels with most of the equations first."""
    return [place for place, _ in sorted(tally.kernels.items(), key=lambda item: (-item[1], item[0]))]


def _box(tally: Tally, ranked: list[int], notes: list[KernelNote], spot: dict[int, int]) -> BoxKernels:
    return BoxKernels(
        kernels=[spot[place] for place in ranked[:_OF_BOX]],
        more=max(0, len(ranked) - _OF_BOX),
        placed=tally.placed,
        alike=tally.alike,
        dead=tally.dead,
        constant=tally.constant,
        unknown=tally.unknown,
        title="\n".join(_sentences(tally, ranked, notes)),
    )


def _sentences(tally: Tally, ranked: list[int], notes: list[KernelNote]) -> Iterator[str]:
    names = _some([f"{notes[place].number} {notes[place].name}" for place in ranked], _LISTED)
    where = f"kernel{'s' if len(ranked) > 1 else ''} {names}"
    if tally.placed:
        yield f"in {where}" if tally.placed == tally.equations else f"{tally.placed:,} in {where}"
    if tally.alike:
        yield f"{count_text(tally.alike, 'equation')} like others in name and place: among {where}"
    if tally.dead:
        yield f"{tally.dead:,} in no kernel: no result needs {_them(tally.dead)}"
    if tally.constant:
        yield f"{tally.constant:,} in no kernel: no argument goes into {_them(tally.constant)}"
    if tally.unknown:
        them = _them(tally.unknown)
        yield f"{tally.unknown:,} in no kernel by name: XLA simplified {them} away or merged {them} with others"


def _remarks(program: CompiledProgram, total: Tally, *, places: bool) -> Iterator[str]:
    if program.note:
        yield program.note
    own = sum(1 for place in range(len(program.kernels)) if not total.kernels[place])
    if own:
        yield f"{count_text(own, 'kernel')} {'hold' if own > 1 else 'holds'} none of these equations by name."
    missing = total.dead + total.constant + total.unknown
    if missing:
        are = "are" if missing > 1 else "is"
        yield f"{count_text(missing, 'equation')} of {total.equations:,} {are} in no kernel by name."
    if not places:
        yield (
            "The executable came from the persistent cache and was compiled from source that stood elsewhere, so "
            "equations are found by name alone."
        )


def _some(names: list[str], most: int) -> str:
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def _them(count: int) -> str:
    return "them" if count > 1 else "it"
