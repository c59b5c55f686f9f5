"""Which operations of a compiled program may have come from an equation: same scopes, same primitive, same place.

JAX names an operation by the scopes and calls around its equation (`jit(f)/while/body/layer/tanh`). The words for
calls and loops differ between versions of JAX, so they are dropped on both sides; the place in the source tells apart
what then reads the same.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.graph.scopes import parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jax_trace_viz.contract.jaxpr import Frame
    from jax_trace_viz.contract.program import CompiledProgram, HloFrame
    from jax_trace_viz.session.graph.scopes import Phase

Site = tuple[str | int, ...]
"""Where an expression begins: a file's name and line, and the column if the program tells it."""

_CALL = re.compile(r"(jit|pjit|xla_pmap|shard_map)\(.*\)|rematted_computation|closed_call|core_call|eval_jaxpr|pjit")
_WORDS = frozenset(
    {
        "while",
        "body",
        "cond",
        "checkpoint",
        "remat",
        "remat2",
        "custom_jvp_call",
        "custom_vjp_call",
        "shard_map",
        "main",
    }
)
_DEEPEST = 4
"""So many frames are compared: further out, JAX cuts them."""
_MADE_BY = {"dot": "dot_general", "convolution": "conv_general_dilated"}
"""Opcodes that come from one primitive alone, also where XLA kept the name of something that it merged with it."""

_ELSEWHERE: tuple[Site, ...] = (("",),)
"""Where no operation of the program stands."""


class Key(NamedTuple):
    """What is compared of an equation."""

    names: tuple[str, ...]
    phase: Phase
    primitive: str
    chain: tuple[Site, ...]
    """Where it stands, innermost first; empty where that is not known."""


class _Origin(NamedTuple):
    phase: Phase
    chain: tuple[Site, ...]
    operation: int
    helper: bool
    """A value that was made to fit an equation (`broadcast`), by that equation's name."""


class Origins:
    """Looks up operations of one program."""

    def __init__(self, program: CompiledProgram, frames: Sequence[Frame]) -> None:
        """Prepares looking up.

        Args:
            program: The program.
            frames: Those of the equations.
        """
        self._frames, self._own = program.frames, frames
        # Either side leaves out files that the other does not: libraries may hide theirs from JAX, we those of JAX.
        self._files = {_name(frame) for frame in program.frames} & {_name(frame) for frame in frames}
        self.exact = any(frame.end_column for frame in program.frames)
        """Whether columns are known."""
        # JAX 0.6 leaves out transformations outside all names.
        self._phased = any("()" in operation.name for operation in program.operations)
        self._known: defaultdict[tuple[tuple[str, ...], str], list[_Origin]] = defaultdict(list)
        self._guessed: defaultdict[tuple[tuple[str, ...], str], list[_Origin]] = defaultdict(list)
        for place, operation in enumerate(program.operations):
            names, phase, primitive = _named(operation.name)
            helper = operation.opcode == "broadcast" and primitive != "broadcast_in_dim"
            origin = _Origin(phase, self._chain(operation.frame), place, helper)
            self._known[names, primitive].append(origin)
            made_by = _MADE_BY.get(operation.opcode, primitive)
            if made_by != primitive:
                self._guessed[names, made_by].append(origin)

    def sites(self) -> set[Site]:
        """The innermost places of all operations that have a place."""
        return {one.chain[0] for found in self._known.values() for one in found if one.chain}

    def find(self, key: Key, *, places: bool) -> tuple[list[int], bool]:
        """The operations that an equation may have become, and whether that is said by their names and places.

        Args:
            key: The equation.
            places: Whether to compare places.
        """
        found = self._matching(self._known, key, places=places)
        if found:
            said = not key.chain or all(one.chain for one in found)
            return [one.operation for one in found if not one.helper] or [one.operation for one in found], said
        return [one.operation for one in self._matching(self._guessed, key, places=places)], False

    def _matching(
        self, table: defaultdict[tuple[tuple[str, ...], str], list[_Origin]], key: Key, *, places: bool
    ) -> list[_Origin]:
        return [
            one
            for one in table.get((key.names, key.primitive), ())
            if (not self._phased or one.phase == key.phase) and (not places or _same_place(key.chain, one.chain))
        ]

    def _chain(self, place: int | None) -> tuple[Site, ...]:
        return tuple(self._sites(self._frames, place, 2 * _DEEPEST))

    def chain_of(self, frame: int | None) -> tuple[Site, ...]:
        """The places from an equation's innermost frame outwards."""
        if frame is None:
            return ()
        return tuple(self._sites(self._own, frame, _DEEPEST)) or _ELSEWHERE

    def _sites(self, frames: Sequence[Frame] | Sequence[HloFrame], place: int | None, most: int) -> Iterator[Site]:
        while place is not None and most > 0:
            frame = frames[place]
            if _name(frame) in self._files:
                yield site(frame, exact=self.exact)
                most -= 1
            place = frame.parent


def site(frame: Frame | HloFrame, *, exact: bool) -> Site:
    """Where an expression begins; XLA tells those that begin at the same place by the end of the first of them."""
    return (_name(frame), frame.line, frame.column) if exact else (_name(frame), frame.line)


@functools.lru_cache(maxsize=1024)
def _file_name(path: str) -> str:
    return PurePath(path).name


def _name(frame: Frame | HloFrame) -> str:
    """The name of a frame's file, without the folders: JAX may be told to cut them."""
    return _file_name(frame.file)


def plain_names(names: Iterable[str]) -> tuple[str, ...]:
    """Scopes without the words for calls and loops."""
    return tuple(name for name in names if name not in _WORDS and not _CALL.fullmatch(name))


@functools.lru_cache(maxsize=8192)
def _named(text: str) -> tuple[tuple[str, ...], Phase, str]:
    """Scopes, phase and primitive of an operation's name."""
    head, _, primitive = text.rpartition("/")
    scope = parse_scope(head)
    return plain_names(scope.names), scope.phase, primitive


def primitive_of(text: str) -> str:
    """The primitive that an operation's name ends in; empty where it ends in a call, as those that XLA adds may."""
    primitive = text.rpartition("/")[2]
    return "" if primitive in _WORDS or _CALL.fullmatch(primitive) or ")" in primitive else primitive


def _same_place(ours: tuple[Site, ...], theirs: tuple[Site, ...]) -> bool:
    """Whether the innermost places are the same, and the others of ours come in that order in theirs."""
    if not ours or not theirs:
        return True
    if ours[0] != theirs[0]:
        return False
    left = iter(theirs[1:])
    return len(theirs) == 1 or all(one in left for one in ours[1:])
