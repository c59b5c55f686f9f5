"""When a function is a new version of an earlier one: a notebook cell run again, a module reloaded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.events import FunctionSeen

_CELL = re.compile(r"<ipython-input-|[\\/]ipykernel_\d+[\\/]")


def is_cell(file: str | None) -> bool:
    """Whether this is the name under which IPython compiles a cell."""
    return file is not None and _CELL.search(file) is not None


def redefined_by(old: FunctionSeen | None, new: FunctionSeen) -> bool:
    """Whether `new` certainly took the place of `old`, whose code is another.

    In cells, which share one namespace, that is any function of the same name. In a file it is one that stands where
    the old one stood: two functions of one version of a file cannot.
    """
    if old is None or old.qualname != new.qualname or new.qualname.endswith(">"):
        return False
    if is_cell(old.file) and is_cell(new.file):
        return old.file != new.file or _overlap(old, new)
    return old.file == new.file and not (new.file or "<").startswith("<") and _overlap(old, new)


def _overlap(old: FunctionSeen, new: FunctionSeen) -> bool:
    if old.line is None or new.line is None:
        return False
    return new.line <= (old.end_line or old.line) and old.line <= (new.end_line or new.line)
