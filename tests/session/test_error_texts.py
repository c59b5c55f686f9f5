"""What is said of an error stays sensible where the source is odd."""

from __future__ import annotations

import ast

import pytest

from jax_trace_viz.session.errors.explaining import explain
from jax_trace_viz.session.errors.problems import Problem
from jax_trace_viz.session.errors.sites import code, located
from jax_trace_viz.session.errors.truth import traced_form
from jax_trace_viz.session.evidence import Evidence

CARRY = (
    "scan body function carry input and carry output must have equal types, but they differ:\n\n"
    "The input carry component state[1] has type int32[] but the corresponding output carry component has type "
    "float32[], so the dtypes do not match.\n"
)


def explained(problem: Problem) -> str:
    told = explain(problem, Evidence())
    assert told is not None
    return f"{told[1].why}. {told[1].fix}"


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("a and b or c", "jnp.logical_or(jnp.logical_and(a, b), c)"),
        ("not a", "jnp.logical_not(a)"),
        ("a < b <= c", "(a < b) & (b <= c)"),
        ("x not in items", "~jnp.isin(x, jnp.asarray(items))"),
        ("min(a, b)", "jnp.minimum(a, b)"),
        ("all(v)", "jnp.all(jnp.asarray(v))"),
        ("any(z > 0 for z in v)", "jnp.any(jnp.asarray([z > 0 for z in v]))"),
        ("any(d.values())", "jnp.any(jnp.asarray(list(d.values())))"),
        ("x in {1, 2}", "jnp.isin(x, jnp.asarray([1, 2]))"),
        ("max(a, b, c)", "jnp.maximum(jnp.maximum(a, b), c)"),
        ("max(v)", "jnp.max(jnp.asarray(v))"),
        ("max(*v)", "max(*v)"),
        ("bool(a and b)", "jnp.logical_and(a, b)"),
        ("max(a, key=f)", "max(a, key=f)"),
        ("a > 1", "a > 1"),
    ],
)
def test_conditions_have_a_form_for_traced_values(source: str, form: str) -> None:
    assert traced_form(ast.parse(source, mode="eval").body) == form


def test_a_part_of_a_state_is_named() -> None:
    site = located("jax.lax.scan(step, init, xs)")
    text = explained(Problem("TypeError", CARRY, site))
    assert "`step` is given `state[1]` i32[] and returns f32[]" in text
    assert "`state[1]` as `jnp.float32`" in text


@pytest.mark.parametrize("site", [None, "f(x)", "x", "lambda: 0", "(yield)", "f'{x}'", "a[1:2, b]", "[i for i in x]"])
@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("TracerBoolConversionError", ""),
        ("TracerIntegerConversionError", ""),
        ("TracerArrayConversionError", ""),
        ("ConcretizationTypeError", ""),
        ("NonConcreteBooleanIndexError", ""),
        ("KeyReuseError", "index 7"),
        ("TypeError", "Shapes must be 1D sequences of concrete values of integer type, got x"),
        ("IndexError", "Slice entries must be static integers. Got x"),
        ("TypeError", "JAX arrays are immutable and so on"),
        ("TypeError", "unsupported format string passed to DynamicJaxprTracer.__format__"),
        ("TypeError", "unhashable type: 'DynamicJaxprTracer'"),
        ("TypeError", CARRY),
        (
            "TypeError",
            "switch branches must have equal output types but they differ.\n\nThe output of branch 0 has "
            "type f32[] but the corresponding output of branch9 has type i32[], so the dtypes do not match.",
        ),
        ("TypeError", "cond branch outputs must have the same pytree structure, but they differ:"),
        ("TypeError", "Pred must be a scalar, got x"),
        ("ValueError", "Non-hashable static arguments are not supported."),
        ("RuntimeError", "Array has been deleted with shape=float32[4]."),
    ],
)
def test_every_error_is_explained_whatever_stands_there(type: str, message: str, site: str | None) -> None:
    text = explained(Problem(type, message, located(site)))
    assert "None" not in text
    assert "``" not in text


def test_what_cannot_be_written_out_is_cut_short() -> None:
    assert code(ast.Constant(10**5000)) == "…"
    assert len(code(ast.parse("+".join("x" * 200), mode="eval"))) == 80


def test_an_empty_session_has_no_errors() -> None:
    assert Evidence().failed == []
    assert located(None) is None
    assert located("x = =") is None
