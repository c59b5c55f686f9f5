"""The user's source as syntax trees, as far as it may be parsed on the thread that asks.

Before Python 3.11.8 threads share one count of the parser's depth (CPython gh-106905): parsing on a thread of ours
while the main thread formats a traceback would lose the user's traceback. There only the main thread parses. What it
has parsed is kept for the others, so that a picture that a subshell draws has the names of the first one.
"""

from __future__ import annotations

import ast
import sys
import threading
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function

ANY_THREAD = sys.version_info >= (3, 11, 8)
"""Whether each thread may parse."""

_MAX_KEPT = 300_000
"""Characters of source. A tree takes 27 bytes a character for a whole function, 88 for a short expression."""

Mode = Literal["eval", "exec"]


class Kept:
    """Trees of the main thread's, by their text; the oldest go first."""

    def __init__(self) -> None:
        self._trees: dict[tuple[str, Mode], ast.AST | None] = {}
        self._size = 0
        self._lock = threading.Lock()

    def find(self, text: str, mode: Mode) -> ast.AST | None:
        """The tree of a text, if it is kept."""
        with self._lock:
            return self._trees.get((text, mode))

    def keep(self, text: str, mode: Mode, tree: ast.AST | None) -> None:
        """Keeps a tree for other threads."""
        with self._lock:
            self._size += len(text) if (text, mode) not in self._trees else 0
            self._trees[text, mode] = tree
            while self._size > _MAX_KEPT:
                oldest = next(iter(self._trees))
                del self._trees[oldest]
                self._size -= len(oldest[0])


_kept = Kept()


def can_parse() -> bool:
    """Whether source can be parsed on this thread."""
    return ANY_THREAD or threading.current_thread() is threading.main_thread()


def tree_of(text: str, mode: Mode) -> ast.AST | None:
    """The tree of a piece of source; None if it is none, or if nobody has parsed it who may.

    A live picture may have plainer names for that; once the recording has ended, all are known (`Session.read_ahead`).
    """
    if not can_parse():
        return _kept.find(text, mode)
    tree = _parsed(text, mode)
    if not ANY_THREAD:
        _kept.keep(text, mode, tree)
    return tree


def parse(function: Function) -> ast.Module | None:
    """The function's tree with its columns as in the file; its first line is line 2, since it may be indented."""
    source = function.source or ""
    for text in ("if 1:\n" + source, "\n" + source):
        tree = tree_of(text, "exec")
        if isinstance(tree, ast.Module):
            return tree
    return None


def _parsed(text: str, mode: Mode) -> ast.AST | None:
    try:
        return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None
