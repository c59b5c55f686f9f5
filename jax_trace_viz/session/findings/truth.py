"""A traced value where Python needs true or false, and the form of the same code that works on traced values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.findings.problems import Explanation
from jax_trace_viz.session.findings.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.findings.problems import Problem
    from jax_trace_viz.session.findings.sites import Site

_ON_ARRAYS = {"any": "jnp.any", "all": "jnp.all", "sum": "jnp.sum"}
_OF_TWO = {"max": "jnp.maximum", "min": "jnp.minimum"}
_WITH_TEST = (ast.If, ast.IfExp, ast.While, ast.Assert)
_WORDS: dict[type, str] = {
    ast.If: "`if`",
    ast.IfExp: "`… if … else …`",
    ast.While: "`while`",
    ast.Assert: "`assert`",
    ast.comprehension: "the `if` of a comprehension",
}
_MODULES = {"jax", "jnp", "np", "lax"}
_CHECK = "call `checkify.check` (`jax.experimental.checkify`)"


def of_truth(problem: Problem) -> Explanation:
    """`if`, `while`, `assert`, `and`, `not`, `in`, comparisons in a row, and builtins that compare."""
    if problem.site is None:
        fix = "Choose by value with `jnp.where` or `jax.lax.cond`; loop with `jax.lax.while_loop`."
        return Explanation(problem.needs("Python"), fix)
    test, user = _test(problem.site)
    if user is None and not isinstance(test, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call):
        return Explanation(problem.needs(f"Python, at `{code(test)}`,", code(test)), _value_fix(test))
    fix = _value_fix(test) if user is None else _fix(test, user, problem)
    what = _what(problem.site.node)
    return Explanation(problem.needs(_who(test, user, problem.site), code(test), what=what), fix + _static(problem))


def of_many(problem: Problem) -> Explanation:
    """One truth value is asked of a whole array."""
    test, user = _test(problem.site) if problem.site else (None, None)
    text = code(test) if test is not None else "the array"
    fix = f"Say which is meant, `jnp.all({text})` or `jnp.any({text})`, and choose by it with `jax.lax.cond`"
    if isinstance(user, ast.If | ast.IfExp) and test is not None:
        fix = f"{_chosen(test, user, problem.site)} chooses element by element. {fix}"
    why = f"Python asks for one truth value, and `{text}` has one for each element; it is traced besides"
    return Explanation(f"{why}. {problem.chain}", fix + ".")


def _test(site: Site) -> tuple[ast.AST, ast.AST | None]:
    """The whole condition that an expression is a part of, and the statement or expression that it decides."""
    node, user = site.node, None
    if isinstance(node, _WITH_TEST):  # before Python 3.12 a condition may have its statement's place
        return node.test, node
    for parent in site.parents:
        if _decides(node, parent):
            user = parent
        elif isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)):
            node = parent
            continue
        break
    return node, user


def _decides(test: ast.AST, user: ast.AST) -> bool:
    if isinstance(user, _WITH_TEST):
        return user.test is test
    return isinstance(user, ast.comprehension) and test in user.ifs


def _what(node: ast.AST) -> str | None:
    """Which value is needed, where it is one that has no expression of its own."""
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return "the value of each of its parts"
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        return "the result of each comparison"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return {"any": "the value of each element", "all": "the value of each element", "bool": None}.get(
            node.func.id, "the result of a comparison"
        )
    return None


def _who(test: ast.AST, user: ast.AST | None, site: Site) -> str:
    if isinstance(test, ast.BoolOp):
        return f"`{'and' if isinstance(test.op, ast.And) else 'or'}` in `{code(test)}`"
    if isinstance(test, ast.UnaryOp):
        return f"`{code(test)}`"
    if isinstance(test, ast.Compare) and len(test.ops) > 1:
        return f"`{code(test)}`"
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In | ast.NotIn):
        return f"`{code(test)}`"
    if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Name) and user is None:
        return f"`{site.text}`"
    return _WORDS.get(type(user), f"Python, at `{site.text}`,")


def _fix(test: ast.AST, user: ast.AST, problem: Problem) -> str:
    text = traced_form(test)
    if isinstance(user, ast.While):
        carry = problem.origin.arguments[0] if problem.origin and problem.origin.arguments else "state"
        return f"Use `jax.lax.while_loop(lambda {_variable(test, carry)}: {text}, body, …)`; its body is traced once."
    if isinstance(user, ast.Assert):
        return f"Check before the jitted function is called, or {_CHECK} with `{text}`."
    if isinstance(user, ast.comprehension):
        return f"How many elements are kept must not depend on values: use `jnp.where({text}, …, …)`."
    return f"{_chosen(test, user, problem.site)} computes both and chooses; `jax.lax.cond({text}, …, …)` runs one."


def _static(problem: Problem) -> str:
    if not problem.static_hint or problem.origin is None:
        return ""
    return f" If `{problem.origin.arguments[0]}` has few values, {problem.static_hint} lets Python decide."


def _value_fix(node: ast.AST) -> str:
    text = traced_form(node)
    if text != code(node):
        return f"Write `{text}`: it works on traced values."
    return f"Keep the value traced, and choose by it with `jnp.where({text}, …, …)`."


def _chosen(test: ast.AST, user: ast.AST, site: Site | None) -> str:
    """The `jnp.where` that does what an `if` does, with its own branches where they are that simple."""
    text = traced_form(test)
    if isinstance(user, ast.IfExp):
        return f"`jnp.where({text}, {code(user.body)}, {code(user.orelse)})`"
    branches = _branches(user, site) if isinstance(user, ast.If) else None
    if branches is None:
        return f"`jnp.where({text}, …, …)`"
    before, yes, no = branches
    return f"`{before}jnp.where({text}, {yes}, {no})`"


def _branches(statement: ast.If, site: Site | None) -> tuple[str, str, str] | None:
    """`return `, or `name = `, and the two values, if the branches do only that."""
    then = statement.body[0] if len(statement.body) == 1 else None
    other = statement.orelse[0] if len(statement.orelse) == 1 else None
    if not statement.orelse:
        other = _following(statement, site)
    if isinstance(then, ast.Return) and isinstance(other, ast.Return) and then.value and other.value:
        return "return ", code(then.value), code(other.value)
    if isinstance(then, ast.Assign) and len(then.targets) == 1 and isinstance(then.targets[0], ast.Name):
        name = then.targets[0].id
        if not statement.orelse:
            return f"{name} = ", code(then.value), name
        if isinstance(other, ast.Assign) and code(other.targets[0]) == name and len(other.targets) == 1:
            return f"{name} = ", code(then.value), code(other.value)
    if isinstance(then, ast.AugAssign) and isinstance(then.target, ast.Name) and not statement.orelse:
        name = then.target.id
        return f"{name} = ", code(ast.BinOp(ast.Name(name), then.op, then.value)), name
    return None


def _following(statement: ast.If, site: Site | None) -> ast.AST | None:
    """The statement after this one, in the same block."""
    parent = site.parents[site.parents.index(statement) + 1] if site and statement in site.parents[:-1] else None
    if isinstance(parent, ast.FunctionDef | ast.For | ast.While | ast.With | ast.If) and statement in parent.body:
        place = parent.body.index(statement) + 1
        return parent.body[place] if place < len(parent.body) else None
    return None


def _variable(test: ast.AST, otherwise: str) -> str:
    names = [node.id for node in ast.walk(test) if isinstance(node, ast.Name) and node.id not in _MODULES]
    return names[0] if names else otherwise


def traced_form(node: ast.AST) -> str:
    """The same condition with what works on traced values: `(x > 0) & (x < 3)` for `0 < x < 3`."""
    if isinstance(node, ast.BoolOp):
        name = "jnp.logical_and" if isinstance(node.op, ast.And) else "jnp.logical_or"
        text = traced_form(node.values[0])
        for part in node.values[1:]:
            text = f"{name}({text}, {traced_form(part)})"
        return text
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"jnp.logical_not({traced_form(node.operand)})"
    if isinstance(node, ast.Compare):
        return _comparison(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _builtin(node, node.func.id)
    return code(node)


def _comparison(node: ast.Compare) -> str:
    if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        text = f"jnp.isin({code(node.left)}, jnp.asarray({code(node.comparators[0])}))"
        return text if isinstance(node.ops[0], ast.In) else f"~{text}"
    if len(node.ops) == 1:
        return code(node)
    operands = [node.left, *node.comparators]
    pairs = zip(operands, node.ops, operands[1:], strict=False)
    return " & ".join(f"({code(ast.Compare(left, [op], [right]))})" for left, op, right in pairs)


def _builtin(node: ast.Call, name: str) -> str:
    given = [code(argument) for argument in node.args]
    if name in _ON_ARRAYS and len(given) == 1:
        return f"{_ON_ARRAYS[name]}({given[0]})"
    if name in _OF_TWO and len(given) == 2:
        return f"{_OF_TWO[name]}({given[0]}, {given[1]})"
    if name == "sorted" and len(given) == 1:
        return f"jnp.sort(jnp.asarray({given[0]}))"
    if name == "bool" and len(given) == 1:
        return traced_form(node.args[0])
    return code(node)
