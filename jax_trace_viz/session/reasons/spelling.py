"""How a call was spelled, from the texts of a `kwargs_signature`: `2 positional → 1 positional, mask=`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.wording import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Reason

_KEYWORD = re.compile(r"(\w+)=")
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


def instead_of_default(reason: Reason) -> bool:
    """Whether a call gave a static value where the other call left it to a default of another value."""
    texts = (reason.before or "", reason.after or "")
    return reason.kind == "new_static_value" and any(text.endswith(DEFAULT) for text in texts)


def looked_for(first: Reason, reasons: Sequence[Reason]) -> Reason:
    """The reason that people look for: another value than the default, and not that this takes a keyword.

    Args:
        first: The decisive one.
        reasons: All of the same trace.
    """
    given = (reason for reason in reasons if first.kind == "kwargs_signature" and instead_of_default(reason))
    return next(given, first)


def is_all_about(spelling: Reason, arguments: set[str]) -> bool:
    """Whether a `kwargs_signature` is about no other than these arguments, as far as its texts tell."""
    if spelling.path is not None:
        return spelling.path in arguments
    before, after = (set(_KEYWORD.findall(text or "")) for text in (spelling.before, spelling.after))
    return keeps_positions(spelling) and before ^ after <= arguments


def _passed(spelling: str) -> int:
    by_position = _POSITIONAL.match(spelling)
    return (int(by_position[1]) if by_position else 0) + spelling.count("=")
