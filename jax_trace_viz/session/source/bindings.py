"""Where a function binds a name anew, and of which of these the source alone says that one array is bound.

A statement tells nothing here unless what it binds is certain: the equations that its right-hand side stages end with
that array, or it is a literal number.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.source.syntax import own_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Span = tuple[int, int, int, int]
"""First line, first column, last line and last column, as frames have them."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPERATORS = frozenset({"floor_divide", "remainder", "power", "_power"})
"""Operators of arrays that are jitted functions of JAX's own."""
_METHODS = _words(
    "all any argmax argmin astype conj cumprod cumsum dot flatten max mean min prod ravel repeat reshape round squeeze "
    "std sum swapaxes take transpose var view"
)
_UPDATES = _words("add divide get max min mul multiply power set")
"""Methods of `x.at[…]`."""
_MODULES = _words("jnp jax.numpy lax jax.lax nn jax.nn jax.random random jnp.linalg jax.numpy.linalg")
_FUNCTIONS = _words(
    "abs absolute add all any arange arccos arcsin arctan arctan2 argmax argmin asarray astype bernoulli broadcast_to "
    "categorical cbrt ceil clip concatenate conj cos cosh cross cumprod cumsum diff divide dot dot_general "
    "dynamic_slice einsum elu equal exp exp2 expand_dims expm1 eye flip floor floor_divide fold_in full full_like gelu "
    "greater hstack inner isfinite isnan leaky_relu less log log10 log1p log2 log_sigmoid log_softmax logaddexp "
    "logical_and logical_not logical_or logsumexp matmul max maximum mean median min minimum mod moveaxis multiply "
    "negative norm normal one_hot ones ones_like outer pad power prod randint ravel reciprocal relu remainder repeat "
    "reshape roll round rsqrt select sigmoid sign silu sin sinh softmax softplus sort split sqrt square squeeze stack "
    "std subtract sum swapaxes swish take tan tanh tensordot tile transpose tril triu true_divide uniform var vdot "
    "vstack where zeros zeros_like"
)
"""Those that make one array, whatever they are given. `split` is for keys, see `_is_array_function`."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Bound(NamedTuple):
    """A statement that binds a name which others bind too, with its lines as in the file."""

    name: str
    line: int
    end_line: int
    span: Span
    """Of the expression whose value it is."""
    literal: tuple[str, str] | None
    """The value and its type, where the source says it."""
    jitted: frozenset[str] | None
    """Which jitted functions may be its last equation; None: any, since the function is known to be JAX's."""
    loops: bool
    """It stands in a loop."""
    always: bool
    """Each run of the function comes by it once, if it comes to its end."""


def rebound_in(definition: ast.FunctionDef, shift: int) -> tuple[Bound, ...]:
    """The certain bindings of names that are bound on several lines, each line of a name once.

    Args:
        definition: The function.
        shift: Is added to the lines of the tree.
    """
    places: defaultdict[str, set[int]] = defaultdict(set)
    twice: set[tuple[str, int]] = set()
    outer: set[str] = set()
    for node in own_nodes(definition):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            if node.lineno in places[node.id]:
                twice.add((node.id, node.lineno))
            places[node.id].add(node.lineno)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            outer.update(node.names)
    found = _bindings(definition.body, shift, loops=False, always=True)
    return tuple(
        [
            bound
            for bound in found
            if len(places[bound.name]) > 1 and bound.name not in outer and (bound.name, bound.line - shift) not in twice
        ]
    )


def _bindings(suite: Iterable[ast.stmt], shift: int, *, loops: bool, always: bool) -> Iterator[Bound]:
    """Those of a suite and of the suites inside it. In a `try` an expression may have begun only: nothing is told."""
    for statement in suite:
        for name, value in _pairs(statement):
            literal = _literal(value)
            jitted = _may_end_in(value)
            if literal is not None or jitted is not _UNKNOWN:
                span = _span(value, shift)
                end = (statement.end_lineno or statement.lineno) + shift
                yield Bound(name.id, name.lineno + shift, end, span, literal, jitted, loops, always)
        if isinstance(statement, ast.With):
            yield from _bindings(statement.body, shift, loops=loops, always=False)
        elif isinstance(statement, (ast.If, *_LOOPS)):
            inside = loops or isinstance(statement, _LOOPS)
            yield from _bindings([*statement.body, *statement.orelse], shift, loops=inside, always=False)
        always = always and not any(
            isinstance(node, ast.Return | ast.Raise | ast.Try) for node in (statement, *own_nodes(statement))
        )


def _pairs(statement: ast.stmt) -> Iterator[tuple[ast.Name, ast.AST]]:
    """Names and the expressions whose values they are bound to as they are."""
    if isinstance(statement, ast.AugAssign):
        targets, value = [statement.target], statement  # `x += y`: the whole statement is the operation
    elif isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets, value = [statement.target], statement.value
    else:
        return
    for target in targets:
        if isinstance(target, ast.Name):
            yield target, value
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
            if not any(isinstance(one, ast.Starred) for pair in pairs for one in pair):
                yield from ((one, part) for one, part in pairs if isinstance(one, ast.Name))


def _literal(value: ast.AST) -> tuple[str, str] | None:
    """A number as it is shown: `0.5`, and its type. Texts are not told: they may be secrets."""
    plain = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value
    if not isinstance(plain, ast.Constant) or not isinstance(plain.value, bool | int | float):
        return None
    number = plain.value if plain is value else -plain.value
    return repr(number), type(number).__name__


_UNKNOWN = frozenset({""})
"""No equation tells what an expression's value is."""


def _may_end_in(value: ast.AST) -> frozenset[str] | None:
    """Which jitted functions may compute the array that an expression is; `_UNKNOWN` if it may be no array."""
    match value:
        case ast.Call(func=ast.Attribute() as function) as call if _is_array_function(function, call):
            return None
        case ast.Call(func=ast.Attribute() as function):
            names = _UPDATES if _is_at(function.value) else _METHODS
            return frozenset() if function.attr in names else _UNKNOWN
        case ast.UnaryOp(op=ast.Not()) | ast.Subscript(value=ast.Attribute(attr="ogrid")):
            pass
        case (
            ast.Attribute(attr="T" | "mT" | "real" | "imag")
            | ast.BinOp()
            | ast.UnaryOp()
            | ast.AugAssign()
            | ast.Subscript()
        ):
            return _OPERATORS
        case _:
            pass
    return _UNKNOWN


def _is_array_function(function: ast.Attribute, call: ast.Call) -> bool:
    """Whether this is a function of JAX's that makes one array: with one argument `where` makes a tuple."""
    module = ast.unparse(function.value)
    if module not in _MODULES or function.attr not in _FUNCTIONS:
        return False
    if function.attr == "where":
        return len(call.args) == 3
    return function.attr != "split" or module.endswith("random")


def _is_at(node: ast.expr) -> bool:
    """`x.at[…]`."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "at"


def _span(node: ast.AST, shift: int) -> Span:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return first + shift, getattr(node, "col_offset", 0), last + shift, getattr(node, "end_col_offset", 0)
