"""Our own cache keys: every part of a call that decides whether JAX traces and compiles again."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from jax import tree_util
from jax._src import api_util
from jax.sharding import Sharding
from msgspec.structs import replace

from jax_trace_viz.capture.code.functions import made_by
from jax_trace_viz.capture.keys.leaves import describe_leaf, type_of_leaf
from jax_trace_viz.capture.keys.module_graphs import STATES, variable_paths
from jax_trace_viz.capture.keys.settings import context
from jax_trace_viz.capture.keys.statics import Statics
from jax_trace_viz.capture.keys.structures import beside_text, structure_text
from jax_trace_viz.capture.keys.transformed import transformations_of
from jax_trace_viz.capture.values.kinds import preview, type_of
from jax_trace_viz.capture.values.real_types import ARRAYS, is_a, is_typed
from jax_trace_viz.capture.values.shardings import placement_text
from jax_trace_viz.contract.document import Argument, Role
from jax_trace_viz.contract.key import ClassSeen, Key, Leaf, StaticValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.capture.code.functions import ObjectNumbers

_MAX_LEAVES = 100_000
"""Of one argument. What has more is not described: a change beyond would have another reason, or a count too small."""
_SHARDING_WORDS = {
    "in_shardings_leaves": "in_shardings",
    "out_shardings_leaves": "out_shardings",
    "device": "device",
    "backend": "backend",
}
"""Where JAX keeps what `jax.jit` was told, by the name of the argument."""
_ARRAYS = (*ARRAYS, np.generic)
_TYPED_KEYWORDS = not hasattr(api_util, "argnames_partial_except")
"""Whether JAX compares the types of static values that are passed by keyword, as it always did by position; this is so
since it has one way for both (0.10; not in 0.6 and 0.8).
"""


@dataclass(slots=True)
class Inputs:
    """The parts of a key that come from the arguments, and the same as rows for people."""

    statics: list[StaticValue]
    structures: dict[str, str]
    classes: dict[str, tuple[ClassSeen, ...]]
    leaves: list[Leaf]
    rows: list[Argument]
    described: bool = True

    def key(self) -> Key:
        """A key of these parts alone."""
        return Key(
            callable=0,
            statics=tuple(self.statics),
            structures=self.structures,
            classes=self.classes,
            leaves=tuple(self.leaves),
            described=self.described,
        )


class Keys:
    """Builds keys. Only plain data stays."""

    def __init__(self, numbers: ObjectNumbers) -> None:
        self._numbers = numbers
        self._statics = Statics(numbers)
        self._statics.treedef_text = lambda structure: structure_text(structure, self._statics)

    def of_call(
        self,
        fun: Any,
        info: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        wrappers: tuple[str, ...],
        *,
        around: tuple[Any, ...] | None = None,
    ) -> tuple[Key, list[Argument]]:
        """The key of a call of a jitted function, from its real arguments.

        `around` is the context in which it was called, if that is not the present one.
        """
        inputs, donated = self._inputs(fun, info, args, kwargs)
        key = replace(
            inputs.key(),
            callable=self._numbers.of(fun),
            made_by=made_by(fun) or next(iter(transformations_of(fun)), ""),
            wrappers=wrappers,
            positional=len(args),
            keywords=tuple(sorted(kwargs)),
            defaults=tuple(self._defaults(fun, info, {row.path for row in inputs.rows})),
            context=context(around),
            donated=tuple(sorted(donated)),
            shardings=_shardings(info),
        )
        return key, inputs.rows

    def _inputs(self, fun: Any, info: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Inputs, list[str]]:
        """What the arguments of a call give to its key, and which of them are donated."""
        inputs = Inputs([], {}, {}, [], [])
        donated: list[str] = []
        for name, value, role in _split(fun, info, args, kwargs):
            if role == "static":
                typed = _TYPED_KEYWORDS or name not in kwargs
                _add_static(inputs, name, value, self._statics.parts(name, value, typed=typed))
            else:
                self._add_tree(inputs, name, value, role)
                if role == "donated":
                    donated.append(name)
        return inputs, donated

    def of_body(
        self,
        parameters: dict[str, Any],
        callable_number: int,
        wrappers: tuple[str, ...],
        *,
        around: tuple[Any, ...] | None = None,
    ) -> tuple[Key, list[Argument]]:
        """The key of a body, from its parameters at entry, where no call of the user's jitted function has them."""
        inputs = Inputs([], {}, {}, [], [])
        for name, value in parameters.items():
            self._add_tree(inputs, name, value, "traced", scalars=False)
        key = replace(
            inputs.key(),
            callable=callable_number,
            wrappers=wrappers,
            positional=len(parameters),
            context=context(around),
        )
        return key, inputs.rows

    def of_program(self, program: str, inputs: dict[str, Any], callable_number: int) -> Key:
        """The key of a program that JAX made of a traced one, from what it is run on."""
        leaves = [leaf for name, value in inputs.items() if (leaf := describe_leaf(name, value)) is not None]
        return Key(callable=callable_number, leaves=tuple(leaves), context=context(), program=program)

    def _defaults(self, fun: Any, info: Any, given: set[str]) -> Iterator[StaticValue]:
        for parameter in _parameters(fun, info):
            left_out = parameter.name not in given and parameter.default is not inspect.Parameter.empty
            if left_out and parameter.name in (info.static_argnames or ()):
                yield from self._statics.parts(parameter.name, parameter.default)

    def _add_tree(self, inputs: Inputs, name: str, value: Any, role: Role, *, scalars: bool = True) -> None:
        """Adds a pytree; `scalars`: Python numbers among its leaves count as arrays, as `jit` takes them."""
        flat, structure = tree_util.tree_flatten_with_path(value)
        inputs.described = inputs.described and len(flat) <= _MAX_LEAVES
        text = inputs.structures[name] = structure_text(structure, self._statics)
        unsure, inputs.classes[name] = beside_text(name, structure, self._statics)
        inputs.statics += unsure
        of_modules = variable_paths(name, value) if STATES in text else None
        for number, (path, leaf) in enumerate(flat[:_MAX_LEAVES]):
            where = of_modules[number] if of_modules else name + tree_util.keystr(path)
            described = describe_leaf(where, leaf) if scalars or is_a(leaf, _ARRAYS) or is_typed(leaf) else None
            if described is None:  # a static part inside a pytree
                parts = self._statics.parts if scalars else self._statics.parts_at_entry
                _add_static(inputs, where, leaf, parts(where, leaf))
                continue
            inputs.leaves.append(described)
            inputs.rows.append(Argument(path=where, role=role, type=type_of_leaf(leaf, described), value=None))


