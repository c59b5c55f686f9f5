"""`assert_max_traces`: what passes, what fails, and what the failure says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

from jax_trace_viz.testing import assert_max_traces

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def double() -> Callable[[Any], Any]:
    @jax.jit
    def double(x):
        return x * 2

    return double


def test_as_many_as_allowed_pass_and_the_session_can_be_read(double: Callable[[Any], Any]) -> None:
    with assert_max_traces(2) as session:
        double(jnp.ones(3))
        double(jnp.ones(4))
        double(jnp.ones(4))
    assert [trace.reasons[0].kind for trace in session.traces] == ["first_call", "new_shape"]


def test_more_fail_and_the_message_names_the_argument(double: Callable[[Any], Any]) -> None:
    @assert_max_traces(1)
    def check() -> None:
        double(jnp.ones(3))
        double(jnp.ones(4))

    with pytest.raises(AssertionError, match=r"double was traced 2 times, and should be at most 1 time") as raised:
        check()
    assert "f32[3]" in str(raised.value)
    assert "f32[4]" in str(raised.value)


def test_nothing_is_traced_once_all_is_cached(double: Callable[[Any], Any]) -> None:
    double(jnp.ones(3))
    with assert_max_traces(0):
        double(jnp.ones(3))
    with pytest.raises(AssertionError, match="not at all"), assert_max_traces(0):
        double(jnp.ones(5))


def test_only_the_named_function_counts(double: Callable[[Any], Any]) -> None:
    def plain(x):
        return x + 1

    with assert_max_traces(1, "double"):
        double(1.0)
        for n in range(1, 4):
            jax.jit(plain)(jnp.ones(n))


def test_a_name_that_nothing_has_is_no_pass(double: Callable[[Any], Any]) -> None:
    with pytest.raises(LookupError, match="dubble was neither called nor traced"), assert_max_traces(1, "dubble"):
        double(1.0)


def test_a_failure_of_the_block_itself_comes_through(double: Callable[[Any], Any]) -> None:
    @assert_max_traces(0)
    def check() -> None:
        double(1.0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        check()


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"), assert_max_traces(-1):
        pass


def test_a_function_whose_body_runs_later_is_refused() -> None:
    async def later() -> None: ...

    def piecewise():
        yield

    for func in (later, piecewise):
        with pytest.raises(TypeError, match="returns before its body runs"):
            assert_max_traces(1)(func)


def test_what_cannot_be_seen_is_not_called_uncalled(double: Callable[[Any], Any]) -> None:
    with (
        pytest.raises(LookupError, match=r"with jax\.disable_jit"),
        assert_max_traces(1, "double"),
        jax.disable_jit(),
    ):
        double(1.0)


@pytest.mark.parametrize("most", ["a", 1.5, None])
def test_what_is_no_number_of_traces_is_refused(most: Any) -> None:
    with pytest.raises(TypeError, match=f"most must be a whole number of traces, not {most!r}"):
        assert_max_traces(most)
