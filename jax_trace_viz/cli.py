"""The command line: `jax-trace-viz run script.py [arguments] --session out.json --svg out.svg`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jax_trace_viz.api import start_recording
from jax_trace_viz.outcome import outcome_of
from jax_trace_viz.script import Script
from jax_trace_viz.writing import save_svg, write_document

_USAGE = "jax-trace-viz run [options] script.py [arguments of the script]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit status; for `run` that is the script's own."""
    parser = _parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    given, after = _split(given)
    options, rest = parser.parse_known_args(given)
    if options.command != "run":
        parser.error(f"unknown command {options.command!r}: the one command is `run`")
    rest += after
    if not rest or rest[0].startswith("-"):
        parser.error("which script? " + _USAGE)
    return _run(Path(rest[0]), rest[1:], options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jax-trace-viz",
        usage=_USAGE,
        description="Runs a script as Python would and records what JAX traces and compiles.",
        epilog="Options may stand before or after the script; what follows `--` goes to the script untouched.",
        allow_abbrev=False,
    )
    parser.add_argument("command", help="run")
    parser.add_argument("--session", type=Path, metavar="FILE", help="write the session document (JSON)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the graph of the costliest function (SVG)")
    parser.add_argument("--function", metavar="NAME", help="draw this function instead")
    return parser


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _run(path: Path, arguments: list[str], options: argparse.Namespace) -> int:
    try:
        script = Script(path, arguments)
    except OSError as error:
        print(f"jax-trace-viz: cannot read {path}: {error.strerror}", file=sys.stderr)
        return 2
    recording = start_recording()
    error = script.run()
    recording.stop(outcome_of(error))
    try:
        if options.session:
            write_document(recording.session.document(), options.session)
        if options.svg:
            save_svg(recording.session, options.svg, options.function)
    except (OSError, LookupError) as problem:
        print(f"jax-trace-viz: {problem}", file=sys.stderr)
    return script.exit_status(error)
