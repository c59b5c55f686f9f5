"""Which program is compiled: the one that was traced, or one that JAX made of it for a transformation around the call.

`jax.grad(f)` of a jitted `f` compiles a forward and a backward pass, `jax.vmap(f)` a mapped program. JAX makes them by
rules of the jitted function's primitive, whose frames lie on the stack while XLA compiles. Their names, and those of
the frame that has the program's inputs, are the same in 0.6.2 to 0.12 but where noted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture import stack

if TYPE_CHECKING:
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


@dataclass(frozen=True)
class Variant:
    """A program that JAX made of a traced one."""

    text: str
    """`backward pass of grad`, `forward pass of grad, mapped by vmap`, `vmap`, `jvp`."""
    inputs: tuple[Any, ...]
    """The arrays it is run on."""
    source: str
    """`file:line` of the function that was traced."""
    of_call: bool
    """Whether the call of the traced function is on the stack; a backward pass comes after it."""
    of_last_call: int | None
    """Of a backward pass: identity of the user's frame that called a transformation which makes both passes at once."""


def variant(frame: FrameType | None) -> Variant | None:
    """The variant that is compiled below this frame; None if it is the traced program itself, or that is not known."""
    rules: list[str] = []
    inputs: Any = None
    jaxpr: Any = None
    while frame is not None and inputs is None and not _is_begin(frame):
        if frame.f_code.co_name == _EVALUATES:
            values = frame.f_locals
            inputs, jaxpr = values.get("args"), values.get("jaxpr")
        frame = frame.f_back
    inner = frame
    while frame is not None and not _is_begin(frame):
        rule = _RULES.get(frame.f_code.co_name)
        if rule is not None:
            rules.append(rule)
        frame = frame.f_back
    if not rules or inputs is None:
        return None
    info = getattr(getattr(jaxpr, "jaxpr", None), "debug_info", None)
    source = str(getattr(info, "func_src_info", "")).rpartition(" at ")[2]
    # A backward pass may run long after the transformation, where the user calls what `vjp` returned.
    late = _BACKWARD in rules or _LINEAR in rules
    cause = stack.cause(inner)
    kinds = cause.kinds if late else stack.kinds_around(inner)
    at_once = late and any(kind in _BOTH_PASSES for kind in cause.kinds)
    frame_number = id(cause.user_frame) if at_once else None
    return Variant(_text(rules, kinds), tuple(inputs), source, of_call=not late, of_last_call=frame_number)


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
