"""Things that Python does with values and not with traced ones, without an error class of JAX's own."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.forms import traced_form
from jax_trace_viz.session.errors.hashing import TAKES_FUNCTIONS
from jax_trace_viz.session.errors.printing import debug_print
from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
_RETURNED = re.compile(
    r"returned a value of type <class '(?:.*\.)?(?P<type>\w+)'>(?: at output component (?P<path>\S+?),)?"
)

_TRACED = re.compile(r"^(?:\w+ )?[fF]unction (?P<name>[A-Za-z_][\w.]*) at ")


def of_assignment(problem: Problem) -> Explanation:
    """`x[0] = 1.0`."""
    node = problem.node
    why = "arrays of JAX cannot be changed in place"
    general = (
        "`x = x.at[i].set(value)` makes a new array; under `jit` the old one's memory is used for it if it can be."
    )
    if not isinstance(node, ast.Subscript) or not _is_a_place(node.value):
        return Explanation(why, general)
    array, index = code(node.value), code(node.slice)
    statement = problem.site.parent if problem.site else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return Explanation(why, f"`{array} = {array}.at[{index}].set({code(statement.value)})` makes a new array.")
    if isinstance(statement, ast.AugAssign) and type(statement.op) in _METHODS:
        method = _METHODS[type(statement.op)]
        return Explanation(why, f"`{array} = {array}.at[{index}].{method}({code(statement.value)})` makes a new array.")
    return Explanation(why, general)


def of_format(problem: Problem) -> Explanation:
    """A text with a number in a format: an f-string, `format`, `%`."""
    node = problem.node
    parents = (node, *problem.site.parents) if problem.site is not None and node is not None else ()
    text = next((one for one in reversed(parents) if _makes_text(one)), node)
    shown = next((one for one in parents if isinstance(one, ast.Call) and code(one.func) == "print"), text)
    form = (debug_print(shown) or debug_print(text)) if shown is not None and text is not None else None
    who = f"the format in `{code(text)}`" if text is not None else "a format"
    values = [one.value for one in ast.walk(text) if isinstance(one, ast.FormattedValue)] if text is not None else []
    why = problem.needs(who, code(values[0]) if len(values) == 1 else "")
    advice = "Texts are made while tracing. Print when the program runs"
    return Explanation(why, f"{advice}: `{form}`." if form else f"{advice}, with `jax.debug.print`.")


def _makes_text(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Call(func=ast.Name(id="format")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
        case _:
            return False


def of_lookup(problem: Problem) -> Explanation:
    """A traced value as the key of a dict or the member of a set."""
    node = problem.node
    if isinstance(node, ast.Subscript):
        key, table = code(node.slice), code(node.value)
        if isinstance(node.slice, ast.Compare | ast.BoolOp | ast.UnaryOp):
            return Explanation(problem.needs(f"the key of `{table}`", key), f"Choose with `jnp.where({key}, …, …)`.")
        fix = f"Keep the values of `{table}` in an array and index that, or choose with `jax.lax.switch({key}, …)`."
        return Explanation(problem.needs(f"the key of `{table}`", key), fix + problem.or_static)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        table = node.comparators[0]
        if not isinstance(table, ast.Set | ast.Dict | ast.List | ast.Tuple):
            table = ast.Call(ast.Name("list"), [table], [])  # a dict or a set
        form = traced_form(ast.Compare(node.left, node.ops, [table]))
        return Explanation(
            problem.needs(f"`{code(node)}`", code(node.left)),
            f"`{form}` compares with each, if these are numbers.{problem.or_static}",
        )
    who = problem.code_or("a dict or set")
    fix = "Use what is static as a key: shapes, types, Python values."
    if isinstance(node, ast.Call) and node.args and TAKES_FUNCTIONS.fullmatch(code(node.func)):
        function = code(node.args[0])
        why = f"`{code(node.func)}` looks functions up by their hash, and `{function}` holds what is traced"
        return Explanation(why, f"Wrap it: `lambda *args: {function}(*args)` in place of `{function}`.")
    if isinstance(node, ast.Set):
        fix = f"Keep traced values in a list or a tuple: `[{', '.join(map(code, node.elts))}]`."
    return Explanation(problem.needs(who), fix)


def of_repetition(problem: Problem) -> Explanation:
    """`[x] * n`: a list as often as a traced number says."""
    node = problem.node
    fix = "How long a list gets must be known while tracing: make what decides static, or take the greatest length."
    if not isinstance(node, ast.BinOp):
        return Explanation(problem.needs("a list that is repeated"), fix)
    first_is_traced = re.search(r"'\w*Tracer' and", problem.message) is not None
    times, items = (node.left, node.right) if first_is_traced else (node.right, node.left)
    if isinstance(items, ast.List | ast.Tuple):
        fix += f" To multiply each element, make it an array: `jnp.asarray({code(items)}) * {code(times)}`."
    return Explanation(problem.needs(f"`{code(node)}`", code(times)), fix)


def of_result(problem: Problem) -> Explanation:
    """A result that is no array."""
    found = _RETURNED.search(problem.message)
    kind = f"a `{found['type']}`" if found else "something else"
    where = f" at `{found['path']}`" if found and found["path"] else ""
    function = _TRACED.search(problem.message)
    told = f"`{function['name']}`" if function else "the function"
    return Explanation(
        f"{told} returns {kind}{where}, and what is traced gives back arrays and numbers only",
        "Return arrays; give back other things by a function that is not jitted.",
    )


def _is_a_place(node: ast.AST) -> bool:
    """Whether something can be assigned to it again: `x`, `self.x`, `params['w']`."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) and _is_a_place(node.value)
    return isinstance(node, ast.Name | ast.Attribute)
