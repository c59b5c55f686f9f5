"""What an operation asks of its arrays besides shapes that can be brought together: sizes, axes, dtypes."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.shapes import numbers, operands
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

FEATURES = re.compile(
    r"conv_general_dilated lhs feature dimension size(?s:.*?)but (?P<input>\d+) // (?P<groups>\d+) != (?P<kernel>\d+)"
)
CORE = re.compile(
    r"inconsistent size for core dimension '(?P<name>\w+)': (?P<one>\d+) vs (?P<other>\d+)"
    r".*signature='(?P<signature>[^']*)'"
)
SQUARE = re.compile(
    r"Argument to (?P<name>[\w.]+)(?:\(\))? must have shape \[\.\.\., n, n\].*got (?P<shape>\([^()]*\))"
)
AXIS = re.compile(r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<axes>\d+)")
FEWER_AXES = re.compile(
    r"Cannot broadcast to shape with fewer dimensions(?s:.*?)arr_shape=(?P<has>\([^()]*\)) shape=(?P<wanted>\([^()]*\))"
)
DTYPES = re.compile(r"Input dtypes \((?P<dtypes>[^()]*)\) .*no available implicit dtype promotion path when .*=strict")
SAME_DTYPES = re.compile(r"lax\.(?P<name>\w+) requires arguments to have the same dtypes, got (?P<dtypes>[\w, ]+)")
RANKS = re.compile(
    r"Operands could not be broadcast together .*on shapes (?P<shapes>(?:\([^()]*\) ?)+)and"
    r".* jax_numpy_rank_promotion='raise'"
)
PARAMETER = re.compile(
    r'For parameter "(?P<name>[^"]*)" in "(?P<module>[^"]*)", the given initializer is expected to'
    r".*generate shape (?P<wanted>\([^()]*\)).*"
    r"received has shape (?P<has>\([^()]*\))"
)


def of_features(problem: Problem, found: re.Match[str]) -> Explanation:
    """A convolution whose kernel is for another number of features."""
    groups = int(found["groups"])
    parts = f" in {groups} groups" if groups > 1 else ""
    kernel = f"{found['kernel']}{' in each' if groups > 1 else ''}"
    what = problem.code_or("the convolution")
    why = f"{what} has an input of {count_text(int(found['input']), 'feature')}{parts}, and a kernel for {kernel}"
    return Explanation(
        f"{why}{_told(problem)}",
        "JAX takes axis 1 of both for the features, unless `dimension_numbers` of `jax.lax.conv_general_dilated` says "
        "which axes they are.",
    )


def of_core(problem: Problem, found: re.Match[str]) -> Explanation:
    """A function of vectors or matrices whose sizes do not fit, as `jnp.linalg.solve`."""
    what = problem.code_or("the call")
    both = " and ".join(sorted((found["one"], found["other"]), key=int))
    takes = found["signature"].partition("->")[0]
    why = f"{what} takes arrays that end in {takes}: `{found['name']}` stands for one size, and here for {both}"
    return Explanation(f"{why}{_told(problem)}", "Axes with one letter must be equally long.")


def of_square(problem: Problem, found: re.Match[str]) -> Explanation:
    """A matrix that has to be square."""
    what = problem.code_or(f"`{found['name']}`")
    sizes = numbers(found["shape"])[-2:]
    given = f"here they are {' and '.join(map(str, sizes))}" if len(sizes) == 2 else f"the shape is {found['shape']}"
    why = f"{what} takes square matrices: the last two axes must be equally long, and {given}"
    return Explanation(f"{why}{_told(problem)}", "Give it square ones. `jnp.linalg.svd` and `pinv` take others too.")


def of_axis(problem: Problem, found: re.Match[str]) -> Explanation:
    """An axis that an array has not."""
    axes = int(found["axes"])
    has = f"has {count_text(axes, 'axis', 'axes')}" if axes else "is a number and has none"
    what = problem.code_or("the call")
    adds_one = isinstance(problem.node, ast.Call) and code(problem.node.func).endswith("expand_dims")
    whose = "a result that" if adds_one else "what"  # the axis that is added counts
    why = f"{what} names axis {found['axis']} of {whose} {has}{_told(problem)}"
    if not axes:
        return Explanation(why, "Give it an array with that axis.")
    own = f"Its axes are 0 to {axes - 1}; -1 is the last one" if axes > 1 else "Its only axis is 0, which is -1 too"
    return Explanation(why, f"{own}.")


def of_fewer_axes(problem: Problem, found: re.Match[str]) -> Explanation:
    """An array that is to be brought to a shape with fewer axes, as what is stored in one place of another."""
    what = problem.code_or("the call")
    why = f"{what} asks for the shape {found['wanted']}, and is given {found['has']}, which has more axes"
    return Explanation(why, "JAX repeats along new axes, and takes none away: index, sum or `reshape` it first.")


def of_dtypes(problem: Problem, found: re.Match[str]) -> Explanation:
    """Two dtypes where JAX is told to convert none."""
    dtypes = " and ".join(re.findall(r"'([^']*)'", found["dtypes"]))
    what = problem.code_or("the operation")
    why = f"{what} is given {dtypes}, and under `jax_numpy_dtype_promotion='strict'` JAX converts no dtype"
    return Explanation(f"{why}{_told(problem)}", _convert(problem))


def of_same_dtypes(problem: Problem, found: re.Match[str]) -> Explanation:
    """Two dtypes for an operation of `jax.lax`."""
    name = found["name"]
    dtypes = " and ".join(found["dtypes"].split(", "))
    why = f"{problem.code_or(f'`lax.{name}`')} is given {dtypes}, and `jax.lax` converts no dtype"
    return Explanation(f"{why}{_told(problem)}", f"`jnp.{name}` converts them. {_convert(problem)}")


def of_ranks(problem: Problem, found: re.Match[str]) -> Explanation:
    """Arrays with different numbers of axes where JAX is told to add none."""
    shapes = " and ".join(re.findall(r"\([^()]*\)", found["shapes"]))
    what = problem.code_or("the operation")
    why = f"{what} is given {shapes}, and under `jax_numpy_rank_promotion='raise'` JAX adds no axis"
    return Explanation(f"{why}{_told(problem)}", "Add the axis where it is missing: `jnp.expand_dims`, or `[None, :]`.")


def of_parameter(problem: Problem, found: re.Match[str]) -> Explanation:
    """A parameter of Flax's that was made for another input."""
    module = found["module"].strip("/")
    of = f" of `{module}`" if module else ""
    why = (
        f"the parameter `{found['name']}`{of} was made for another input: its shape is {found['has']}, "
        f"and this call needs {found['wanted']}"
    )
    return Explanation(why, "Call it with arrays like those it was initialised with, or make its parameters anew.")


def _convert(problem: Problem) -> str:
    given = operands(problem)
    names = [text for text, _ in given if text.isidentifier()]
    form = f": `{names[1]}.astype({names[0]}.dtype)`" if len(given) == len(names) == 2 else ", with `astype`"
    return f"Convert one by hand{form}."


def _told(problem: Problem) -> str:
    """The operands whose types are known, as the end of a sentence."""
    told = " and ".join(f"`{text}` is {type}" for text, type in operands(problem) if type)
    return f": {told}" if told else ""
