"""The page of the docs: the measured tables, and what they do not tell."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

from bench.peers.environments import Failed
from bench.peers.retraces import RETRACES, names_the_cause
from tools.project import ROOT, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.peers.measuring import Peer

PAGE = ROOT / "docs" / "peers.md"
TEXT = ROOT / "bench" / "peers" / "page.md"
"""What is written by hand, with places for the tables."""

SHOWN = {"ours": "jax-trace-viz", "jaxviz": "jaxviz", "model-explorer": "Model Explorer"}
_DISTRIBUTIONS = {"jaxviz": "jaxviz", "model-explorer": "ai-edge-model-explorer"}

Said = dict[str, dict[str, str]]
Row = dict[str, str]
"""The cells of one program: `equations`, and one for each tool."""


def row(peers: Mapping[str, Peer]) -> Row:
    """One program's row."""
    ours = peers["ours"].drawn
    equations = "" if isinstance(ours, Failed) or ours.equations is None else f"{ours.equations:,}"
    return {"equations": equations, **{tool: _picture(peer) for tool, peer in peers.items()}}


def row_lines(cells: Row) -> list[str]:
    """The row, to read in a terminal."""
    return [f"  {name:<15} {cells[tool]}" for tool, name in SHOWN.items()]


def retrace_lines(said: Said | Failed) -> list[str]:
    """The table of retraces."""
    if isinstance(said, Failed):
        return [f"Not compared: {said.words}."]
    lines = ["| what is true | JAX says | jax-trace-viz says |", "| --- | --- | --- |"]
    named = dict.fromkeys(said, 0)
    for retrace in RETRACES:
        cells = [retrace.cause]
        for who, answers in said.items():
            words = answers[retrace.run.__name__]
            named[who] += names_the_cause(words, retrace)
            cells.append(_answer(words, names=names_the_cause(words, retrace)))
        lines.append(_line(cells))
    counts = [f"{count} of {len(RETRACES)}" for count in named.values()]
    return [*lines, _line(["**names the cause**", *counts])]


def write(
    rows: Mapping[str, Row],
    said: Said | Failed,
    found: Mapping[str, Mapping[str, str] | Failed],
    load: tuple[float, float],
) -> str:
    """Writes the page and tells where.

    Args:
        rows: Of each program, what each tool made of it.
        said: Of each retrace, what JAX and we say.
        found: What is installed for each tool.
        load: Processes that wanted to run, before and after.
    """
    text = TEXT.read_text(encoding="utf-8")
    for mark, lines in {
        "pictures": _pictures(rows, found),
        "retraces": retrace_lines(said),
        "circumstances": [_circumstances(found, load)],
    }.items():
        text = text.replace(f"<!-- {mark} -->", "\n".join(lines))
    PAGE.write_text(text, encoding="utf-8")
    return shown(PAGE)


def _pictures(rows: Mapping[str, Row], found: Mapping[str, Mapping[str, str] | Failed]) -> Iterable[str]:
    heads = [f"{name} {_version(tool, found)}".strip() for tool, name in SHOWN.items()]
    yield _line(["program", "equations", *heads])
    yield _line(["---", "---:", *["---"] * len(heads)])
    for program, cells in rows.items():
        yield _line([f"`{program}`", cells["equations"], *(cells[tool] for tool in SHOWN)])


def _picture(peer: Peer) -> str:
    """`0.05 s + 0.21 s · 42 kB · 36`: made, shown, size of the file, boxes."""
    drawn, page = peer.drawn, peer.shown
    if isinstance(drawn, Failed):
        return f"no picture: {_plain(drawn.words)}"
    if isinstance(page, Failed) or page.seconds is None:
        words = page.words if isinstance(page, Failed) else page.error
        return f"{drawn.seconds:.2f} s, {_size(drawn.kilobytes)}, then no picture: {_plain(words)}"
    nodes = page.drawn if drawn.nodes is None else drawn.nodes
    return f"{drawn.seconds:.2f} s + {page.seconds:.2f} s · {_size(drawn.kilobytes)} · {nodes:,}"


def _size(kilobytes: float) -> str:
    return f"{kilobytes:.0f} kB" if kilobytes < 1000 else f"{kilobytes / 1000:.1f} MB"


def _answer(words: str, *, names: bool) -> str:
    if not words:
        return "✗ nothing"
    return f"{'✓' if names else '✗'} {_plain(words)}"


def _plain(words: str) -> str:
    """As text in a cell of a table."""
    for sign in "\\`*_<>[]|":
        words = words.replace(sign, f"\\{sign}")
    return " ".join(words.split())


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _version(tool: str, found: Mapping[str, Mapping[str, str] | Failed]) -> str:
    installed = found.get(tool, {})
    return "" if isinstance(installed, Failed) else installed.get(_DISTRIBUTIONS.get(tool, ""), "")


def _circumstances(found: Mapping[str, Mapping[str, str] | Failed], load: tuple[float, float]) -> str:
    ours = found["ours"]
    jax = "" if isinstance(ours, Failed) else f"JAX {ours['jax']}, "
    lacking = [f"{tool} {place.words}" for tool, place in found.items() if isinstance(place, Failed)]
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    measured = f"Measured with {jax}on {machine}, load {load[0]:g} before and {load[1]:g} after."
    return " ".join([measured, *(f"{words[0].upper()}{words[1:]}." for words in lacking)])
