"""Whether what the records of a document name is there: a file may have been cut, merged or edited by hand.

And whether each trace has a reason. Only what a reading could not do without: of what was dropped for want of memory,
ids of jaxprs and traces remain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jax_trace_viz.contract.document import Document
    from jax_trace_viz.contract.jaxpr import Jaxpr
    from jax_trace_viz.contract.program import CompiledProgram


def broken_reference(document: Document) -> str | None:
    """The first reference that leads nowhere, or in a circle, in words; None if there is none."""
    return next(_broken(document), None)


def _broken(document: Document) -> Iterator[str]:
    functions = {function.id for function in document.functions}
    for record in (*document.traces, *document.compilations):
        if record.function not in functions:
            yield f"{record.id} is of function {record.function}, which is not there"
    yield from (f"{trace.id} has no reason" for trace in document.traces if not trace.reasons)
    yield from _circles("trace", {trace.id: (trace.parent,) for trace in document.traces})
    yield from _frames("frame", [frame.parent for frame in document.frames])
    for jaxpr in document.jaxprs:
        yield from _jaxpr(jaxpr, len(document.frames))
    inside = {one.id: [sub.jaxpr for equation in one.equations for sub in equation.jaxprs] for one in document.jaxprs}
    yield from _circles("jaxpr", inside)
    for program in document.programs:
        yield from _program(program)


def _jaxpr(jaxpr: Jaxpr, frames: int) -> Iterator[str]:
    known = range(len(jaxpr.types))
    variables = [*jaxpr.inputs, *jaxpr.constants, *jaxpr.outputs, *([] if jaxpr.needed is None else [jaxpr.needed])]
    for equation in jaxpr.equations:
        variables += (*equation.inputs, *equation.outputs)
        if equation.frame is not None and equation.frame not in range(frames):
            yield f"jaxpr {jaxpr.id} has an equation of frame {equation.frame}, which is not there"
    unknown = next((one for one in variables if not isinstance(one, str) and one not in known), None)
    if unknown is not None:
        yield f"jaxpr {jaxpr.id} has no variable {unknown}"
    if jaxpr.dropped_equations < 0:
        yield f"jaxpr {jaxpr.id} has {jaxpr.dropped_equations} equations that were dropped"


def _program(program: CompiledProgram) -> Iterator[str]:
    where = f"the program of {program.compilation}"
    yield from _frames(f"{where}: frame", [frame.parent for frame in program.frames])
    named = (operation.frame for operation in program.operations)
    yield from _missing(f"{where}: frame", (one for one in named if one is not None), len(program.frames))
    inside = (operation for kernel in program.kernels for operation in kernel.operations)
    yield from _missing(f"{where}: operation", inside, len(program.operations))


def _frames(what: str, parents: Sequence[int | None]) -> Iterator[str]:
    yield from _missing(what, (parent for parent in parents if parent is not None), len(parents))
    yield from _circles(what, {at: () if parent is None else (parent,) for at, parent in enumerate(parents)})


def _missing(what: str, named: Iterable[int], count: int) -> Iterator[str]:
    for one in named:
        if one not in range(count):
            yield f"{what} {one} is not there"


def _circles(what: str, inside: Mapping[int, Iterable[int]] | Mapping[str, Iterable[str | None]]) -> Iterator[str]:
    """Records that are inside themselves. Without recursion: a chain may be as long as the document."""
    done: set[object] = set()
    for start in inside:
        path: dict[object, Iterator[object]] = {}
        following: object = start
        while True:
            if following in path:
                yield f"{what} {following} is inside itself"
                return
            if following in inside and following not in done:
                path[following] = iter(inside[following])  # pyright: ignore[reportArgumentType]
            while path:
                at = next(reversed(path))
                following = next(path[at], None)
                if following is not None:
                    break
                done.add(at)
                del path[at]
            if not path:
                break
