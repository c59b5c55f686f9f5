"""The call as the user wrote it, where a library's callable stands between it and the user's body.

`jax.jit(transform.apply)` takes parameters and keys that the user's body never sees, and `filter_jit` keeps a call that
spells a default out apart from one that leaves it out. JAX's cache tells them apart; the body's parameters do not.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.code.functions import layers
from jax_trace_viz.origin import origin, owner_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import CodeType, FrameType

_INFER = "_infer_params"
_MAX_WRAPPED = 5
_MAX_HELD = 100
_VARIADIC_ARGUMENTS = 0x4
_VARIADIC = _VARIADIC_ARGUMENTS | 0x8
"""Code flags of a function that takes `*args` and `**kwargs`."""


@dataclass(frozen=True, slots=True)
class OuterCall:
    """How the user's line called what led to a body."""

    direct: bool
    """Whether it called what JAX's jit returned, so that the call's arguments are those of the library's callable."""
    positional: tuple[Any, ...] | None = None
    """Arguments by position that a library's wrapper was called with; None where that is not known."""
    keywords: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def named(self, code: CodeType) -> dict[str, Any]:
        """What the wrapper was called with, by the parameters of the body with this code; the others are numbered."""
        given = self.positional or ()
        names = code.co_varnames[: min(code.co_argcount, len(given))]
        names += tuple(f"args[{i}]" for i in range(len(names), len(given)))
        return {**dict(zip(names, given, strict=True)), **self.keywords}


class Way(NamedTuple):
    """How the user's line came to a body that a jitted function runs."""

    begin: FrameType | None
    """The frame that the line called."""
    through_library: bool
    """A library is between that and the jitted function."""


def way_to(body: FrameType) -> Way:
    """Looks outwards from a body, beyond JAX's own frames of the call."""
    frame = body.f_back
    while frame is not None and frame.f_code.co_name != _INFER:
        frame = frame.f_back
    begin, through_library = None, False
    while frame is not None and not stack.is_user(frame):
        through_library = through_library or owner_of(frame.f_code) == "library"
        begin, frame = frame, frame.f_back
    return Way(begin, through_library)


def outer_call(way: Way) -> OuterCall:
    """What the user's line called."""
    outermost = way.begin
    if not way.through_library or outermost is None:
        return OuterCall(direct=True)
    code = outermost.f_code
    if code.co_flags & _VARIADIC != _VARIADIC:
        return OuterCall(direct=False)
    named = code.co_argcount + code.co_kwonlyargcount
    values = outermost.f_locals
    args, kwargs = (values.get(name) for name in code.co_varnames[named : named + 2])
    if not isinstance(args, tuple) or not isinstance(kwargs, dict):
        return OuterCall(direct=False)
    return OuterCall(direct=False, positional=args, keywords=kwargs)


def wrapped_by_library(way: Way, code: CodeType) -> Any:
    """The function with this code, if what the user's line called is a library's wrapper of it.

    As decorators say it: by `__wrapped__`, which classes of wrappers have as a property.
    """
    begin = way.begin
    if begin is None or not way.through_library or not begin.f_code.co_argcount:
        return None
    fun: Any = begin.f_locals.get(begin.f_code.co_varnames[0])
    for _ in range(_MAX_WRAPPED):
        if getattr(fun, "__code__", None) is code:
            return fun
        wrapped = inspect.getattr_static(fun, "__wrapped__", None)
        own = isinstance(wrapped, property) and owner_of(getattr(wrapped.fget, "__code__", code)) == "library"
        fun = fun.__wrapped__ if own else wrapped
    return None


def is_wrapper(fun: Any, body: FrameType) -> bool:
    """Whether a library's callable is there to call the function of this body, with whatever that takes.

    So it is where it takes any arguments and holds the function (`haiku.transform`), or is a method of the user's own
    object (`model.apply`). Any other has a program of its own, and the user's function is a part of it.
    """
    for layer in layers(fun):
        if isinstance(layer, MethodType):
            parameters = body.f_code.co_varnames[: body.f_code.co_argcount]
            return bool(parameters) and type(body.f_locals.get(parameters[0])) is type(layer.__self__)
        fun = layer
    called = fun if type(fun) is FunctionType else vars(type(fun)).get("__call__")
    flags = called.__code__.co_flags if type(called) is FunctionType else 0
    return bool(flags & _VARIADIC_ARGUMENTS) and _holds(fun, body.f_code)


def _holds(wrapper: Any, code: CodeType) -> bool:
    """Whether the function with this code is found in a wrapper, and in those that it wraps in turn."""
    waiting, looked_at = [wrapper], 0
    while waiting and looked_at < _MAX_HELD:
        one, looked_at = waiting.pop(0), looked_at + 1
        if type(one) is not FunctionType:
            waiting += one if isinstance(one, tuple) else _values_of(one)
        elif one.__code__ is code:
            return True
        elif owner_of(one.__code__) != "user":
            waiting += _values_of(one)
    return False


def _values_of(wrapper: Any) -> Iterable[Any]:
    """The functions, and tuples of them, that a callable has in its closure and its attributes."""
    values: list[Any] = list((getattr(wrapper, "__dict__", None) or {}).values())
    for cell in getattr(wrapper, "__closure__", None) or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:
            continue
    return [value for value in values if isinstance(value, (FunctionType, tuple))]


def run_by_library(body: FrameType) -> FunctionType | None:
    """The function of a body, if the library's frame that calls it has it in a variable."""
    caller = body.f_back
    if caller is None or origin(caller.f_code.co_filename) != "library":
        return None
    values = caller.f_locals.values()
    return next((one for one in values if type(one) is FunctionType and one.__code__ is body.f_code), None)
