"""What JAX compares of a large model: equal ones count as equal, and a change is named by the user's own path."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax_trace_viz.capture.keys import cache_keys
from jax_trace_viz.capture.keys.statics import Statics
from jax_trace_viz.exports import json_document
from jax_trace_viz.session.masking import Masking
from tests.capture.told import recorded


@jax.tree_util.register_pytree_node_class
class Layered:
    """A pytree whose auxiliary data is as long as one likes, and made anew each time."""

    def __init__(self, data: Any, sizes: tuple[Any, ...]) -> None:
        self.data = data
        self.sizes = sizes

    def tree_flatten(self) -> tuple[tuple[Any], tuple[Any, ...]]:
        return (self.data,), tuple((*size,) for size in self.sizes)

    @classmethod
    def tree_unflatten(cls, sizes: tuple[Any, ...], children: tuple[Any]) -> Layered:
        return cls(children[0], sizes)


def reasons(fun: Any, *calls: tuple[Any, ...]) -> list[list[tuple[str, str | None, str | None, str | None]]]:
    """Why each trace of a jitted function happened."""
    with recorded() as told:
        for arguments in calls:
            fun(*arguments)
    traces = told.traces(fun.__name__)
    return [[(r.kind, r.path, r.before, r.after) for r in trace.reasons] for trace in traces]


@pytest.mark.parametrize("length", [10, 3_000, 30_000])
def test_what_is_too_long_to_be_read_is_no_reason(length: int) -> None:
    @jax.jit
    def total(tree: Layered) -> Any:
        return tree.data.sum()

    sizes = tuple((i, 1000 + i) for i in range(length // 2))
    _, second = reasons(total, (Layered(jnp.ones(3), sizes),), (Layered(jnp.ones(4), sizes),))
    assert [kind for kind, *_ in second] == ["new_shape"]


def test_a_change_deep_inside_is_shown_alone() -> None:
    @jax.jit
    def total(tree: Layered) -> Any:
        return tree.data.sum()

    sizes = tuple((i, 1000 + i) for i in range(1_000))
    other = (*sizes[:900], (900, -1), *sizes[901:])
    _, second = reasons(total, (Layered(jnp.ones(3), sizes),), (Layered(jnp.ones(3), other),))
    ((kind, path, before, after),) = second
    assert (kind, path) == ("new_pytree_structure", "tree")
    assert before is not None
    assert after is not None
    assert "1900" in before
    assert "-1" in after
    assert max(len(before), len(after)) < 60


class TestModules:
    """NNX hands a module over as flat lists of nodes and attributes."""

    def test_a_setting_is_named_by_its_path(self) -> None:
        nnx = pytest.importorskip("flax.nnx")

        class Net(nnx.Module):
            def __init__(self) -> None:
                self.layers = nnx.List([nnx.Linear(4, 4, rngs=nnx.Rngs(i)) for i in range(20)])
                self.drops = nnx.List([nnx.Dropout(0.1, rngs=nnx.Rngs(i)) for i in range(20)])

            def __call__(self, x: Any) -> Any:
                for layer, drop in zip(self.layers, self.drops, strict=True):
                    x = drop(layer(x))
                return x

        def forward(model: Net, x: Any) -> Any:
            return model(x)

        net = Net()
        with recorded() as told:
            run = nnx.jit(forward)
            run(net, jnp.ones((2, 4)))
            run(net, jnp.ones((3, 4)))
            net.drops[7].rate = 0.5
            run(net, jnp.ones((3, 4)))
        causes = [trace.reasons[0] for trace in told.traces("forward")]
        assert [(cause.kind, cause.path) for cause in causes[1:]] == [
            ("new_shape", "x"),
            ("new_pytree_structure", "model"),
        ]
        assert (causes[2].before, causes[2].after) == ("drops[7].rate=0.1", "drops[7].rate=0.5")


def test_every_leaf_that_changed_is_counted_and_of_more_than_can_be_held_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @jax.jit
    def first(model: list[Any]) -> Any:
        return model[0] + 1

    model = [np.ones(2)] * 300
    other = [*model[:-1], np.ones(3)]
    monkeypatch.setattr(cache_keys, "_MAX_LEAVES", 300)
    _, one, all_but_one = reasons(first, (model,), (other,), ([np.ones(4)] * 299 + [np.ones(3)],))
    assert one == [("new_shape", "model[299]", "f32[2]", "f32[3]")]
    assert len(all_but_one) == 299

    jax.clear_caches()
    monkeypatch.setattr(cache_keys, "_MAX_LEAVES", 299)
    assert reasons(first, (model,), (other,))[1] == [("unknown", None, "not recorded", "not recorded")]


def test_names_of_many_leaves_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def count(owner: type, name: str) -> None:
        original = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            looked.append(name)
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)

    @jax.jit
    def first(model: dict[str, Any]) -> Any:
        return model["w0"] + 1

    count(Masking, "_is_clean")
    count(Masking, "all_in")
    count(Statics, "parts")
    model = {f"w{i}": np.ones(2) for i in range(3_000)}
    other = {name: np.ones(3) for name in model}
    _, second = reasons(first, (model,), (other,))
    assert len(second) == len(model)
    assert len(looked) < 100


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x" * 3_000_000 + "1", "x" * 3_000_000 + "2"),
        (b"x" * 3_000_000 + b"1", b"x" * 3_000_000 + b"2"),
        (10**5_000, 10**5_000 + 1),
        (tuple(range(500_000)), tuple(range(500_001))),
    ],
    ids=["text", "bytes", "integer", "tuple"],
)
def test_a_huge_static_value_is_told_from_another_and_costs_no_memory(one: Any, other: Any) -> None:
    fun = jax.jit(lambda x, _: x * 2, static_argnums=1)
    with recorded() as told:
        for value in (one, one, other):
            fun(1.0, value)
    _, again = told.traces("<lambda>")
    assert [(reason.kind, reason.path) for reason in again.reasons] == [("new_static_value", "_")]
    assert len(json_document.text(told.document)) < 5_000_000
