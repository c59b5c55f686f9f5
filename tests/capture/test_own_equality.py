"""Static values whose own `__eq__` and `__hash__` say what JAX's cache holds equal."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded

X = jnp.ones(3)
PATH = "cfg.__hash__"


class Config:
    """Equal by content."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)


class HashedByObject(Config):
    """Equal by content, but each with a hash of its own: not every JAX looks at it."""

    def __hash__(self) -> int:
        return id(self)


class EqualToItself(Config):
    """Hashed by content, but equal to nothing else."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash(self.n)


def make():
    @functools.partial(jax.jit, static_argnums=0)
    def f(cfg, x):
        return x * cfg.n

    return f


@pytest.mark.parametrize("kind", [HashedByObject, EqualToItself])
def test_equals_that_say_they_are_not_are_no_riddle(kind: type[Config]) -> None:
    f = make()
    kept = [kind(2), kind(2), kind(3)]
    with recorded() as told:
        for config in kept:
            f(config, X)
    *apart, last = told.traces("f")[1:]
    assert [(r.kind, r.path, r.before, r.after) for r in last.reasons] == [("new_static_value", "cfg.n", "2", "3")]
    for trace in apart:
        (reason,) = trace.reasons
        assert (reason.kind, reason.path) == ("new_static_value", PATH)
        assert reason.after == f"another {kind.__name__} object, not equal to it by its own __eq__ or __hash__"
    assert len(apart) == 1 or kind is HashedByObject
    assert [finding.kind for finding in told.document.findings] == ["varying_static"] * len(apart)


def test_equal_content_is_not_blamed_where_caches_were_cleared() -> None:
    f = make()
    with recorded() as told:
        f(Config(2), X)
        jax.clear_caches()
        f(Config(2), X)
    assert [reason.kind for reason in told.traces("f")[1].reasons] == ["cache_cleared"]


def test_an_object_that_was_changed_in_the_cache_is_told() -> None:
    f = make()
    config = Config(1)
    with recorded() as told:
        f(config, X)
        config.n = 2
        f(config, X)
        f(Config(1), X)
    traces = told.traces("f")
    (reason,) = traces[-1].reasons
    if len(traces) == 3:  # this JAX looks at the hash, and traced the changed object again
        assert [(r.path, r.before, r.after) for r in traces[1].reasons] == [("cfg.n", "1", "2")]
        assert (reason.path, reason.before) == ("cfg", "Config object, changed after it was traced")
        assert traces[-1].compared_with == traces[0].id
    else:
        assert reason.path == PATH
    (finding,) = [one for one in told.document.findings if one.kind == "varying_static" and "cfg" in one.text]
    assert "never change an object" in (finding.fix or "") or len(traces) == 3


class Solver:
    """Compared by its tolerance alone, through a method; counts its calls."""

    def __init__(self, tol: float) -> None:
        self.tol, self.calls = tol, 0

    def key(self) -> tuple[float]:
        return (self.tol,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solver) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    @functools.partial(jax.jit, static_argnums=0)
    def solve(self, x):
        self.calls += 1
        return x * self.tol


class AllOf(Solver):
    """Compared by all that it has."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllOf) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self.calls)


def test_what_the_equality_does_not_look_at_is_no_cause() -> None:
    first, second = Solver(0.1), Solver(0.2)
    with recorded() as told:
        first.solve(X)
        first.calls = 5
        second.solve(X)
    assert [reason.path for reason in told.traces("solve")[1].reasons] == ["self.tol"]


def test_an_equality_that_looks_at_all_there_is_counts_it_all() -> None:
    @functools.partial(jax.jit, static_argnums=0)
    def solve(solver, x):
        return x * solver.tol

    first, second = AllOf(0.1), AllOf(0.2)
    second.calls = 5
    with recorded() as told:
        solve(first, X)
        solve(second, X)
    assert [reason.path for reason in told.traces("solve")[1].reasons] == ["solver.calls", "solver.tol"]


def test_a_nan_is_told_to_be_equal_to_none_but_itself() -> None:
    @functools.partial(jax.jit, static_argnames="fill")
    def pad(x, fill):
        return jnp.where(x > 0, x, fill)

    with recorded() as told:
        for _ in range(3):
            pad(X, fill=float("nan"))
    (finding,) = told.document.findings
    assert finding.kind == "varying_static"
    assert (finding.fix or "").startswith("NaN is equal to nothing")
