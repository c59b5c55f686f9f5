"""The page of the docs, and the README's figures, written from the kept results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.files import ROOT
from bench.results import FOLDER, HUNDRED

if TYPE_CHECKING:
    import pathlib

PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- bench: written by `python -m bench --write-docs` -->", "<!-- /bench -->"

_HEAD = """\
# Benchmarks

Written by `python -m bench --write-docs` from the files in `bench/results/`, which `make bench` measures. Not edited
by hand.

Ratios compare runs that took turns in one process: plain, recorded, plain, … Of each the fastest counts, since it was
disturbed the least. Times are processor time, that of our own threads included where a row says so, so that other
programs on the machine do not count; but they do take caches and clock speed away, and what is added then looks larger
than it is. The load is the number of processes that wanted to run, before and after the measures.

What one layer adds is a small difference between long times: on a loaded machine it may even come out below zero.

The traced model is a 20-layer transformer with its gradient, some 5,000 equations. "Everything on" is what a recorded
cell has: equations, marks, reasons, keys, calls, compilations. The programs named by a library are those of
`tests/workloads/programs`, run with a compilation cache that is warm, so that XLA is hardly waited for.
"""


def write() -> None:
    """Writes both."""
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"), reverse=True)]
    PAGE.write_text(page(kept), encoding="utf-8")
    _replace(README, in_short(kept[0]))


def page(kept: list[dict[str, Any]]) -> str:
    """The page, from the results of several versions of Python and JAX."""
    heads = [f"Python {_short(one['python'])}, JAX {one['jax']}" for one in kept]
    rows = [
        _line(["", *heads, "goal"]),
        _line(["---", *["---:"] * (len(heads) + 1)]),
        *(_row(what, kept) for what in _all_rows(kept)),
    ]
    runs = [f"- {head}: {_circumstances(one)}" for head, one in zip(heads, kept, strict=True)]
    return "\n".join([_HEAD, *rows, "", "**Bold**: over the goal. Where:", "", *runs, ""])


def in_short(one: dict[str, Any]) -> str:
    """A few figures in words."""
    value = {row["what"]: row["value"] for row in one["results"]}
    tracing = value["tracing with everything on / plain, our threads counted"]
    words = [
        f"Tracing 5,000 equations takes {tracing:.2f} × as long with everything on "
        f"(Python {_short(one['python'])}, JAX {one['jax']})",
        f"a call on JAX's fast path {value['added to it while recording']:.1f} µs longer",
        f"`import jax_trace_viz` {value['import jax_trace_viz']:.0f} ms",
        "and after a recording, or without one, no hook is left in JAX",
    ]
    return "; ".join(words) + ". All figures: [docs/benchmarks.md](docs/benchmarks.md)."


def _all_rows(kept: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["what"] for one in kept for row in one["results"]))


def _row(what: str, kept: list[dict[str, Any]]) -> str:
    found = [next((row for row in one["results"] if row["what"] == what), None) for one in kept]
    goals = list(dict.fromkeys(f"≤ {row['goal']:g}" for row in found if row and row["goal"] is not None))
    return _line([what, *map(_cell, found), ", ".join(goals)])


def _line(cells: list[str]) -> str:
    return " ".join(["|", *(f"{cell} |" if cell else "|" for cell in cells)])


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    value, unit = row["value"], row["unit"]
    number = f"{value:,.0f}" if abs(value) >= HUNDRED else f"{value:.3g}"
    over = row["goal"] is not None and value > row["goal"]
    text = f"{number} {unit}".strip()
    return f"**{text}**" if over else text


def _circumstances(one: dict[str, Any]) -> str:
    if "load" not in one:
        return "an earlier run"
    before, after = one["load"]
    return f"{one['machine']}, {one['cores']} cores, load {before:g} before and {after:g} after"


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _replace(path: pathlib.Path, text: str) -> None:
    """Puts the text between the marks, if they are there."""
    whole = path.read_text(encoding="utf-8")
    if BEGIN in whole:
        before, rest = whole.split(BEGIN, 1)
        path.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")
