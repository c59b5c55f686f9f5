"""The magic's own line: what may stand on it, and the cell without it.

`%%jaxtrace` does not run the cell, IPython does: an input transformer takes the line away, and what it asks for is read
from the cell's raw text when the cell starts. So a recorded cell is an ordinary cell in everything it does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn, cast, get_args

from IPython.core.error import UsageError
from IPython.core.magic_arguments import MagicArgumentParser

from jax_trace_viz.jupyter.faults import guarded

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Secrets
    from jax_trace_viz.exports.drawing import Layer

Mode = Literal["on", "off", "status", "last"]

_LINE = re.compile(r"%%jaxtrace(?:[ \t]+(?P<options>[^\n]*))?[ \t]*(?:\n|$)")
# Also below `%%time`, `%%capture` and the like: they transform their body anew, and our line is gone before it runs.
_ASKED = re.compile(r"\s*(?:%%[^\n]*\n\s*)*?" + _LINE.pattern)

_DESCRIPTION = """\
Record JAX tracing and show it.

%%jaxtrace on a cell's first line records this cell, which runs exactly as without it, and shows what JAX traced,
how often, why and at what cost, with the graph and the jaxpr.

%jaxtrace on records every later cell as well and stays quiet, but for cells that trace a function again, fail, or give
a finding; %jaxtrace off ends it. %jaxtrace status says what is recorded, %jaxtrace last shows the last cell again.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """What the line of a `%%jaxtrace` cell asks for."""

    function: str | None = None
    svg: str | None = None
    overlay: Layer | None = None
    save: str | None = None
    memory_mb: float | None = None
    secrets: Secrets = "mask"


class _Parser(MagicArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (%jaxtrace? tells what is possible)")


def _parser() -> MagicArgumentParser:
    # IPython puts a % before it.
    files = "[--svg FILE [--overlay xla|changes]] [--save FILE]"
    usage = f"%%jaxtrace [--function NAME] {files} [--memory MB] [--show-secrets]\n  %%jaxtrace on|off|status|last"
    parser = _Parser("jaxtrace", usage=usage, description=_DESCRIPTION)
    # Without `choices`: after an unknown option, its value would be called a wrong mode.
    parser.add_argument("mode", nargs="?", metavar="on|off|status|last", help="only with %%jaxtrace")
    cell = parser.add_argument_group("only with %%jaxtrace")
    cell.add_argument("--function", metavar="NAME", help="show this function first, not the costliest one")
    cell.add_argument("--svg", metavar="FILE", help="write the function's graph to FILE as SVG")
    cell.add_argument(
        "--overlay",
        choices=["xla", "changes"],
        help="colour that graph by XLA's kernels, or draw what changed since the trace it was compared with",
    )
    cell.add_argument("--save", metavar="FILE", help="write the whole session to FILE as JSON")
    cell.add_argument("--memory", metavar="MB", help="hold so many megabytes of details, not 64")
    show = "do not mask what looks like a password or a key"
    cell.add_argument("--show-secrets", action="store_const", const="show", dest="secrets", help=show)
    return parser


_PARSER = _parser()

HELP = _PARSER.format_help()
"""What `%jaxtrace?` shows."""


def _words(line: str) -> dict[str, str | None]:
    try:
        words = cast("dict[str, str | None]", vars(_PARSER.parse_argstring(line)))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    except ValueError as error:  # a quotation that does not end
        raise UsageError(f"{error} in {line!r}") from None
    mode = words["mode"]
    if mode not in (None, *get_args(Mode)):
        _PARSER.error(f"`{mode}` is none of {', '.join(get_args(Mode))}")
    return {name: _unquoted(word) for name, word in words.items()}


def _unquoted(word: str | None) -> str | None:
    return word[1:-1] if word and len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


def cell_options(line: str) -> Options:
    """Reads what stands behind `%%jaxtrace`.

    Raises:
        UsageError: in one sentence, what is wrong with it.
    """
    words = _words(line)
    mode = words.pop("mode")
    if mode is not None:
        raise UsageError(f"`{mode}` goes with the line magic: %jaxtrace {mode}")
    memory, secrets = words.pop("memory"), words.pop("secrets")
    overlay = cast("Layer | None", words.pop("overlay"))
    if overlay is not None and words["svg"] is None:
        raise UsageError(f"`--overlay {overlay}` goes with --svg FILE")
    masked: Secrets = "show" if secrets else "mask"
    return Options(**words, overlay=overlay, memory_mb=_megabytes(memory), secrets=masked)


def _megabytes(text: str | None) -> float | None:
    try:
        number = None if text is None else float(text)
    except ValueError:
        number = -1.0
    if number is not None and not 0 < number < float("inf"):
        raise UsageError(f"`--memory {text}` is no number of megabytes (%jaxtrace? tells what is possible)")
    return number


def line_mode(line: str) -> Mode:
    """Reads what stands behind `%jaxtrace`; nothing means `status`.

    Raises:
        UsageError: in one sentence, what is wrong with it.
    """
    words = _words(line)
    mode = words.pop("mode")
    given = next((name for name, value in words.items() if value is not None), None)
    if given is not None:
        raise UsageError(f"`--{given}` goes with the cell magic: %%jaxtrace on the cell's first line")
    return cast("Mode", mode or "status")


def asked(raw_cell: str) -> Options | None:
    """What the cell asks for, or None: no magic, or one whose line is wrong (then IPython calls it, and it says so)."""
    line = _ASKED.match(raw_cell)
    if line is None:
        return None
    try:
        return cell_options(line["options"] or "")
    except UsageError:
        return None


def drop_line(lines: list[str]) -> list[str]:
    """The input transformer: takes the magic's line away.

    Pure, because IPython calls it for its completeness checks as well. A comment in its place keeps the line numbers;
    before another cell magic, which must come first, it goes altogether.
    """
    line = _LINE.match(lines[0]) if lines else None
    if line is None:
        return lines
    with guarded("what %%jaxtrace asks for may be unknown"):
        if asked(lines[0]) is None:
            return lines
    if len(lines) > 1 and lines[1].startswith("%%"):
        return lines[1:]
    return ["# " + lines[0], *lines[1:]]