def _add_static(inputs: Inputs, name: str, value: Any, parts: list[StaticValue]) -> None:
    inputs.statics += parts
    inputs.rows.append(Argument(path=name, role="static", type=type_of(value), value=preview(value)))


def _split(fun: Any, info: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[str, Any, Role]]:
    """Names and roles of a call's arguments, in the order they were given."""
    static_numbers: set[int] = set(info.static_argnums or ())
    static_names: set[str] = set(info.static_argnames or ())
    donated_numbers: set[int] = set(getattr(info, "donate_argnums", None) or ())
    donated_names: set[str] = set(getattr(info, "donate_argnames", None) or ())
    names = _parameter_names(fun, info, len(args))
    for i, value in enumerate(args):
        # static_argnums also holds numbers inferred from static_argnames, which may lie beyond the arguments given
        static = i in static_numbers or i - len(args) in static_numbers
        yield names[i], value, "static" if static else "donated" if i in donated_numbers else "traced"
    for name, value in kwargs.items():
        yield name, value, "static" if name in static_names else "donated" if name in donated_names else "traced"


def _parameters(fun: Any, info: Any) -> list[inspect.Parameter]:
    try:
        signature = getattr(info, "fun_signature", None) or inspect.signature(fun)
    except (TypeError, ValueError):
        return []
    return list(signature.parameters.values())


def _parameter_names(fun: Any, info: Any, count: int) -> list[str]:
    names: list[str] = []
    for parameter in _parameters(fun, info):
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{i}]" for i in range(count - len(names))]
        elif parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            names.append(parameter.name)
    return names[:count] + [f"args[{i}]" for i in range(len(names), count)]


def _shardings(info: Any) -> str:
    told = ((word, _sharding_text(getattr(info, name, None))) for name, word in _SHARDING_WORDS.items())
    return "; ".join(f"{word} {text}" for word, text in told if text)


def _sharding_text(value: Any) -> str:
    """What was given to `jax.jit`; empty where it was left to JAX."""
    if isinstance(value, tuple):
        texts = list(dict.fromkeys(_sharding_text(part) or "unspecified" for part in cast("tuple[Any, ...]", value)))
        return ", ".join(texts) if texts and texts != ["unspecified"] else ""
    if isinstance(value, Sharding):
        return placement_text(value)
    return "" if value is None or "UnspecifiedValue" in str(value) else str(value)
