"""Transformations that do not fit the function or the arguments they are given: `vmap`, `grad`, static arguments."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code, first_argument
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_AXIS = re.compile(
    r"had size (?P<size>\d+)(?::|, e\.g\.) axis (?P<axis>-?\d+) of (?P<of>.+?)(?: of type (?P<type>\S+?))?[;\n.]"
)
_RANK = re.compile(r"along axis (?P<axis>-?\d+).*its shape is (?P<shape>\(.*?\))\)", re.DOTALL)
_ENTRIES = re.compile(r"len\(in_axes\)=(?P<axes>\d+), len\(args\)=(?P<args>\d+)")
_OUTPUT = re.compile(r"Output (?:had shape: (?P<shape>\(.*?\))|was (?P<value>.*))", re.DOTALL)
_DTYPE = re.compile(r"^(?P<name>\w+) requires .* but got (?P<dtype>\w+)\.", re.DOTALL)
_NO_TYPE = re.compile(r"of type <class '(?:[\w.]*\.)?(?P<type>\w+)'> is not a valid JAX type")
STATIC_NUMBERS = re.compile(
    r"Jitted function has (?P<word>\w+)=(?P<numbers>.+?), but only accepts (?P<count>\d+) positional"
)
STATIC_NAMES = re.compile(r"Jitted function has invalid argnames (?P<names>\{.*?\}) in (?P<word>\w+)")
_IN_AXES = "`in_axes` says for each argument which axis is mapped, and `None` for one that is the same for all"


def of_vmap(problem: Problem) -> Explanation:
    """Arguments whose mapped axes are not there, or are not equally long, and `in_axes` of another form."""
    called, _, given = _transformed(problem, {"vmap"})
    numbers = ["None" if isinstance(one, ast.Constant) else "0" for one in given]
    example = f": `in_axes=({', '.join(numbers)})`" if "None" in numbers and len(numbers) > 1 else ""
    if found := list(_AXIS.finditer(f"{problem.message}\n")):
        axes = [f"{_argument(one['of'])} has {one['size']} along axis {one['axis']}" for one in found]
        why = f"the mapped axes of {called} must be equally long: {', '.join(axes)}"
        return Explanation(why, f"{_IN_AXES}{example}. Else make them equally long.")
    if rank := _RANK.search(problem.message):
        axis, shape = rank["axis"], rank["shape"]
        why = f"{called} maps axis {axis} of each argument, and one has no such axis: its shape is {shape}"
        return Explanation(why, f"{_IN_AXES}{example}.")
    if entries := _ENTRIES.search(problem.message):
        count = count_text(int(entries["axes"]), "entry", "entries")
        why = f"`in_axes` of {called} has {count}, and the call {entries['args']} arguments"
        return Explanation(why, f"{_IN_AXES}: one entry for each, or one number for all.")
    if "at least one non-None" in problem.message:
        return Explanation(f"{called} maps no axis at all: all `in_axes` are `None`", f"{_IN_AXES}.")
    why = f"`in_axes` of {called} has another structure than the arguments"
    return Explanation(why, "Give one number for a whole argument, or containers with the same keys and lengths.")


def of_gradient(problem: Problem) -> Explanation:
    """The derivative of what is not one number."""
    called, function, _ = _transformed(problem, {"grad", "value_and_grad"})
    found = _OUTPUT.search(problem.message)
    value = (found["value"] or "") if found else ""
    if value.startswith(("(", "[", "{")):
        why = f"{called} differentiates one number, and {function} gives back a container"
        fix = f"If it is one number and other results besides: `{_with_option(problem, 'has_aux=True')}`."
        return Explanation(why, fix)
    shape = f" of shape {found['shape']}" if found and found["shape"] else ""
    why = f"{called} differentiates one number, and {function} gives back an array{shape}"
    name = function.strip("`")
    each = f" For each element, `jax.vmap(jax.grad({name}))`; for all derivatives, `jax.jacobian({name})`."
    return Explanation(why, f"Reduce it in the function, with `jnp.sum(…)` or `jnp.mean(…)`.{each}")


def of_whole_number(problem: Problem) -> Explanation:
    """The derivative by a whole number."""
    called, _, given = _transformed(problem, {"grad", "value_and_grad", "jacfwd", "jacrev", "hessian"})
    found = _DTYPE.search(problem.message)
    dtype = f" ({found['dtype']})" if found else ""
    why = f"{called} differentiates by numbers with a fraction, and is given whole ones{dtype}"
    whole = [one for one in given if isinstance(one, ast.Constant) and type(one.value) is int]
    if len(whole) == 1:
        return Explanation(why, f"Pass `{float(ast.literal_eval(whole[0]))}` in place of `{code(whole[0])}`.")
    return Explanation(why, "Pass it as `….astype(float)`, or choose by `argnums` what to differentiate by.")


def of_no_number(problem: Problem) -> Explanation:
    """A transformation of a function is given what is no array."""
    called, _, _ = _transformed(problem)
    found = _NO_TYPE.search(problem.message)
    kind = f"a `{found['type']}`" if found else "something else"
    why = f"{called} takes arrays and numbers, and is given {kind}"
    return Explanation(why, "Bind it before, with `functools.partial` or a lambda, or leave it out of `argnums`.")


def of_static_numbers(problem: Problem, found: re.Match[str]) -> Explanation:
    """`static_argnums` and `donate_argnums` that the function does not have."""
    word, count = found["word"], int(found["count"])
    why = f"`{word}={found['numbers']}` names a position that {_jitted(problem)} does not have: it takes {count}"
    return Explanation(why, f"Positions count from 0, so the last one is {count - 1}; or give names.")


def of_static_names(problem: Problem, found: re.Match[str]) -> Explanation:
    """`static_argnames` and `donate_argnames` that the function does not have."""
    return Explanation(
        f"`{found['word']}` names what {_jitted(problem)} has no parameter for: {found['names']}",
        "Give the names as they stand in the function's definition.",
    )


def _jitted(problem: Problem) -> str:
    """The function that is given to `jax.jit`."""
    function = first_argument(problem.node)
    return f"`{function}`" if function.isidentifier() else "the function"


def _transformed(problem: Problem, names: frozenset[str] | set[str] = frozenset()) -> tuple[str, str, list[ast.expr]]:
    """What is called, which function it transforms, and what it is given, as the source has it.

    Of several around each other, as `jax.jit(jax.grad(f))`, it is the outermost with one of these names.
    """
    node = problem.node
    if not isinstance(node, ast.Call):
        return "the transformation", "the function", []
    made = _named(node.func, names) or node.func
    if isinstance(made, ast.Call) and made.args:
        inner = made.args[0]
        return f"`{code(made)}`", f"`{code(inner)}`", node.args
    return f"`{code(made)}`", "its function", node.args


def _named(made: ast.expr, names: frozenset[str] | set[str]) -> ast.Call | None:
    """The outermost of several transformations around each other that has one of these names."""
    while isinstance(made, ast.Call) and made.args:
        if code(made.func).rpartition(".")[2] in names:
            return made
        made = made.args[0]
    return None


def _with_option(problem: Problem, option: str) -> str:
    node = problem.node
    made = _named(node.func, {"grad", "value_and_grad"}) if isinstance(node, ast.Call) else None
    if made is None:
        return option
    return f"{code(made.func)}({', '.join([*map(code, made.args), *map(_word, made.keywords), option])})"


def _word(word: ast.keyword) -> str:
    return f"{word.arg}={code(word.value)}" if word.arg else f"**{code(word.value)}"


def _argument(text: str) -> str:
    """JAX's `argument a`, `argument params['w']`, `args[0]`."""
    name = text.removeprefix("argument ")
    return f"`{name}`"
