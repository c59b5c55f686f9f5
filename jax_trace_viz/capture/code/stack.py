"""Reads the call stack: who caused this run of a body, and from which line of the user's.

JAX's own frames between a body and the nearest user frame outside it tell which transformation runs the body. Their
names were listed by running every public transformation on JAX 0.6.2, 0.10.2 and 0.12.0.1; they agree but where
noted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Place
from jax_trace_viz.origin import origin, owner_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, FrameType

    from jax_trace_viz.contract.events import Entry

KINDS = {
    "vmap_f": "vmap",
    "grad_f": "grad",
    "value_and_grad_f": "value_and_grad",
    "jacfwd.<locals>.jacfun": "jacfwd",
    "jacrev.<locals>.jacfun": "jacrev",
    "jvp": "jvp",
    "vjp": "vjp",
    "linearize": "linearize",
    "scan": "scan",
    "while_loop": "while",
    "fori_loop": "fori_loop",
    "cond": "cond",
    "_cond": "cond",
    "switch": "switch",
    "_switch_internal": "switch",
    "fun_remat": "remat",
    "_flatten_jvp": "custom_jvp_rule",
    "_flatten_fwd": "custom_vjp_fwd",
    "_flatten_bwd": "custom_vjp_bwd",
    "custom_vmap_batching": "custom_vmap_rule",
    "custom_vmap.__call__": "custom_vmap",
    "custom_jvp.__call__": "custom_jvp",
    "custom_vjp.__call__": "custom_vjp",
    "_shard_map.<locals>.wrapped": "shard_map",
    "custom_root": "custom_root",
    "custom_linear_solve": "custom_linear_solve",
    "closure_convert": "closure_convert",
    "linear_transpose": "linear_transpose",
    "pallas_call.<locals>.wrapped": "pallas_call",
    "pmap.<locals>.wrapped": "pmap",
    "xla_pmap_impl_lazy": "pmap",
}
"""Name or qualified name of a JAX frame → the kind of run it causes."""

RULES = {"custom_jvp_rule", "custom_vjp_fwd", "custom_vjp_bwd", "custom_vmap_rule"}
"""Kinds whose bodies JAX runs by itself wherever the custom function is transformed."""

DIFFERENTIATING = ("grad", "value_and_grad", "vjp", "jvp", "linearize", "jacfwd", "jacrev")
UNSTAGED = {"vmap", *DIFFERENTIATING, "custom_vjp_fwd", "custom_vjp_bwd"}
"""Kinds whose bodies run inside somebody else's staging trace, or none: they have no jaxpr of their own."""

_LAX_MAP = "control_flow/loops.py"
"""Many functions of JAX are called `map`; the one that traces is in this file."""

MACHINERY = {
    "call_wrapped",
    "trace_to_jaxpr",
    "trace_to_jaxpr_nocache",
    "trace_to_jaxpr_dynamic",
    "trace_to_jaxpr_nounits",
}
"""Frames below any transformation, known or not: what they call is run by JAX, not by plain Python."""

ENTRIES: dict[str, Entry] = {
    "make_jaxpr_f": "make_jaxpr",
    "eval_shape": "eval_shape",
    "jit_eval_shape": "eval_shape",
    "jit_lower": "aot_lower",
    "jit_trace": "aot_lower",
}
"""JAX frames through which a jitted function is traced without being called."""

BUILT_ON: dict[str, tuple[str, ...]] = {
    "linearize": ("linearize",),
    "vjp": ("vjp", "linearize"),
    "jvp": ("jvp",),
    "value_and_grad": ("vjp", "linearize"),
    "grad": ("value_and_grad", "vjp", "linearize"),
    "jacfwd": ("vmap", "jvp"),
    "jacrev": ("vmap", "vjp", "linearize"),
    "map": ("scan",),
    "fori_loop": ("while", "scan"),
    "cond": ("cond",),
    "switch": ("switch",),
}
"""How JAX implements what the user asked for: the kinds on the right follow each other, the outermost first."""

_TREES = ("tree_util.py", "flattree.py", "flat_tree.py", "/tree.py", "flatten_util.py", "/monitoring.py")
"""Files of JAX that call flatten functions, what one maps over trees, and listeners: no bodies."""
_LISTENING = ("/logging/__init__.py", "/warnings.py")
"""Files of the standard library through which JAX's messages come to what the program has listen."""
_UNFLATTENING = {"unflatten", "tree_unflatten", "flatten", "tree_flatten"}

_DECISIVE: tuple[Entry, ...] = ("make_jaxpr", "eval_shape", "aot_lower")
"""The first of these on the stack is what the user asked for: JAX builds it on those behind it."""

_CALLING = ("pjit.py", "traceback_util.py")
"""Files of JAX with the frames of every call of a jitted function."""

CALLS = {"cache_miss", "_python_pjit_helper"}
"""JAX frames that are calls of a jitted function."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What lies between a body and the nearest user frame outside it."""

    user_frame: FrameType | None
    kinds: tuple[str, ...]
    """Transformations around the body that the user asked for, innermost first."""
    inside_jit: int
    """How many of `kinds` lie inside the call of the jitted function: those it wraps."""
    entry: Entry
    machinery: bool
    """Some of JAX's tracing machinery lies between."""
    form: str | None = None
    """What JAX implements the innermost of `kinds` with, where that depends on the call: `scan` or `while` for a
    `fori_loop`, which have caches of their own.
    """

    @property
    def kind(self) -> str | None:
        """The transformation the user asked for that runs this body."""
        return self.kinds[0] if self.kinds else None

    @property
    def place(self) -> Place | None:
        """The user's line that caused the run."""
        return place(self.user_frame)


