"""Which program is compiled: the one that was traced, or one that JAX made of it for a transformation around the call.

`jax.grad(f)` of a jitted `f` compiles a forward and a backward pass, `jax.vmap(f)` a mapped program. JAX makes them by
rules of the jitted function's primitive, whose frames lie on the stack while XLA compiles. Their names, and those of
the frame that has the program's inputs, are the same in 0.6.2 to 0.12 but where noted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code import stack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

_FORWARD, _BACKWARD, _LINEAR, _TANGENTS, _MAPPED = "forward pass", "backward pass", "linear map", "tangents", "mapped"
_RULES = {
    "_pjit_linearize": _FORWARD,
    "_pjit_partial_eval": _FORWARD,  # before 0.8
    "_pjit_transpose": _BACKWARD,  # before 0.8
    "_pjit_transpose_fancy": _BACKWARD,
    "_pjit_jvp": _TANGENTS,
    "_pjit_batcher": _MAPPED,
    "_lift_linearized": _LINEAR,
    "remat_impl": "remat",  # before 0.12
}
_PASSES = (_BACKWARD, _FORWARD, _LINEAR, _TANGENTS)
"""The first of these that was made is what the program is; JAX builds it on those behind it."""

_BOTH_PASSES = ("grad", "value_and_grad", "jacrev")

_EVALUATES = "_pjit_call_impl"

_DIFFERENTIATED = {"_pjit_linearize": "nzs", "_pjit_jvp": "is_nz_tangents_in"}
"""Where rules keep which of the traced program's inputs are differentiated; not told before 0.8."""
_MAPPED_AXES = "dims_in"
"""Where the rule of `vmap` keeps over which axis of each input it maps."""

_NAMES_SHOWN = 4


@dataclass(frozen=True)
class Variant:
    """A program that JAX made of a traced one."""

    text: str
    """`backward pass of grad`, `forward pass of grad, mapped by vmap`, `vmap`, `jvp`."""
    inputs: dict[str, Any]
    """The arrays it is run on, by the names that the traced program has for them where they are the same arrays."""
    respect: str
    """`with respect to w`: what is differentiated; empty where the rules do not tell."""
    axes: str
    """`over axes 1, 0`: over which axis of each input `vmap` maps; empty without one."""
    source: str
    """`file:line` of the function that was traced."""
    of_call: bool
    """Whether the call of the traced function is on the stack; a backward pass comes after it."""
    of_last_call: int | None
    """Identity of the user's frame that called a transformation which makes both passes at once."""


@dataclass
class _Rules:
    """What the rules on the stack tell, the innermost first."""

    names: list[str] = field(default_factory=list[str])
    arguments: tuple[str, ...] = ()
    """Names of the traced program's inputs, as its outermost rule has them."""
    respect: list[str] = field(default_factory=list[str])
    axes: list[str] = field(default_factory=list[str])

    def look(self, frame: FrameType) -> None:
        """Takes down what this frame tells, if it is a rule's."""
        name = frame.f_code.co_name
        rule = _RULES.get(name)
        if rule is None:
            return
        self.names.append(rule)
        values = frame.f_locals
        self.arguments = _argument_names(values.get("jaxpr"))
        differentiated = values.get(_DIFFERENTIATED.get(name, ""))
        if differentiated is not None:
            self.respect.append(_respect_text(differentiated, self.arguments))
        if rule == _MAPPED and _MAPPED_AXES in values:
            self.axes.append(_axes_text(values[_MAPPED_AXES]))


def variant(frame: FrameType | None) -> Variant | None:
    """The variant that is compiled below this frame; None if it is the traced program itself, or that is not known."""
    inputs: Any = None
    jaxpr: Any = None
    rules = _Rules()
    while frame is not None and inputs is None and not _is_begin(frame):
        if frame.f_code.co_name == _EVALUATES:
            values = frame.f_locals
            inputs, jaxpr = values.get("args"), values.get("jaxpr")
        frame = frame.f_back
    inner = frame
    while frame is not None and not _is_begin(frame):
        rules.look(frame)
        frame = frame.f_back
    if not rules.names or inputs is None:
        return None
    source = str(getattr(_debug_info(jaxpr), "func_src_info", "")).rpartition(" at ")[2]
    # A backward pass may run long after the transformation, where the user calls what `vjp` returned.
    late = _BACKWARD in rules.names or _LINEAR in rules.names
    cause = stack.cause(inner)
    kinds = cause.kinds if late else stack.kinds_around(inner)
    at_once = any(kind in _BOTH_PASSES for kind in cause.kinds)
    return Variant(
        _text(rules.names, kinds),
        _by_name(inputs, () if late else rules.arguments),
        respect=_together(rules.respect),
        axes=_together(rules.axes),
        source=source,
        of_call=not late,
        of_last_call=id(cause.user_frame) if at_once else None,
    )


def _debug_info(jaxpr: Any) -> Any:
    return getattr(getattr(jaxpr, "jaxpr", jaxpr), "debug_info", None)


def _argument_names(jaxpr: Any) -> tuple[str, ...]:
    return tuple(map(str, getattr(_debug_info(jaxpr), "arg_names", None) or ()))


def _by_name(inputs: Sequence[Any], names: tuple[str, ...]) -> dict[str, Any]:
    named = len(names) == len(inputs) == len(set(names))
    return dict(zip(names if named else (f"input[{i}]" for i in range(len(inputs))), inputs, strict=True))


def _respect_text(differentiated: Sequence[Any], names: tuple[str, ...]) -> str:
    # Constants that the program closes over come before what has a name, and are never differentiated.
    if len(names) != len(differentiated):
        names = tuple(f"input[{i}]" for i in range(len(differentiated)))
    found = [name for name, is_differentiated in zip(names, differentiated, strict=True) if is_differentiated]
    more = len(found) - _NAMES_SHOWN
    text = ", ".join(found[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
    return f"with respect to {text or 'nothing'}"


def _axes_text(axes: Sequence[Any]) -> str:
    told = [str(axis) if isinstance(axis, int) else "None" for axis in axes]
    return f"over axes {', '.join(told)}" if len(set(told)) > 1 else f"over axis {told[0]}" if told else ""


def _together(texts: list[str]) -> str:
    """What several rules tell, the innermost first, said from the outside in."""
    return "; inside, ".join(text for text in reversed(texts) if text)


def _is_begin(frame: FrameType) -> bool:
    """Whether the call that compiles begins here."""
    return frame.f_code.co_name in stack.CALLS or stack.is_user(frame)


def _text(rules: list[str], kinds: tuple[str, ...]) -> str:
    """What the program is, for the transformations around it, innermost first."""
    differentiating = [kind for kind in kinds if kind in stack.DIFFERENTIATING]
    passes = [each for each in _PASSES if each in rules]
    words: list[str] = []
    if passes:
        # `jacfwd(jacrev(f))` asks for the tangents of a pass: then both are named.
        asked = " under ".join(differentiating[: len(passes)]) or ("linearize" if passes[0] == _LINEAR else "vjp")
        words.append(asked if passes[0] == _TANGENTS else f"{passes[0]} of {asked}")
    if _MAPPED in rules and "vmap" in kinds:
        maps = " of ".join(["vmap"] * rules.count(_MAPPED))
        words.append(f"mapped by {maps}" if words else maps)
    return ", ".join(words) or ("remat" if "remat" in rules else "vmap")
