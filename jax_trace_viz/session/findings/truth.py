"""A traced value where Python needs true or false, and the form of the same code that works on traced values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.findings.asking import asked_operand, asker
from jax_trace_viz.session.findings.forms import traced_form
from jax_trace_viz.session.findings.loops import is_bound_before, while_advice
from jax_trace_viz.session.findings.problems import Explanation
from jax_trace_viz.session.findings.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.findings.problems import Problem
    from jax_trace_viz.session.findings.sites import Site

_WITH_TEST = (ast.If, ast.IfExp, ast.While, ast.Assert)
_NO_ARRAYS = (
    *(ast.Tuple, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.Lambda, ast.JoinedStr, ast.Yield, ast.YieldFrom, ast.Await, ast.Starred),
)
_CHECK = "call `checkify.check` (`jax.experimental.checkify`)"


def of_truth(problem: Problem) -> Explanation:
    """`if`, `while`, `assert`, `and`, `not`, `in`, comparisons in a row, and builtins that compare."""
    if problem.site is None:
        fix = "Choose by value with `jnp.where` or `jax.lax.cond`; loop with `jax.lax.while_loop`."
        return Explanation(problem.needs("Python"), fix)
    test, user = _test(problem.site)
    if user is None and not isinstance(test, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call):
        return Explanation(problem.needs(f"Python, at `{code(test)}`,", code(test)), _value_fix(test))
    asked = asked_operand(test, problem)
    fix = _value_fix(test, asked) if user is None else _fix(test, asked, user, problem)
    who = asker(test, asked, user, problem.site.text)
    why = problem.needs(
        who, code(test if asked is None else asked), what=_what(problem.site.node if asked is None else asked)
    )
    return Explanation(why, fix + _static(problem))


def of_many(problem: Problem) -> Explanation:
    """One truth value is asked of a whole array."""
    test, user = _test(problem.site) if problem.site else (None, None)
    text = code(test) if test is not None else "the array"
    fix = f"Say which is meant, `jnp.all({text})` or `jnp.any({text})`, and choose by it with `jax.lax.cond`"
    if isinstance(user, ast.If | ast.IfExp) and test is not None:
        fix = f"{_chosen(traced_form(test), user, problem.site)} chooses element by element. {fix}"
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


def _fix(test: ast.AST, asked: ast.AST | None, user: ast.AST, problem: Problem) -> str:
    text = traced_form(test, asked)
    if isinstance(user, ast.While):
        return while_advice(user, problem.site)
    if isinstance(user, ast.Assert):
        return f"Check before the jitted function is called, or {_CHECK} with `{text}`."
    if isinstance(user, ast.comprehension):
        return f"How many elements are kept must not depend on values: use `jnp.where({text}, …, …)`."
    if _is_recursive(user, problem.site):
        return "Under tracing both branches are traced, so the recursion never ends: loop with `jax.lax.while_loop`."
    chosen = f"{_chosen(text, user, problem.site)} computes both and chooses"
    if problem.trace is not None and problem.trace.kind == "vmap":  # there `cond` computes both as well
        return f"{chosen}."
    return f"{chosen}; `jax.lax.cond({text}, …, …)` runs one."


def _static(problem: Problem) -> str:
    if not problem.static_hint or problem.origin is None:
        return ""
    return f" If `{problem.origin.arguments[0]}` has few values, {problem.static_hint} lets Python decide."


def _value_fix(node: ast.AST, asked: ast.AST | None = None) -> str:
    text = traced_form(node, asked)
    if text != code(node):
        return f"Write `{text}`: it works on traced values."
    if isinstance(node, ast.Call):
        return "Use what `jax.numpy` has for it: that works on traced values."
    return f"Keep the value traced, and choose by it with `jnp.where({text}, …, …)`."


def _chosen(text: str, user: ast.AST, site: Site | None) -> str:
    """The `jnp.where` that does what an `if` does, with its own branches where they are that simple."""
    branches = ("", user.body, user.orelse) if isinstance(user, ast.IfExp) else None
    if isinstance(user, ast.If):
        branches = _branches(user, site)
    if branches is None or not all(map(_may_be_an_array, branches[1:])):
        return f"`jnp.where({text}, …, …)`"
    before, yes, no = branches
    return f"`{before}jnp.where({text}, {code(yes)}, {code(no)})`"


def _may_be_an_array(value: ast.AST | str) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, bool | int | float | complex)
    return not isinstance(value, _NO_ARRAYS)


def _is_recursive(user: ast.AST, site: Site | None) -> bool:
    """Whether a function calls itself, which only the condition can end."""
    function = next((one for one in site.parents if isinstance(one, ast.FunctionDef)), None) if site else None
    calls = [code(node.func) for node in ast.walk(function or user) if isinstance(node, ast.Call)]
    return function is not None and any(call in (function.name, f"self.{function.name}") for call in calls)


def _branches(statement: ast.If, site: Site | None) -> tuple[str, ast.expr, ast.expr] | None:
    """`return `, or `name = `, and the two values, if the branches do only that."""
    then = statement.body[0] if len(statement.body) == 1 else None
    other = statement.orelse[0] if len(statement.orelse) == 1 else None
    if not statement.orelse:
        other = _following(statement, site)
    if isinstance(then, ast.Return) and isinstance(other, ast.Return) and then.value and other.value:
        return "return ", then.value, other.value
    if isinstance(then, ast.Assign) and len(then.targets) == 1 and isinstance(then.targets[0], ast.Name):
        name = then.targets[0].id
        if not statement.orelse and is_bound_before(name, statement, site):
            return f"{name} = ", then.value, ast.Name(name)
        if isinstance(other, ast.Assign) and code(other.targets[0]) == name and len(other.targets) == 1:
            return f"{name} = ", then.value, other.value
    if isinstance(then, ast.AugAssign) and isinstance(then.target, ast.Name) and not statement.orelse:
        name = then.target.id
        if _may_be_an_array(then.value):
            return f"{name} = ", ast.BinOp(ast.Name(name), then.op, then.value), ast.Name(name)
    return None


def _following(statement: ast.If, site: Site | None) -> ast.AST | None:
    """The statement after this one, in the same block."""
    parent = site.parents[site.parents.index(statement) + 1] if site and statement in site.parents[:-1] else None
    if isinstance(parent, ast.FunctionDef | ast.For | ast.While | ast.With | ast.If) and statement in parent.body:
        place = parent.body.index(statement) + 1
        return parent.body[place] if place < len(parent.body) else None
    return None
