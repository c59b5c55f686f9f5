"""What is known of an error when it is explained, and what an explanation says."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.provenance import chain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.session.errors.sites import Site
    from jax_trace_viz.session.provenance import Provenance

_WHOLE_NUMBER = re.compile(r"(i|u)\d+\[\]~?|bool\[\]")
_SIZES = re.compile(r"\[([^\[\]{}]*)\]")


class Explanation(NamedTuple):
    """Why it failed, as sentences without the last full stop, and what usually helps."""

    why: str
    fix: str


@dataclass(frozen=True)
class Problem:
    """One error."""

    type: str
    message: str
    site: Site | None = None
    origin: Provenance | None = None
    """Where the value comes from that was needed, if one was."""
    trace: Trace | None = None
    """The trace that the value belongs to."""
    of: str = ""
    """The function of that trace, where another one around or inside it is told to have stopped."""
    in_helper: bool = False
    """The line is one of a function that plain Python called inside the trace: its names are not the trace's."""
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    """Abstract types by what the source at this place calls them: `x`, `params['w']`, as far as they are known."""

    @property
    def node(self) -> ast.AST | None:
        """The piece of source that failed."""
        return self.site.node if self.site is not None else None

    @property
    def parents(self) -> tuple[ast.AST, ...]:
        """What stands around it, innermost first."""
        return self.site.parents if self.site is not None else ()

    @property
    def own_trace(self) -> Trace | None:
        """The trace, where the names at this place are its own: not those of a helper, nor of a function around it."""
        return None if self.of or self.in_helper else self.trace

    def code_or(self, otherwise: str) -> str:
        """It as a sentence quotes it; `otherwise` where it is not known."""
        return f"`{self.site.text}`" if self.site is not None else otherwise

    def argument_or(self, otherwise: str, position: int, *names: str) -> str:
        """What a call is given at a position or by one of these names, quoted; `otherwise` where that is not known."""
        call = self.node
        if not isinstance(call, ast.Call):
            return otherwise
        given = [*call.args[position : position + 1], *(word.value for word in call.keywords if word.arg in names)]
        return f"`{code(given[0])}`" if given else otherwise

    def value(self, otherwise: str = "") -> str:
        """What the source calls the needed value; `otherwise` where only a callee knows it."""
        name, origin = (self.origin.name, self.origin) if self.origin else ("", None)
        inside = self.site is not None and self.site.text in name
        if inside and self.site is not None and (isinstance(self.site.node, ast.Call) or name != self.site.text):
            return otherwise  # the expression that failed is a part of it, or asked inside
        elsewhere = (self.of or self.in_helper) and origin is not None and origin.own == origin.arguments[:1]
        return otherwise or name if elsewhere else name or otherwise

    def needs(self, who: str, otherwise: str = "", *, what: str | None = None) -> str:
        """`who` needs a value that is traced, and where that comes from.

        Args:
            who: What asks for the value, as the subject of the sentence.
            otherwise: What to call the value where the equations do not tell.
            what: Says which value it is, where it has no name of its own.
        """
        value = self.value(otherwise)
        what = what or (f"the value of `{value}`" if value else "a value")
        type = f" ({self.origin.type})" if self.origin and self.origin.type else ""
        return f"{who} needs {what}, but that is traced{type}: {self._state}. {self.chain}"

    @property
    def _state(self) -> str:
        """Why a traced value cannot be had."""
        if self.origin is None or not self.origin.holders:
            return "it has no value yet"
        if self.is_batched:
            return "under `jax.vmap` it stands for the whole batch"
        around = f"as under `jax.{self.trace.kind}`" if self.trace is not None else "as here"
        return (
            f"NumPy takes no traced value, even where it is known, {around}"
            if self.is_numpys
            else "JAX keeps its value"
        )

    @property
    def static_hint(self) -> str:
        """What to declare static, if that can help: one argument of a jitted function, a whole number."""
        origin, trace = self.origin, self.trace
        if origin is None or trace is None or trace.kind != "jit" or origin.outside or len(origin.arguments) != 1:
            return ""
        (name,), (type,) = origin.arguments, origin.types
        of = f" of `{self.of}`" if self.of else ""
        return f"`static_argnames=('{name}',)`{of}" if name.isidentifier() and _WHOLE_NUMBER.fullmatch(type) else ""

    @property
    def or_static(self) -> str:
        """The other way, as a sentence after a space: to declare the argument static; empty if that is none."""
        if not self.static_hint or self.origin is None:
            return ""
        return f" Or declare `{self.origin.arguments[0]}` static, {self.static_hint}, if it has few values."

    def shape_of(self, name: str) -> tuple[str, ...] | None:
        """The shape of an argument, or of the needed value, by what the source calls it; None if that is not known."""
        if self.origin is not None and name == self.origin.name:
            return self.shape_in(self.origin.type)
        stored = (
            n for one in self.parents for n in ast.walk(one) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        )
        if self.own_trace is None or any(node.id == name for node in stored):
            return None
        given = self.own_trace.arguments
        return next((self.shape_in(one.type) for one in given if one.path == name and one.role != "static"), None)

    @staticmethod
    def shape_in(type: str) -> tuple[str, ...] | None:
        """The sizes in an abstract type, `("4", "3")` of `f32[4,3]`."""
        found = _SIZES.search(type)
        return None if found is None else tuple(size for size in found[1].split(",") if size)

    def is_bool(self, node: ast.AST) -> bool:
        """Whether an expression is known to be true or false: the needed value, or an argument."""
        text = code(node)
        if self.origin is not None and text in self.origin.own:
            return self.origin.type.startswith("bool")
        given = self.own_trace.arguments if self.own_trace is not None else ()
        return any(one.path == text and one.type.startswith("bool") for one in given)

    @property
    def is_numpys(self) -> bool:
        """Whether it was NumPy that asked for the value."""
        return self.type == "TracerArrayConversionError"

    @property
    def is_batched(self) -> bool:
        """Whether the value stands for a whole batch: JAX then computes both branches of a `cond`."""
        if self.trace is not None and self.trace.kind == "vmap":
            return True
        if self.origin is not None and any(holder.startswith("vmap") for holder in self.origin.holders):
            return True
        scalar = self.type == "TracerBoolConversionError"
        return scalar and self.origin is not None and bool(self.shape_in(self.origin.type))

    @property
    def is_known(self) -> bool:
        """Whether the value depends on nothing that is traced: it became traced only because `jax.numpy` made it."""
        origin, trace = self.origin, self.trace
        return origin is not None and not origin.arguments and trace is not None and trace.parent is None

    @property
    def chain(self) -> str:
        """The way back to the arguments, as a sentence without its full stop."""
        origin, trace = self.origin, self.trace
        if origin is None and trace is not None and trace.kind == "vmap":
            return "Under `jax.vmap` it stands for the whole batch"
        if origin is None:
            return "While tracing, JAX knows types only"
        if not origin.arguments:
            outside = "" if self.is_known else " of its own function, only on values from outside"
            return f"{chain_text(origin) or 'It'} depends on no argument{outside}"
        others = [f"`{name}`" for name in origin.arguments[1:4] if name]
        more = f"; {' and '.join(others)} decide{'s' if len(others) == 1 else ''} too" if others else ""
        if origin.steps == origin.arguments[:1] and not origin.own:  # made in code whose source was not recorded
            return f"It comes from {chain_text(origin, self.of)}{more}"
        if origin.steps == origin.arguments[:1]:
            return f"`{origin.name}` is an argument{f' of `{self.of}`' if self.of else ''}{more}"
        return chain_text(origin, self.of) + more
