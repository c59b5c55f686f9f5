"""The command line: `jax-trace-viz run script.py …` records a script, `jax-trace-viz why session.json` explains it."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jax_trace_viz.api import start_recording
from jax_trace_viz.exports import json_document, text, why_text
from jax_trace_viz.exports.exportable import SavedSession
from jax_trace_viz.exports.files import write_text
from jax_trace_viz.exports.renaming import renamed
from jax_trace_viz.outcome import outcome_of
from jax_trace_viz.script import Module, Script, for_process, script_at, wait_for_threads
from jax_trace_viz.session.graph import EVERYTHING, TooManyBoxesError
from jax_trace_viz.session.recorded.memory import limit_mb
from jax_trace_viz.termination import Termination
from jax_trace_viz.version import package_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from jax_trace_viz.api import RecordedSession

_USAGE_ERROR = 2
_USAGE = "jax-trace-viz run [options] (script.py | -m module) [arguments of the script]"
_WHY_USAGE = "jax-trace-viz why [--diff] session.json [function]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit status; for `run` that is the script's own."""
    parser = _parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:  # no option of the parser: behind the script, it is the script's own
        sys.stdout.write(f"jax-trace-viz {package_version() or 'from a folder that is not installed'}\n")
        return 0
    if given[:1] == ["why"]:
        return _why(given[1:])
    given, after = _split(given)
    options, rest = parser.parse_known_args(given)
    if options.command != "run":
        parser.error(f"unknown command {options.command!r}: the commands are `run` and `why`")
    rest += after
    if not rest:
        parser.error("which script? " + _USAGE)
    if rest[0] == "-m":
        if len(rest) == 1:
            parser.error("which module? " + _USAGE)
        return _run(Module(rest[1], rest[2:]), options)
    if rest[0].startswith("-"):
        parser.error(f"unknown option {rest[0].split('=')[0]}: options of the script stand after its name")
    try:
        script = script_at(rest[0], rest[1:])
    except OSError as error:
        _say(f"cannot read {rest[0]}: {error.strerror}")
        return _USAGE_ERROR
    return _run(script, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jax-trace-viz",
        usage=f"{_USAGE}\n       {_WHY_USAGE}\n       jax-trace-viz --version",
        description="Runs a script as Python would and records what JAX traces and compiles. Where no file is asked "
        "for, a summary is printed to standard error. "
        f"`{_WHY_USAGE}` says of a saved recording why functions were traced again.",
        epilog="Options may stand before or after the script; what follows `--` goes to the script untouched.",
        allow_abbrev=False,
    )
    parser.add_argument("command", help="`run`; of `why`, `jax-trace-viz why --help` says more")
    parser.add_argument("--session", type=Path, metavar="FILE", help="write the session document (JSON)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the graph of the costliest function (SVG)")
    parser.add_argument(
        "--overlay",
        choices=["xla", "changes"],
        help="colour that graph by XLA's kernels, or by what differs from the trace it was compared with",
    )
    parser.add_argument(
        "--dot", type=Path, metavar="FILE", help="write the same graph for Graphviz and other tools (DOT)"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with verdict, findings and graphs")
    parser.add_argument("--chrome-trace", type=Path, metavar="FILE", help="write the timeline for Perfetto (JSON)")
    parser.add_argument("--memory", type=_megabytes, metavar="MB", help="hold so many megabytes of details, not 64")
    parser.add_argument("--show-secrets", action="store_true", help="do not mask what looks like a password or a key")
    parser.add_argument("--function", metavar="NAME", help="draw this function instead")
    opened = parser.add_mutually_exclusive_group()
    opened.add_argument("--depth", type=_depth, metavar="N", help="open all groups of the graph down to this depth")
    opened.add_argument("--all", action="store_const", const=EVERYTHING, dest="depth", help="open every group")
    return parser


def _depth(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is no depth: 0 opens no group, 1 the outermost ones")
    return int(text)


def _megabytes(text: str) -> float:
    try:
        return limit_mb(float(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number of megabytes") from None


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _run(script: Script, options: argparse.Namespace) -> int:
    recording = start_recording(memory_mb=options.memory, secrets="show" if options.show_secrets else "mask")
    error, status = None, 0
    with Termination() as termination:
        error = script.run()
        status = script.exit_status(error)
        wait_for_threads()
    recording.stop(outcome_of(error))
    with script.as_started() as folder:
        _save(recording.session, script, options, folder)
    termination.go_on()
    script.go_on()
    return status


def _save(session: RecordedSession, script: Script, options: argparse.Namespace, folder: Path) -> None:
    """Writes what was asked for. A file that cannot be written costs a sentence, never the script's own result."""
    if options.session is not None:
        session.look_at_programs()
    named = SavedSession(renamed(session.document(), script.file, script.given))
    wanted: list[tuple[Path | None, Callable[[], str]]] = [
        (options.session, lambda: json_document.text(named.document())),
        (options.svg, lambda: session.to_svg(options.function, depth=options.depth, overlay=options.overlay)),
        (options.dot, lambda: session.to_dot(options.function, depth=options.depth)),
        (options.html, named.to_html),
        (options.chrome_trace, named.to_chrome_trace),
    ]
    if all(asked is None for asked, _ in wanted) and named.document().environment.jax:
        _written("\n" + text.short(named.document()), sys.stderr)
    process = named.document().environment
    for asked, content in wanted:
        file = asked and for_process(asked, process.process_index, process.process_count)
        try:
            if file is not None:
                write_text(folder / file, content())
        except OSError as error:
            _say(f"cannot write {file}: {error.strerror}")
        except (LookupError, TooManyBoxesError) as error:
            _say(f"{file} is not written: {error}")


def _why_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jax-trace-viz why",
        usage=_WHY_USAGE,
        description="Says why functions were traced or compiled again: each part before and now, cost, and what helps.",
        allow_abbrev=False,
    )
    parser.add_argument("session", type=Path, help="a session document, as `run --session FILE` writes it")
    parser.add_argument("function", nargs="?", help="all traces of this function, not only retraces")
    parser.add_argument("--diff", action="store_true", help="also tell what changed in the jaxpr")
    return parser


def _why(arguments: Sequence[str]) -> int:
    options = _why_parser().parse_args(arguments)
    try:
        said = why_text.why(json_document.load(options.session), options.function, diff=options.diff)
    except OSError as error:
        _say(f"cannot read {options.session}: {error.strerror}")
        return _USAGE_ERROR
    except (json_document.UnreadableDocumentError, LookupError) as error:
        _say(str(error))
        return _USAGE_ERROR
    hindered = _written(said, sys.stdout)
    if hindered is None or isinstance(hindered, BrokenPipeError):  # `why … | head` has read enough
        return 0
    _say(f"cannot write: {getattr(hindered, 'strerror', None) or hindered}")
    return _USAGE_ERROR


def _say(sentence: str) -> None:
    _written(f"jax-trace-viz: {sentence}\n", sys.stderr)


def _written(text: str, stream: TextIO | None) -> Exception | None:
    """Writes to a standard stream and returns what hindered it.

    The stream may be closed, a pipe that nobody reads, on a full disk, in an encoding without arrows, or an object of
    the script's own. None of it is a failure of the script, whose exit status stays.
    """
    if stream is None:
        return None
    try:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
        stream.write(text)
        stream.flush()
    except Exception as error:  # noqa: BLE001
        # The interpreter flushes once more at its end, and would make that its exit status.
        with contextlib.suppress(Exception), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        return error
    return None
