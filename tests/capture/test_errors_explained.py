"""Each of JAX's tracing errors is explained on the user's own line, and the advice works."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import jax
import pytest

import jax_trace_viz
from tests.capture.error_forms import FORMS
from tests.capture.error_forms.unstaged import UNCERTAIN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jax_trace_viz.contract.document import Document
    from tests.capture.error_forms.form import Form

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


@contextlib.contextmanager
def key_checks_restored() -> Iterator[None]:
    before = jax.config.jax_debug_key_reuse
    try:
        yield
    finally:
        jax.config.update("jax_debug_key_reuse", before)


def run(source: str, folder: Path) -> Document:
    """Runs a script under a recording; the document has its error."""
    file = folder / "main.py"
    file.write_text(source, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.suppress(Exception), key_checks_restored(), jax_trace_viz.trace() as session:
        exec(compile(source, str(file), "exec"), names)
    return session.document()


@every_form
def test_says_which_value_was_needed_and_where_it_comes_from(form: Form, tmp_path: Path) -> None:
    source = f"{HEAD}{form.source}\n{form.call}\n"
    document = run(source, tmp_path)
    assert document.faults == []
    (finding,) = document.findings
    assert finding.kind == form.kind
    assert [piece for piece in form.why if piece not in finding.text] == [], finding.text
    assert [piece for piece in form.fix if piece not in (finding.fix or "")] == [], finding.fix
    assert finding.place is not None
    assert source.splitlines()[finding.place.line - 1] == form.line
    assert f"line {finding.place.line}" in finding.text


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("tree.map over other keys", "`a` has the keys b, w, `b` the keys w"),
        ("tree.map over another length", "`a` at `['w']` is a list of 1, `b` one of 2"),
        ("tree.map over None", "`a` at `['w']` is None, `b` an array"),
    ],
)
def test_says_where_two_pytrees_differ(name: str, where: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"arity|lengths") as raised:
        jax.tree.map(lambda a, b: a, {"w": [1.0]}, {"w": [1.0, 2.0]})
    if "at key path" not in str(raised.value):
        pytest.skip("this JAX does not say where")
    form = FORMS[name]
    (finding,) = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path).findings
    assert where in finding.text


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.mended])
def test_the_advice_works(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    lines = f"{HEAD}{form.source}\n{form.call}\n".splitlines()
    place = lines.index(form.line)
    lines[place : place + form.replaces] = [form.mended or ""]
    document = run("\n".join(lines), tmp_path)
    assert document.outcome.status == "ok", document.outcome.message


@pytest.mark.parametrize("name", ["while with a walrus", "while over what is no name", "range that makes a list"])
def test_where_names_do_not_tell_no_form_of_this_code_is_given(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    (finding,) = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path).findings
    assert "lambda" not in (finding.fix or "")
    assert "fori_loop(" not in (finding.fix or "")


@pytest.mark.parametrize("name", ["math.gamma", "axis", "split"])
def test_what_is_no_shape_is_not_told_to_be_one(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    (finding,) = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path).findings
    assert "size" not in (finding.fix or "")
    assert "shape" not in (finding.fix or "")


def test_no_transposed_array_is_advised_where_it_would_not_fit(tmp_path: Path) -> None:
    form = FORMS["inner product"]
    (finding,) = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path).findings
    assert ".T" not in (finding.fix or "")


def test_under_vmap_no_branch_is_said_to_run_alone(tmp_path: Path) -> None:
    form = FORMS["under vmap"]
    (finding,) = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path).findings
    assert "cond" not in (finding.fix or "")


@pytest.mark.parametrize("name", ["rows by a mask", "rows by a slice", "slice from the end", "mask in a tuple"])
def test_where_a_mask_would_be_another_computation_it_is_not_written_out(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    (finding,) = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path).findings
    assert "jnp.where(big" not in (finding.fix or "")
    assert "jnp.arange" not in (finding.fix or "")


def test_a_traced_value_that_python_needs_is_a_variable_of_the_partial_graph(tmp_path: Path) -> None:
    form = FORMS["if"]
    document = run(f"{HEAD}{form.source}\n{form.call}\n", tmp_path)
    (trace,) = document.traces
    (jaxpr,) = [jaxpr for jaxpr in document.jaxprs if jaxpr.id == trace.jaxpr]
    assert jaxpr.needed is not None
    assert jaxpr.types[jaxpr.needed] == "bool[]"
    assert [equation.primitive for equation in jaxpr.equations] == ["mul", "gt"]
    assert jaxpr.needed in jaxpr.equations[-1].outputs


def test_an_error_of_the_users_own_is_left_as_it_is(tmp_path: Path) -> None:
    document = run(f"{HEAD}@jax.jit\ndef f(x):\n    raise ValueError('bad size.')\n\nf(1.0)\n", tmp_path)
    (finding,) = document.findings
    assert finding.text.endswith("ValueError: bad size.")
    assert finding.fix is None


def test_an_error_that_the_program_catches_keeps_no_tracer(tmp_path: Path) -> None:
    form = FORMS["helper"]
    source = f"{HEAD}{form.source}\ntry:\n    {form.call}\nexcept jax.errors.TracerBoolConversionError:\n    pass\n"
    with jax.checking_leaks():
        document = run(source, tmp_path)
    assert document.outcome.status == "ok"
    assert document.findings[0].kind == "tracing_error"


@pytest.mark.parametrize("name", UNCERTAIN)
def test_outside_of_jit_no_way_back_is_told_that_is_not_certain(name: str, tmp_path: Path) -> None:
    body = "".join(f"    {line}\n" for line in UNCERTAIN[name].splitlines())
    source = f"{HEAD}known = jnp.arange(4.0)\ndef choose(a, b):\n    return b\ndef g(x, y, k, known):\n{body}"
    call = "jax.vmap(g, in_axes=(0, 0, None, 0))(jnp.ones((4, 3)), jnp.ones((4, 3)), 1, known)\n"
    (finding,) = run(source + call, tmp_path).findings
    assert "needs the value of `h.sum() > 0`" in finding.text
    assert "argument `x`" not in finding.text
    assert "whole batch" in finding.text


def test_a_parameter_of_another_shape_is_told_by_its_module(tmp_path: Path) -> None:
    pytest.importorskip("flax.linen")
    source = (
        "import flax.linen as nn\n\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n"
        "        return nn.Dense(2)(x)\n\nnet = Net()\nparams = net.init(jax.random.key(0), jnp.ones((1, 3)))\n\n"
        "@jax.jit\ndef f(params, x):\n    return net.apply(params, x)\n\nf(params, jnp.ones((1, 5)))\n"
    )
    (finding,) = run(f"{HEAD}{source}", tmp_path).findings
    assert "`kernel` of `Dense_0` was made for another input: its shape is (3, 2)" in finding.text
    assert "this call needs (5, 2)" in finding.text
    assert "make its parameters anew" in (finding.fix or "")
