"""The command line: `jax-trace-viz run script.py [arguments] --session out.json --svg out.svg`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jax_trace_viz.api import start_recording
from jax_trace_viz.exports import json_document
from jax_trace_viz.exports.renaming import renamed
from jax_trace_viz.outcome import outcome_of
from jax_trace_viz.script import Script

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.api import Session

_USAGE_ERROR = 2
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
        _say(f"cannot read {path}: {error.strerror}")
        return _USAGE_ERROR
    recording = start_recording()
    error = script.run()
    recording.stop(outcome_of(error))
    _save(recording.session, script, options)
    return script.exit_status(error)


def _save(session: Session, script: Script, options: argparse.Namespace) -> None:
    """Writes what was asked for. A file that cannot be written costs a sentence, never the script's own result."""
    try:
        if options.session:
            document = renamed(session.document(), script.file, script.given)
            json_document.save(document, options.session)
    except OSError as error:
        _say(f"cannot write {options.session}: {error.strerror}")
    try:
        if options.svg:
            options.svg.write_text(session.to_svg(options.function), encoding="utf-8")
    except OSError as error:
        _say(f"cannot write {options.svg}: {error.strerror}")
    except LookupError as error:
        _say(str(error))


def _say(sentence: str) -> None:
    sys.stderr.write(f"jax-trace-viz: {sentence}\n")
