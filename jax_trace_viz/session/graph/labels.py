"""What boxes say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Place
from jax_trace_viz.session.graph.scopes import parse_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.jaxpr import Equation, Frame
    from jax_trace_viz.session.graph.records import Key, Program
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.tree import Level

SHAPE_ONLY = frozenset(
    {
        "broadcast_in_dim",
        "convert_element_type",
        "copy",
        "copy_p",
        "expand_dims",
        "pvary",
        "reshape",
        "squeeze",
        "stop_gradient",
    }
)
"""Primitives of one input that do not compute: they join the box of what they prepare."""

_WITH_AXES = frozenset(
    {"argmax", "argmin", "cumsum", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reduce_sum"}
)
_NOTHING = "(?:None|False|AUTO|UnspecifiedValue|Mesh|PyTreeDef|WrappedFun)"
"""What leaves things as they are; objects of JAX of which only the class is recorded."""
_IS_DEFAULT = re.compile(rf"{_NOTHING}|\((?:{_NOTHING}(?:, |,)?)*\)").fullmatch
"""Whether a parameter, or each part of it, says nothing of what an equation does."""
_DIGITS = re.compile(r"(\d+)")
_LITERALS = 2
_SUMMARY = 3
_LISTED = 30
_JITS = ("jit", "pjit")
_SAYS_NOTHING = frozenset({"BoundMethod", "fn_wrapped", "fn_wrapper", "inner", "wrapped", "wrapped_fn", "wrapper"})
"""What decorators call the functions that they make."""
_EVERYWHERE = frozenset({"init", "init_fn", "one_step", "step", "update", "update_fn"})
"""Names that libraries give to many functions: what made them tells them apart."""
_ASSIGNS = re.compile(r"[^=(]*[^=!<>(]=(?!=)\s*")
_DEFINES = ("def ", "async def ", "@")


def equation_label(program: Program, equation: Equation) -> str:
    """A primitive with what distinguishes it: literals, axes, the called function's name, a loop's length."""
    if equation.jaxprs:
        return _call_label(program, equation)
    words = [_number(atom) for atom in equation.inputs if isinstance(atom, str)][:_LITERALS]
    if equation.primitive in _WITH_AXES and (axes := equation.parameters.get("axes", "()")) != "()":
        words.append(axes.replace(",)", ")"))
    return " ".join([equation.primitive, *words])


def _call_label(program: Program, equation: Equation) -> str:
    primitive, parameters = equation.primitive, equation.parameters
    if primitive == "scan":
        return f"scan ×{parameters.get('length', '?')}"
    if primitive == "while":
        return "while loop"
    if primitive == "cond":
        return f"cond, {len(equation.jaxprs)} branches"
    name = parameters.get("name", "").replace("None", "")
    if primitive in _JITS:
        return name.lstrip("_") or primitive
    kind = re.sub(r"(_call)?(_jaxpr)?\d*$", "", primitive)
    return f"{kind} {name or _function_called(program, equation)}".strip()


def _function_called(program: Program, equation: Equation) -> str:
    """Name of the function that a rule was given for or that is run anew, as far as its jaxpr tells."""
    inside = program.jaxprs.get(equation.jaxprs[0].jaxpr)
    if inside is None:
        return ""
    only = inside.equations[0].parameters.get("name", "").lstrip("_") if len(inside.equations) == 1 else ""
    own = inside.function.lstrip("_")
    return only or ("" if own.startswith("<") or own in _SAYS_NOTHING else own)


def loop_label(program: Program, equation: Equation) -> str:
    """The user's own word for a loop or branch (`fori_loop`), which may be built from another one; else empty."""
    frame = program.frame(equation)
    if frame is None or frame.origin != "user" or not program.sources.is_call(frame):
        return ""
    word = program.sources.call_name(frame).rpartition(".")[2]
    if word == "switch":
        return f"switch, {len(equation.jaxprs)} branches"
    if word not in ("fori_loop", "map"):
        return ""
    length = equation.parameters.get("length")
    return f"{word} ×{length}" if length else word


def is_two_way(program: Program, equation: Equation) -> bool:
    """Whether the user called `lax.cond`, which puts the branch for False first; `switch` counts."""
    frame = program.frame(equation)
    if frame is None or frame.origin != "user" or len(equation.jaxprs) != 2 or not program.sources.is_call(frame):
        return False
    return program.sources.call_name(frame).rpartition(".")[2] == "cond"


def library_call(program: Program, equation: Equation, *, alone: bool) -> str:
    """The user's expression for a call of a jitted function of JAX's own: `jnp.std`; empty if there is none.

    Args:
        program: All that is recorded.
        equation: The call.
        alone: Whether nothing else comes from the same expression: then the function may have another name inside,
            `fft` for `jnp.fft.rfft2`.
    """
    frame = program.frame(equation)
    if frame is None or frame.origin != "user" or not program.sources.is_call(frame):
        return ""
    text = program.sources.call_name(frame)
    name = equation.parameters.get("name", "").strip("_")
    return text if name and (alone or text.rpartition(".")[2].strip("_") == name) else ""


