"""What happened and what usually helps, in words, for each kind of retrace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.reasons.keys import argument_of
from jax_trace_viz.session.reasons.spelling import keeps_positions, passes_as_many
from jax_trace_viz.session.reasons.static_texts import is_another_class
from jax_trace_viz.session.wording import OWN_HASH

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Reason
    from jax_trace_viz.session.evidence import Evidence
    from jax_trace_viz.session.reasons.chains import Cause

_OBJECT = re.compile(r"\S+ #\d+")
"""What stands in a structure for an object that is compared by identity."""
_DTYPES = {"f": "float", "i": "int", "u": "uint", "c": "complex", "bf": "bfloat"}


def because_of_change(cause: Cause) -> str:
    """A part of the key changed."""
    return cause.text


def because_of_object(cause: Cause) -> str:
    """JAX's caches are kept by function object."""
    return _because_of_object(cause.function.name, _made_by(cause.first), "traces")


def because_of_new_object(name: str, reason: Reason) -> str:
    """The same of a program whose trace ran no body, as all that it calls was traced before."""
    return _because_of_object(name, _made_by(reason), "programs")


def _because_of_object(name: str, made: str, kept: str) -> str:
    what = f"bound method `{name}`" if made == "bound method" else f"`{made}` of `{name}`" if made else f"`{name}`"
    return f"a new {what} was made each time, and JAX keeps its {kept} by function object"


def because_of_spelling(cause: Cause) -> str:
    """Positional and keyword arguments are told apart."""
    return f"its arguments were passed in different ways: {cause.chain}"


def for_shapes(cause: Cause) -> str:
    """Every shape is a program of its own."""
    if any(text and text.startswith("key<") for text in (cause.first.before, cause.first.after)):
        return (
            f"`jax.random.key` and `jax.random.PRNGKey` make keys of different types, and each generator has its own: "
            f"make `{cause.path}` in one way everywhere."
        )
    paths = [cause.path or "", *cause.companions]
    names = paths if len(paths) == 1 else list(dict.fromkeys(argument_of(path) for path in paths))
    padded = " and ".join(f"`{name}`" for name in names)
    return (
        f"Every shape is a program of its own. Pad {padded} to one shape, or to a few bucket sizes, and mask the "
        "padding; a history that grows is better preallocated, or collected by `jax.lax.scan`."
    )


def for_weak_type(cause: Cause) -> str:
    """Python scalars are weakly typed."""
    strong = next((value for value in cause.values if not value.endswith("~")), "")
    dtype = _dtype_name(strong.partition("[")[0])
    given = f"`jnp.asarray(value, jnp.{dtype})`" if dtype else "`jnp.asarray(value, dtype)`"
    return f"Give `{cause.path}` its dtype where it is made: {given}."


def for_dtype(cause: Cause) -> str:
    """Every dtype is a program of its own."""
    if all(value.endswith("~") for value in cause.values):
        return f"Python's `1` and `1.0` are of different types to JAX: pass `{cause.path}` as one of them everywhere."
    return f"Every dtype is a program of its own: give `{cause.path}` the same one in every call, where it is made."


def for_static_value(cause: Cause) -> str:
    """Every static value is a program of its own."""
    owner = (cause.path or "").removesuffix(OWN_HASH)
    if is_another_class(cause.first.after):
        return _for_class(cause.first)
    if cause.by_itself:
        return (
            f"JAX's cache holds the object itself and asks its `__hash__` and `__eq__`. Let both look at content alone "
            f"and never change an object that was passed as `{owner}`: `@dataclass(frozen=True)` does both, and "
            "`dataclasses.replace` makes a changed one."
        )
    if cause.by_identity and cause.values[:1] == ["nan"]:
        return (
            f"NaN is equal to nothing, not even to another NaN, so JAX's cache finds only the same object again: pass "
            f"one that is made once as `{cause.path}`, as `math.nan`, or None."
        )
    if cause.by_identity and cause.is_of_functions and not (cause.path or "").endswith(OWN_HASH):
        return (
            f"Functions compare by identity: a lambda, a nested function or a `functools.partial` that is written anew "
            f"is another value each time. Make the one for `{cause.path}` once, and pass that."
        )
    if cause.by_identity:
        return (
            f"Objects that compare by identity are different values each time they are made. Give the class of "
            f"`{owner}` `__eq__` and `__hash__` (`@dataclass(frozen=True)`), or make the object once."
        )
    is_argument = (cause.path or "").isidentifier()
    traced = "take it out of the static arguments" if is_argument else "pass it by itself, or store it as an array"
    return (
        f"Every value of `{cause.path}` is a program of its own. If no Python code branches on it, let it be traced: "
        f"{traced}. If it has few values, leave it."
    )