def kind_of(code: CodeType) -> str | None:
    """The kind of run that a frame of JAX with this code causes."""
    name = code.co_name
    if name == "map":
        return "map" if code.co_filename.replace("\\", "/").endswith(_LAX_MAP) else None
    return KINDS.get(name) or KINDS.get(code.co_qualname)


def cause(frame: FrameType | None) -> Cause:
    """Walks outwards from `frame` (the caller of a body, or of one of our hooks) to the innermost user frame."""
    kinds: list[str] = []
    entries: set[Entry] = set()
    machinery = False
    inside_jit: int | None = None
    while frame is not None:
        code = frame.f_code
        match owner_of(code):
            case "user":
                break
            case "jax":
                name = code.co_name
                kind = kind_of(code)
                if kind:
                    kinds.append(kind)
                elif name in ENTRIES:
                    entries.add(ENTRIES[name])
                elif name == "_infer_params" and inside_jit is None:
                    inside_jit = len(kinds)
                machinery = machinery or name in MACHINERY
            case "library" | "ours":
                pass
        frame = frame.f_back
    inside_jit = len(kinds) if inside_jit is None else inside_jit
    wrapped = folded(kinds[:inside_jit])
    around = folded(kinds[inside_jit:])
    if around[:1] == ("pmap",) and wrapped[-1:] == ("shard_map",):
        wrapped = wrapped[:-1]  # the jit between the two is `pmap`'s own
    asked = wrapped + around
    form = kinds[0] if asked[:1] == ("fori_loop",) and kinds[0] != "fori_loop" else None
    return Cause(frame, asked, len(wrapped), _entry(entries), machinery, form)


def folded(kinds: Sequence[str]) -> tuple[str, ...]:
    """Kinds by frame, innermost first, without those that JAX only uses to implement the one around them."""
    asked: list[str] = []
    for kind in kinds:
        for inner in BUILT_ON.get(kind, ()):
            if asked and asked[-1] == inner:
                asked.pop()
        asked.append(kind)
    return tuple(asked)


def kinds_around(frame: FrameType | None) -> tuple[str, ...]:
    """All transformations on the stack from `frame` on, innermost first."""
    asked: tuple[str, ...] = ()
    kinds: list[str] = []
    while frame is not None:
        owner = owner_of(frame.f_code)
        if owner == "jax":
            kind = kind_of(frame.f_code)
            if kind:
                kinds.append(kind)
        elif owner == "user":
            asked += folded(kinds)
            kinds.clear()
        frame = frame.f_back
    return asked + folded(kinds)


def handles_trees(frame: FrameType | None) -> bool:
    """Whether JAX calls a user function only to take pytrees apart, put them together, or tell a listener.

    It may do so through what others wrote: the `__init__` of a dataclass calls the user's `__post_init__`.
    """
    while frame is not None and owner_of(frame.f_code) == "library":
        if frame.f_code.co_filename.replace("\\", "/").endswith(_LISTENING):
            return True
        frame = frame.f_back
    if frame is None or origin(frame.f_code.co_filename) != "jax":
        return False
    code = frame.f_code
    return code.co_name in _UNFLATTENING or code.co_filename.replace("\\", "/").endswith(_TREES)


def _entry(entries: set[Entry]) -> Entry:
    for entry in _DECISIVE:
        if entry in entries:
            return entry
    return "call"


def begin_of(frame: FrameType | None) -> tuple[FrameType | None, bool]:
    """The innermost user frame at or outside `frame`, and whether it asked for a trace that runs nothing."""
    entered = False
    while frame is not None and not is_user(frame):
        entered = entered or frame.f_code.co_name in ENTRIES
        frame = frame.f_back
    return frame, entered


def is_called_by_user(frame: FrameType | None, *, directly: bool) -> bool:
    """Whether the user's own line calls a jitted function, and no library does it for the user.

    Args:
        frame: The frame that asks, or what called it.
        directly: Whether no function of JAX's may lie between, but what makes every call of a jitted function.
    """
    while frame is not None:
        owner = owner_of(frame.f_code)
        if owner == "user":
            return True
        if owner == "library" or (directly and owner == "jax" and not frame.f_code.co_filename.endswith(_CALLING)):
            return False
        frame = frame.f_back
    return False


def is_user(frame: FrameType) -> bool:
    """Whether this frame runs code of the user's."""
    return owner_of(frame.f_code) == "user"


def user_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost user frame at or outside `frame`."""
    while frame is not None and owner_of(frame.f_code) != "user":  # eager operations ask one by one
        frame = frame.f_back
    return frame


def place(frame: FrameType | None) -> Place | None:
    """The innermost user line at or outside `frame`."""
    frame = user_frame(frame)
    return None if frame is None else Place(file=frame.f_code.co_filename, line=frame.f_lineno or 0)
