"""Functions whose result has as many elements as values decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code, first_argument

if TYPE_CHECKING:
    import ast

    from jax_trace_viz.session.errors.problems import Problem

SIZED = {
    *("nonzero", "flatnonzero", "argwhere", "unique", "where", "union1d", "intersect1d", "setdiff1d", "bincount"),
    *("unique_values", "unique_counts", "unique_inverse", "unique_all", "compress", "extract"),
}
"""Those of `jax.numpy` that take the size as an argument."""
_BY_MASK = {"compress", "extract", "where", "nonzero"}


def of_sized(problem: Problem, call: ast.Call, name: str) -> Explanation:
    """A call of one of them; `name` is the function's.

    `where` with three arguments is none of them.
    """
    given = ", ".join(map(code, call.args))
    sized = f"jnp.{'nonzero' if name == 'where' else name}({given}, {'length' if name == 'bincount' else 'size'}=…)"
    mask = first_argument(call)
    choose = f" To choose by the mask, `jnp.where({mask}, …, …)` needs no size." if name in _BY_MASK else ""
    why = f"how many elements `{code(call)}` has depends on values, and shapes must be known while tracing"
    return Explanation(f"{why}. {problem.chain}", f"Say how many there are at most: `{sized}`.{choose}")