def for_structure(cause: Cause) -> str:
    """The pytree's structure is a part of the key."""
    if cause.is_of_lengths:
        return (
            f"Every length of `{cause.path}` is a program of its own. Keep what grows in one array that has room for "
            "all of it, written with `.at[i].set(…)`, and a count or a mask of what is valid; or collect it by "
            "`jax.lax.scan`."
        )
    if is_another_class(cause.first.after):
        return _for_class(cause.first)
    if any(_objects(reason.before) != _objects(reason.after) for reason in cause.reasons):
        return (
            f"What has a number sign in the structure of `{cause.path}` is compared by identity: a lambda, or an "
            "object without `__eq__`, is another one each time it is made. Make it once, or keep it out of the pytree."
        )
    if all("=" in value and "*" not in value for value in cause.values):  # `drop.rate=0.1`, and no leaf
        return (
            f"Every setting of `{cause.path}` is a program of its own. If no Python code branches on it, store it as "
            "an array. If it has few values, as for training and evaluation, leave it."
        )
    return (
        f"Keep the structure of `{cause.path}` from the first call on: the same containers and keys, arrays instead of "
        "None, and no metadata that changes (make it a leaf)."
    )


def _for_class(reason: Reason) -> str:
    """Classes compare by identity."""
    return (
        f"A class is another one each time that its definition runs, and so is what is made of it: define "
        f"`{(reason.before or '').removeprefix('class ')}` once, where it does not run again."
    )


def _objects(structure: str | None) -> set[str]:
    return set(_OBJECT.findall(structure or ""))


def for_spelling(cause: Cause) -> str:
    """One convention is enough."""
    name = cause.function.name
    if cause.path and all(not passes_as_many(reason) for reason in cause.reasons):
        return f"Pass `{cause.path}` in every call of `{name}`, or in none: a default left out is another call to JAX."
    if all(keeps_positions(reason) for reason in cause.reasons):
        return f"Pass the same keyword arguments in every call of `{name}`, also where a value is the default."
    if all(passes_as_many(reason) for reason in cause.reasons):
        return f"Call `{name}` the same way everywhere: what is positional once is positional always."
    return (
        f"Every choice of arguments is a program of its own: pass the same ones in every call of `{name}`, also where "
        "a value is the default."
    )


def for_context(cause: Cause) -> str:
    """Configuration is a part of the key."""
    if (cause.path or "").startswith("mesh "):
        return (
            f"Call `{cause.function.name}` under the same mesh everywhere, or keep one jitted function for each mesh."
        )
    if cause.path == "named axes":
        return "Every size of a named axis is a program of its own: keep what is mapped at one size, or pad it to one."
    return f"Set `{cause.path}` once, before the first call, or keep one jitted function for each setting."


def for_recompile(name: str, reason: Reason) -> str | None:
    """One trace serves several programs; None for what is not about programs."""
    if reason.kind == "new_function_object":
        return for_new_object(name, reason)
    if reason.kind == "sharding_or_device":
        what = f"`{reason.path}`" if reason.path else "the arguments"
        return (
            f"Every placement is a program of its own. Put {what} where it belongs once, with `jax.device_put`, and "
            "keep it there from the first call on."
        )
    if reason.kind == "donation":
        return "Other donated arguments are another program. Keep one jitted function, with one `donate_argnums`."
    if reason.kind != "cache_cleared":
        return None
    return (
        "`jax.clear_caches()` throws all traces and programs away. Call it only where memory runs out; a persistent "
        "compilation cache (`jax_compilation_cache_dir`) keeps the programs."
    )


def for_object(cause: Cause, evidence: Evidence) -> str:
    """Where the object is made decides what to hoist."""
    function, kind = cause.function, cause.traces[-1].kind
    line = evidence.line_text(function.file, function.line)
    where = f" at {line}" if line else ""
    if cause.outside:
        each = f"lambda{where}" if function.name == "<lambda>" else f"`{function.name}`{where}"
        passed = "it as an argument" if len(cause.outside) == 1 else "them as arguments"
        return (
            f"Each {each} has a value of its own built in: {', '.join(cause.outside)}. Pass {passed} to one that is "
            "made once, or keep one for each value."
        )
    if _made_by(cause.first):
        return for_new_object(function.name, cause.first)
    if function.name == "<lambda>":
        keep = ", and keep the jitted function in a variable" if kind == "jit" else ""
        return f"Make the lambda{where} once, outside the loop{keep}."
    if "<locals>" in function.qualname:
        outer = function.qualname.split(".<locals>")[0].split(".")[-1]
        first = "jitted function" if kind == "jit" else f"`{function.name}`"
        return f"Define `{function.name}`{where} outside of `{outer}`, or keep the {first} that was made first."
    given = "jitted function" if kind == "jit" else f"function that `{kind}` is given"
    return (
        f"Keep the {given} in a variable: `functools.partial`, a bound method or `jax.grad` of "
        f"`{function.name}` is a new object each time it is written."
    )


def for_new_object(name: str, reason: Reason) -> str:
    """What was made of the function is to be made once."""
    made = _made_by(reason)
    bound = " If what it binds changes, pass that as an argument." if made == "functools.partial" else ""
    what = made if made == "bound method" else f"`{made}`" if made else "jitted function"
    return f"Make the {what} of `{name}` once, and keep it in a variable, jitted if it is.{bound}"


def _made_by(reason: Reason) -> str:
    """`functools.partial`, `bound method`, `grad`, or empty for the function itself."""
    made = (reason.after or "").removeprefix("another ")
    return "" if made == "one" else made


def _dtype_name(short: str) -> str | None:
    """`float32` for `f32`."""
    letters = short.rstrip("0123456789")
    if short in {"bool", ""}:
        return short or None
    return f"{_DTYPES[letters]}{short[len(letters) :]}" if letters in _DTYPES else None
