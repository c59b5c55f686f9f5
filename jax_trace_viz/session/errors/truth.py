"""A traced value where Python needs true or false, and the form of the same code that works on traced values."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.asking import asked_operand, asker, compares_parts, what_is_asked
from jax_trace_viz.session.errors.bound import holds_an_array
from jax_trace_viz.session.errors.branches import chosen, computes_arrays
from jax_trace_viz.session.errors.effects import effects_advice
from jax_trace_viz.session.errors.forms import method_form, traced_form, value_form
from jax_trace_viz.session.errors.loops import while_advice
from jax_trace_viz.session.errors.numbers import asks_for_a_known_number
from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code, enclosing_function
from jax_trace_viz.session.errors.sizes import SIZED, of_sized

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem
    from jax_trace_viz.session.errors.sites import Site

_WITH_TEST = (ast.If, ast.IfExp, ast.While, ast.Assert)
_CHECK = "call `checkify.check` (`jax.experimental.checkify`)"


def of_truth(problem: Problem) -> Explanation:
    """`if`, `while`, `assert`, `and`, `not`, `in`, comparisons in a row, `match`, and builtins that compare."""
    if problem.site is None:
        fix = "Choose by value with `jnp.where` or `jax.lax.cond`; loop with `jax.lax.while_loop`."
        return Explanation(problem.needs("Python"), fix)
    if (matched := _matched(problem)) is not None:
        return matched
    if isinstance(call := problem.site.node, ast.Call) and (name := code(call.func).rpartition(".")[2]) in SIZED:
        return of_sized(problem, call, name)
    test, user = _test(problem.site)
    if user is None and not isinstance(test, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call):
        return Explanation(problem.needs(f"Python, at `{code(test)}`,", code(test)), _value_fix(test, None, problem))
    asked = asked_operand(test, problem)
    fix = _value_fix(test, asked, problem) if user is None else _fix(test, asked, user, problem)
    who = asker(test, asked, user, problem.site.text)
    what = what_is_asked(problem.site.node if asked is None else asked, user, problem)
    why = problem.needs(who, code(test if asked is None else asked), what=what)
    return Explanation(why, fix + _static(problem))


def of_many(problem: Problem) -> Explanation:
    """One truth value is asked of a whole array."""
    test, user = _test(problem.site) if problem.site else (None, None)
    text = code(test) if test is not None else "the array"
    fix = f"Say which is meant, `jnp.all({text})` or `jnp.any({text})`, and choose by it with `jax.lax.cond`"
    if isinstance(user, ast.If | ast.IfExp) and test is not None:
        fix = f"{_chosen(traced_form(test), user, problem)} chooses element by element. {fix}"
    why = f"Python asks for one truth value, and `{text}` has one for each element; it is traced besides"
    return Explanation(f"{why}. {problem.chain}", fix + ".")


def _matched(problem: Problem) -> Explanation | None:
    """`match` compares its subject with one pattern after the other."""
    parents = problem.parents
    case = next((one for one in parents if isinstance(one, ast.match_case)), None)
    match = next((one for one in parents if isinstance(one, ast.Match)), None)
    if case is None or match is None or not isinstance(case.pattern, ast.MatchValue):
        return None
    subject = code(match.subject)
    test = f"{subject} == {code(case.pattern.value)}"
    if problem.origin is not None:  # the source has the pattern only
        problem = replace(problem, origin=replace(problem.origin, name=test, steps=(test, *problem.origin.steps[1:])))
    why = problem.needs(f"`match {subject}`", what=f"the result of `{test}`")
    fix = f"Choose with `jnp.where({test}, …, …)`, or, where the cases count from 0, `jax.lax.switch({subject}, […])`."
    return Explanation(why, fix + _static(problem))


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


def _fix(test: ast.AST, asked: ast.AST | None, user: ast.AST, problem: Problem) -> str:
    text = traced_form(test, asked)
    match user:
        case ast.While():
            return while_advice(user, problem.site)
        case ast.Assert():
            return f"Check before the jitted function is called, or {_CHECK} with `{text}`."
        case ast.comprehension():
            return f"How many elements are kept must not depend on values: use `jnp.where({text}, …, …)`."
        case ast.If() if (advice := effects_advice(text, user)) is not None:
            return advice
        case _:
            return _branches(text, user, problem)


def _branches(text: str, user: ast.AST, problem: Problem) -> str:
    if _is_recursive(user, problem.site):
        return "Under tracing both branches are traced, so the recursion never ends: loop with `jax.lax.while_loop`."
    site = problem.site.of(user) if problem.site is not None else None
    if isinstance(user, ast.IfExp) and (taker := asks_for_a_known_number(site)):
        return f"{taker[0].upper()}{taker[1:]} takes known numbers only: what decides there must be static."
    if not computes_arrays(user):
        return (
            "A traced condition cannot choose between texts, `None` or other objects: only between arrays, with "
            f"`jnp.where({text}, …, …)`. Give back `{text}` itself, and choose by it outside."
        )
    chosen = _chosen(text, user, problem)
    if chosen.startswith("`jax.lax.cond("):
        return f"{chosen} calls the one that is chosen."
    one = "" if problem.is_batched else f"; `jax.lax.cond({text}, …, …)` runs one"  # there it computes both as well
    return f"{chosen} computes both and chooses{one}."


def _static(problem: Problem) -> str:
    if not problem.static_hint or problem.origin is None:
        return ""
    return f" If `{problem.origin.arguments[0]}` has few values, {problem.static_hint} lets Python decide."


def _value_fix(node: ast.AST, asked: ast.AST | None, problem: Problem) -> str:
    text = value_form(node, asked, problem.is_bool)
    if text != code(node):
        return f"Write `{text}`: it works on traced values."
    if isinstance(node, ast.Call):
        return _call_fix(node, problem)
    if isinstance(node, ast.Compare) and compares_parts(node, problem):
        return "Compare the arrays in them one by one, with `jnp.array_equal`, and join the results with `&`."
    return f"Keep the value traced, and choose by it with `jnp.where({text}, …, …)`."


def _call_fix(call: ast.Call, problem: Problem) -> str:
    """A builtin, a method of a list, or a function of a library that asks for the truth."""
    if "filter" in [code(node.func) for node in ast.walk(call) if isinstance(node, ast.Call)]:
        return "How many elements are kept must not depend on values: keep all, and mask them with `jnp.where`."
    if isinstance(call.func, ast.Name) and any(word.arg == "key" for word in call.keywords):
        return "`jnp.argsort`, `jnp.argmax` and `jnp.argmin` of an array of the keys tell which: index by it."
    if isinstance(call.func, ast.Name):
        return "Use what `jax.numpy` has for it: that works on traced values."
    form = method_form(call, problem.site)
    if form is not None:
        return f"Write `{form}`: it works on traced values."
    return f"What `{code(call.func)}` decides by must be known while tracing."


def _chosen(text: str, user: ast.AST, problem: Problem) -> str:
    """The `jnp.where` that does what an `if` does, with its own branches where they are that simple."""
    statement = user if isinstance(user, ast.stmt) else None

    def known(place: str) -> bool:
        return statement is not None and holds_an_array(place, statement, problem)

    found = chosen(text, user, problem.site, known)
    return f"`{found}`" if found is not None else f"`jnp.where({text}, …, …)`"


def _is_recursive(user: ast.AST, site: Site | None) -> bool:
    """Whether a function calls itself, which only the condition can end."""
    function = enclosing_function(site)
    calls = [code(node.func) for node in ast.walk(function or user) if isinstance(node, ast.Call)]
    return function is not None and any(call in (function.name, f"self.{function.name}") for call in calls)
