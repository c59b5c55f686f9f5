"""`python -m bench.peers [PROGRAM …]`: draws the same programs with other tools, asks JAX itself, and compares.

Each tool gets an environment of its own in `build/peers/`. The rows that were measured last, of these programs and the
others, go into `docs/peers.md`.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from bench.peers import page
from bench.peers.environments import FOLDER, TOOLS, Failed, environment, versions, work
from bench.peers.measuring import measure
from bench.results import load_average
from tools.browser import find_browser
from tools.process import say

if TYPE_CHECKING:
    from tools.environment import Environment

PROGRAMS = (
    "where",
    "where-jitted",
    "newton",
    "plain_mlp",
    "mlp_adam",
    "transformer",
    "diffrax_gradient",
    "unrolled",
    "scopes",
    "nested",
)

KEPT = FOLDER / "rows.json"

DEVICES = 2
"""One of the retraces needs a second one."""


def explained(place: Environment | Failed) -> dict[str, dict[str, str]] | Failed:
    """What JAX says of each retrace, and what we say."""
    if isinstance(place, Failed):
        return place
    said: dict[str, dict[str, str]] = {}
    for who in ("jax", "ours"):
        words = work(place, "bench.peers.retraces", who, devices=DEVICES)
        if isinstance(words, Failed):
            return words
        said[who] = words
    return said


def kept() -> dict[str, page.Row]:
    """The rows that were measured last, of every program."""
    found: dict[str, page.Row] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return {program: found[program] for program in PROGRAMS if program in found}


def main() -> None:
    """Measures, prints, and writes the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=", ".join(PROGRAMS))
    programs = parser.parse_args().programs
    load = load_average()
    browser = find_browser(os.environ)
    made = {tool: environment(tool) for tool in TOOLS}
    for program in programs or PROGRAMS:
        say(program)
        row = page.row({tool: measure(tool, program, made, browser) for tool in page.SHOWN})
        print(*page.row_lines(row), sep="\n", flush=True)
        KEPT.write_text(json.dumps({**kept(), program: row}, ensure_ascii=False, indent=2), encoding="utf-8")
    said = explained(made["ours"])
    print(*page.retrace_lines(said), sep="\n")
    found = {tool: place if isinstance(place, Failed) else versions(place) for tool, place in made.items()}
    say(f"written: {page.write(kept(), said, found, (load, load_average()))}")


if __name__ == "__main__":
    main()
