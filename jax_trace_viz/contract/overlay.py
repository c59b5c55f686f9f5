"""What may lie over a graph: the kernels that its equations ended up in, or how they differ from another trace's."""

from __future__ import annotations

from jax_trace_viz.contract.record import Record


class KernelNote(Record):
    """One kernel of the compiled program, see `Kernel`."""

    number: int
    """Its number among all kernels of the program, from 1 on."""
    name: str
    """What XLA calls it: `fusion.7`."""
    what: str
    """What it is, in few words: `fusion of add, tanh`, `dot`."""
    inside: str = ""
    """The loop or branch it runs in, in words; empty for the program itself."""
    bytes: int = 0
    """Of its operands and results."""
    equations: int = 0
    """How many of the trace's equations ended up in it for sure, and"""
    alike: int = 0
    """how many others may have: each shares name and line with equations that ended up elsewhere or here."""


class BoxKernels(Record):
    """Where the equations of one box ended up. The five counts add up to all of its equations, each counted once."""

    kernels: list[int] = []
    """Places in `Overlay.kernels`, the kernel with most of the box's equations first; the first few."""
    more: int = 0
    """How many other kernels there are."""
    placed: int = 0
    """Equations whose name and line stand in these kernels."""
    alike: int = 0
    """Equations that share name and line with others: each is one of those in these kernels."""
    dead: int = 0
    """Equations that no result needs."""
    constant: int = 0
    """Equations that depend on no argument and stand in no kernel."""
    unknown: int = 0
    """All others that stand in no kernel: XLA simplified them away, or merged them into others."""
    title: str = ""
    """The same in words, for a tooltip."""


class Overlay(Record):
    """What XLA made of a trace's equations, by the metadata of the executable that the program itself compiled."""

    compilation: str = ""
    """The compilation's id; empty if the trace was not compiled by itself."""
    summary: str = ""
    """`41 equations → 6 kernels`; empty if nothing is known."""
    kernels: list[KernelNote] = []
    """Those that boxes name, and those with most equations, in order of their numbers."""
    holding: int = 0
    """How many kernels of the program hold some of the equations, told here or not."""
    boxes: list[BoxKernels] = []
    """One for each of `Graph.boxes`, in their order."""
    flops: float | None = None
    bytes_accessed: float | None = None
    """Of the whole program, as XLA estimates them."""
    note: str = ""
    """Set when something is not known: says what and why."""


class BoxChanges(Record):
    """How the equations of one box differ from another trace's. The counts add up to all of its equations."""

    same: int = 0
    only: int = 0
    """Equations that the other trace lacks: added in the later of the two, removed in the earlier."""
    changed: int = 0
    resized: int = 0
    """Equations that differ in nothing but types and sizes."""


class Changes(Record):
    """How a graph differs from that of another trace."""

    other: str
    """Id of the other trace."""
    later: bool
    """Whether the drawn trace is the later of the two: what only it has was added, else removed."""
    boxes: list[BoxChanges] = []
    """One for each of `Graph.boxes`, in their order."""
    note: str = ""
    """Set when something is left out: says what."""
