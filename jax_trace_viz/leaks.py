"""What a program calls a tracer that outlived its trace. JAX is not imported here: a tracer is known by its class."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_LEAKS = {
    "ConcretizationTypeError",
    "NonConcreteBooleanIndexError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
}
"""What JAX raises where it meets a tracer; outside of all traces each of them means a leak."""
_MET = re.compile(r"Tracer'> is not a valid JAX type|unsupported format string passed to \w*Tracer")
"""The same in errors of Python's own types."""
_MAX_PARTS = 200
_MAX_LOOKS = 2_000
_MAX_DEPTH = 2


def holder(error: BaseException, message: str, frame: FrameType | None) -> str | None:
    """The name through which a tracer was reached that belongs to a trace that has ended.

    Args:
        error: What the program raised.
        message: What that says.
        frame: The innermost user frame that it came through.

    Returns:
        `kept[0]`, `model.state`; None for other errors, and where several names could be meant.
    """
    if type(error).__name__ not in _LEAKS and not _MET.search(message):
        return None
    if frame is None:
        return None
    names = frame.f_code.co_names
    values = {**{name: frame.f_globals[name] for name in names if name in frame.f_globals}, **frame.f_locals}
    found: dict[int, str] = {}
    looks = _MAX_LOOKS
    for path, value in _reachable(values):
        looks -= 1
        if looks < 0:
            return None
        if _is_tracer(value):
            found.setdefault(id(value), path)
    code = frame.f_code
    # A function's own variable is gone when it returns: somebody passed the tracer on.
    found = {key: path for key, path in found.items() if path not in code.co_varnames}
    return next(iter(found.values())) if len(found) == 1 else None


def _reachable(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Names and the parts of what they stand for, by the text that reads them; nobody's code runs."""
    left = [(name, value, _MAX_DEPTH) for name, value in reversed(values.items())]
    while left:
        path, value, depth = left.pop()
        yield path, value
        if depth:
            left += [(path + suffix, part, depth - 1) for suffix, part in _parts(value)]


def _parts(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401  (whatever the program holds)
    if type(value) is dict:
        items: list[tuple[Any, Any]] = list(cast("dict[Any, Any]", value).items())[:_MAX_PARTS]
        return [(f"[{key!r}]", part) for key, part in items if type(key) in (str, int)]
    if type(value) in (list, tuple):
        return [(f"[{place}]", part) for place, part in enumerate(value[:_MAX_PARTS])]
    if isinstance(value, type) or type(value).__module__ in ("builtins", "types"):
        return []
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return []
    return [(f".{name}", part) for name, part in list(attributes.items())[:_MAX_PARTS]]


def _is_tracer(value: object) -> bool:
    return any(c.__name__ == "Tracer" and c.__module__.startswith("jax.") for c in type(value).__mro__)
