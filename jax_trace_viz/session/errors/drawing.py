"""Random numbers of NumPy and of Python: drawn once, while tracing; and the draws of `jax.random` in their place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeGuard

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_DRAWS = {
    *(
        "normal",
        "uniform",
        "randint",
        "integers",
        "random",
        "rand",
        "randn",
        "standard_normal",
        "choice",
        "permutation",
    ),
    *("exponential", "gamma", "beta", "poisson", "binomial", "laplace", "gumbel", "logistic", "shuffle", "lognormal"),
    *("gauss", "normalvariate", "randrange", "betavariate", "expovariate", "sample", "multivariate_normal"),
}
_FIRST = "Draw with `jax.random`, from a key that is an argument"


def is_draw(node: ast.AST | None) -> TypeGuard[ast.Call]:
    """Whether a call draws from NumPy's or Python's generators: `np.random.normal(…)`, `rng.normal(…)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _DRAWS:
        return False
    owner = code(node.func.value)
    return owner in ("random", "np.random", "numpy.random") or "rng" in owner.lower() or "default_rng(" in owner


def of_draw(problem: Problem, call: ast.Call) -> Explanation:
    """A traced value decides how NumPy or Python draw."""
    assert isinstance(call.func, ast.Attribute)
    value = problem.value()
    why = problem.needs(f"`{code(call)}`", value if value else "")
    why = f"{why}. Besides, it would draw once, while tracing, and each call would get the same numbers"
    form = _form(call, call.func.attr)
    return Explanation(why, f"{_FIRST}: `{form}`." if form else f"{_FIRST}.")


def of_seed(problem: Problem) -> Explanation:
    """A traced seed of NumPy's."""
    text = problem.code_or("a generator of NumPy's")
    return Explanation(problem.needs(text), "A key of JAX may have a traced seed: `jax.random.key(…)`.")


def _form(call: ast.Call, name: str) -> str | None:
    """The same draw of `jax.random`, where it is as simple."""
    if any(isinstance(given, ast.Starred) for given in call.args) or any(word.arg is None for word in call.keywords):
        return None
    given = {word.arg: code(word.value) for word in call.keywords if word.arg}
    names = {"normal": ("loc", "scale", "size"), "gauss": ("mu", "sigma"), "uniform": ("low", "high", "size")}
    if name in ("rand", "randn"):
        shape = "".join(f"{code(one)}, " for one in call.args)
        return f"jax.random.{'normal' if name == 'randn' else 'uniform'}(key, ({shape.rstrip() if shape else ''}))"
    if name not in names:
        return None
    given |= dict(zip(names[name], map(code, call.args), strict=False))
    size = f", {_shape(given['size'])}" if "size" in given else ""
    if name == "uniform":
        low, high = given.get("low", "0.0"), given.get("high", "1.0")
        return f"jax.random.uniform(key{size or ', ()'}, minval={low}, maxval={high})"
    loc, scale = given.get("loc", given.get("mu", "0.0")), given.get("scale", given.get("sigma", "1.0"))
    return f"{_operand(loc)} + {_operand(scale)} * jax.random.normal(key{size})"


def _operand(text: str) -> str:
    return text if all(letter.isalnum() or letter in "._" for letter in text) else f"({text})"


def _shape(text: str) -> str:
    return f"({text},)" if text.isdigit() else text
