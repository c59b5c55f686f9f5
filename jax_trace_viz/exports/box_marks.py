"""Marks on the boxes of a picture: the kernel that equations ended up in, or how they differ from another trace's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.exports.palette import KERNEL_TONES
from jax_trace_viz.session.wording import bytes_text, count_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.overlay import BoxChanges, BoxKernels, Changes, KernelNote, Overlay
    from jax_trace_viz.contract.picture import Graph

_NAMED, _LISTED = 2, 16


class Mark(NamedTuple):
    """What is said of one box beyond what it is."""

    tone: str
    badge: str
    """A few characters at the box's corner: colours alone say nothing."""
    title: str
    dashed: bool = False


NOTHING = Mark("", "", "")


class Entry(NamedTuple):
    """A line above the picture that explains a colour; without a tone, a line of text."""

    tone: str
    text: str


def marks(graph: Graph) -> list[Mark]:
    """The mark of each box, in order; none if nothing lies over the graph."""
    if graph.changes is not None and graph.changes.boxes:
        return [_changed(box, later=graph.changes.later) for box in graph.changes.boxes]
    if graph.overlay is not None and graph.overlay.boxes:
        return [_kernels(box, graph.overlay) for box in graph.overlay.boxes]
    return []


def legend(graph: Graph) -> list[Entry]:
    """What the marks mean."""
    entries: list[Entry] = []
    if graph.changes is not None:
        entries += _change_entries(graph, graph.changes)
    elif graph.overlay is not None:
        entries += _kernel_entries(graph.overlay)
    return entries


def kernel_tone(number: int) -> str:
    """Colour of a kernel, by its number in the program, from 1 on; there are fewer colours than kernels."""
    return f"kernel-{(number - 1) % KERNEL_TONES}"


def _kernels(box: BoxKernels, overlay: Overlay) -> Mark:
    if not box.kernels:
        missing = box.dead + box.constant + box.unknown
        return Mark("plain", "–", box.title, dashed=True) if missing else NOTHING
    numbers = [overlay.kernels[place].number for place in box.kernels[:_NAMED]]
    others = len(box.kernels) + box.more - len(numbers)
    badge = ", ".join(map(str, numbers)) + (f" +{others}" if others else "")
    return Mark(kernel_tone(numbers[0]), badge, box.title, dashed=not box.placed)


def _kernel_entries(overlay: Overlay) -> Iterator[Entry]:
    cost = [f"{overlay.flops:,.0f} flops" if overlay.flops else ""]
    cost += [f"{bytes_text(int(overlay.bytes_accessed))} accessed" if overlay.bytes_accessed else ""]
    head = ", ".join(filter(None, [overlay.summary, *cost]))
    yield from (Entry("", f"XLA: {text}") for text in (head, overlay.note) if text)
    held = [kernel for kernel in overlay.kernels if kernel.equations + kernel.alike]
    ranked = sorted(held, key=lambda kernel: -kernel.equations)
    for kernel in sorted(ranked[:_LISTED], key=lambda kernel: kernel.number):
        inside = f" in {kernel.inside}" if kernel.inside else ""
        what = f": {kernel.what}" if kernel.what != kernel.name else ""
        text = f"{kernel.number} {kernel.name}{inside}{what} ({_held(kernel)}, {bytes_text(kernel.bytes)} in and out)"
        yield Entry(kernel_tone(kernel.number), text)
    if overlay.holding > _LISTED:
        yield Entry("", f"and {count_text(overlay.holding - _LISTED, 'more kernel')} with fewer equations")


def _held(kernel: KernelNote) -> str:
    """`2 equations and perhaps 12 more`."""
    if not kernel.alike:
        return count_text(kernel.equations, "equation")
    if not kernel.equations:
        return f"perhaps {count_text(kernel.alike, 'equation')}"
    return f"{count_text(kernel.equations, 'equation')} and perhaps {kernel.alike:,} more"


def _changed(box: BoxChanges, *, later: bool) -> Mark:
    sign, word, tone = ("+", "added", "added") if later else ("−", "removed", "removed")
    signs = [(sign, box.only, word), ("~", box.changed, "changed"), ("≠", box.resized, "of other types or sizes")]
    present = [(mark, count, what) for mark, count, what in signs if count]
    if not present:
        return NOTHING
    title = ", ".join(f"{count:,} {what}" for _, count, what in present)
    badge = " ".join(f"{mark}{count:,}" for mark, count, _ in present)
    whole = tone if box.only else "changed"
    same = f", {box.same:,} the same" if box.same else ""
    return Mark(whole, badge, title + same, dashed=not (box.only or box.changed))


def _change_entries(graph: Graph, changes: Changes) -> Iterator[Entry]:
    yield Entry(
        "", f"Trace {trace_name(graph.name, graph.trace)}, the {'later' if changes.later else 'earlier'} of the two"
    )
    if changes.note:
        yield Entry("", changes.note)
    which = "earlier" if changes.later else "later"
    sign, word = ("+", "added") if changes.later else ("−", "removed")
    yield Entry(word, f"{sign} {word}: not in the {which} trace {trace_name(graph.name, changes.other)}")
    yield Entry("changed", "~ changed; dashed, ≠: only types or sizes differ")
