"""What the texts of a `kwargs_signature` tell: `2 positional → 1 positional, mask=`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Reason

_POSITIONAL = re.compile(r"(\d+) positional")


def keeps_positions(spelling: Reason) -> bool:
    """Whether both calls of a `kwargs_signature` pass the same number of arguments by position."""
    # Of texts that were cut, the start that is the same in both is missing: the number stood there.
    before, after = (_POSITIONAL.match(text or "") for text in (spelling.before, spelling.after))
    return (before and before[0]) == (after and after[0])


def passes_as_many(spelling: Reason) -> bool:
    """Whether both calls of a `kwargs_signature` pass as many arguments, by position or by keyword."""
    before, after = (_passed(text or "") for text in (spelling.before, spelling.after))
    return before == after


def _passed(spelling: str) -> int:
    by_position = _POSITIONAL.match(spelling)
    return (int(by_position[1]) if by_position else 0) + spelling.count("=")