def unpacking(program: Program, equation: Equation) -> str:
    """`unpack key, sub` for an array that is assigned to several names; empty for any other equation."""
    frame = program.frame(equation) if equation.primitive == "unstack" else None
    text = program.sources.call_name(frame) if frame is not None else ""
    return text if text.startswith("unpack ") else ""


def _number(literal: str) -> str:
    """A literal's value, floats and complex numbers in four digits."""
    value = literal.rpartition(":")[0]
    if re.fullmatch(r"-?\d{1,7}", value):
        return value
    for kind in (float, complex):
        try:
            return f"{kind(value):.4g}"
        except ValueError:
            continue
    return value


def key_label(program: Program, path: Sequence[Key], depth: int) -> str:
    """Name of the group that a step of a path makes; empty where neither source nor a call below it gives one."""
    kind, _, what = path[depth]
    if kind == "scope" or isinstance(what, str):
        return str(what)
    if text := program.sources.call_name(program.frames[what]):
        return text
    below = [function_name(program.frames[step]) for _, _, step in path[depth + 1 :] if isinstance(step, int)]
    return next((name for name in below if name not in _SAYS_NOTHING and not name.startswith("<")), "")


def function_name(frame: Frame) -> str:
    """A frame's function as people call it: `layer`, `Dense` for `Dense.__call__`, `scale_by_adam.update_fn`."""
    parts = [part for part in frame.function.split(".") if part != "<locals>"]
    if len(parts) > 1 and parts[-1] in ("__call__", "<lambda>"):
        del parts[-1]
    if len(parts) > 1 and frame.origin != "user" and parts[-1] in _EVERYWHERE:
        return ".".join(parts[-2:])
    return parts[-1]


def summary(level: Level, start: int, stop: int) -> str:
    """The first computing primitives of a run; if none computes, the first of all."""
    equations = level.equations[start:stop]
    computing = [e for e in equations if e.primitive not in SHAPE_ONLY] or equations
    names = [e.parameters.get("name", "").lstrip("_") or e.primitive for e in computing]
    distinct = list(dict.fromkeys(names))
    return " · ".join(distinct[:_SUMMARY]) + (" …" if len(distinct) > _SUMMARY else "")


def series(names: list[str], count: int) -> str:
    """`Block_0…11` for numbered names, the name itself if all are equal, a few by name, else the first and the last.

    Args:
        names: Those of all, or of the first and the last.
        count: How many there are.
    """
    first, last = names[0], names[-1]
    if len(set(names)) == 1:
        return first
    if len({_DIGITS.sub("#", name) for name in names}) == 1:
        pairs = zip(_DIGITS.split(first), _DIGITS.split(last), strict=True)
        return "".join(a if a == b else f"{a}…{b}" for a, b in pairs)
    if len(names) == count and len(listed := ", ".join(dict.fromkeys(names))) <= _LISTED:
        return listed
    return f"{first}, …{last.removeprefix(first)}" if last.startswith(first) else f"{first} … {last}"


def lines_label(program: Program, keys: Sequence[Key | None], phase: Phase) -> str:
    """A fold over lines of one function of the user's is called by them; empty if it is not such a fold.

    What a backward pass makes is not what the line assigns.
    """
    frames = [program.frames[key[2]] for key in keys if key is not None and isinstance(key[2], int)]
    if len(frames) < len(keys) or any(frame.origin != "user" for frame in frames):
        return ""
    if len({(frame.file, frame.function) for frame in frames}) > 1:
        return ""
    first, last = min(frame.line for frame in frames), max(frame.line for frame in frames)
    if first == last:
        text = program.sources.line(frames[0])
        if phase == "backward":
            text = text[found.end() :] if (found := _ASSIGNS.match(text)) else text
        whole = text.startswith(_DEFINES)
        if whole or (text.startswith("return ") and " for " not in text):  # what repeats is the function
            return function_name(frames[0])
        return text or f"{function_name(frames[0])}, line {first}"
    return f"{function_name(frames[0])}, lines {first}–{last}"


def equation_title(level: Level, place: int) -> str:
    """Everything about one equation."""
    equation, program = level.equations[place], level.program
    outputs = ", ".join(level.types(equation)) or "nothing"
    lines = [f"{equation.primitive} → {outputs}"]
    if shown := {k: v for k, v in equation.parameters.items() if not _IS_DEFAULT(v)}:
        lines.append(", ".join(f"{name}={value}" for name, value in shown.items()))
    scope = parse_scope(equation.scope)
    if scope.names:
        lines.append("scope: " + "/".join(scope.names))
    if scope.transforms:
        lines.append("under " + ", ".join(scope.transforms))
    if effects := side_effects(equation):
        lines.append("side effect: " + ", ".join(effects))
    if frame := program.user_frame(equation.frame):
        lines.append(place_text(program, frame))
    return "\n".join(lines)


def side_effects(equation: Equation) -> list[str]:
    """What an equation does besides computing. A collective's axis is an effect in JAX's bookkeeping only."""
    return [effect for effect in equation.effects if not effect.startswith("NamedAxis")]


def place_text(program: Program, frame: Frame) -> str:
    """Cell or file, line and text of a frame."""
    line = program.lines.long(Place(file=frame.file, line=frame.line))
    text = program.sources.text(frame)
    return f"{line} in {function_name(frame)}" + (f": {text}" if text else "")
