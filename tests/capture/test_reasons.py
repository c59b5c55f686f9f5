"""Why a body ran, told of real programs."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import api_util

from tests.capture.counting import Ran
from tests.capture.told import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from tests.capture.told import Told


def kinds(told: Told, name: str) -> list[list[str]]:
    """The kinds of reasons of each trace of a function."""
    return [[reason.kind for reason in trace.reasons] for trace in told.traces(name)]


def test_a_module_that_is_reloaded_unchanged_defines_its_functions_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "import jax\n\n\n@jax.jit\ndef shift(x):\n    return x + 1\n\n\ndef made():\n    return jax.jit(lambda x: -x)\n"
    )
    (tmp_path / "reloaded_once.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with recorded() as told:
        module = importlib.import_module("reloaded_once")
        module.shift(1.0)
        module.made()(1.0)
        importlib.reload(module)
        for _ in range(2):
            module.shift(1.0)
        for _ in range(2):
            module.made()(1.0)
    assert kinds(told, "shift") == [["first_call"], ["function_redefined"]]
    assert kinds(told, "<lambda>") == [["first_call"], ["function_redefined"], ["new_function_object"]]
    assert [finding.kind for finding in told.document.findings] == ["new_function_object"]


def test_what_failed_is_traced_again_because_nothing_was_kept() -> None:
    ready = False

    @jax.jit
    def f(x):
        if not ready:
            raise KeyError
        return x

    with recorded() as told:
        with pytest.raises(KeyError):
            f(1.0)
        ready = True
        f(1.0)
    first, second = (trace.reasons for trace in told.traces("f"))
    assert (first[0].kind, first[0].before) == ("first_call", None)
    assert (second[0].kind, second[0].before) == ("first_call", "the trace before ended with KeyError")


@dataclasses.dataclass(frozen=True)
class Config:
    rate: object


class Pair(NamedTuple):
    a: int
    b: int


NAN = float("nan")
unless_types_count = pytest.mark.skipif(
    hasattr(api_util, "argnames_partial_except"),
    reason="this JAX compares what is passed by keyword by `==` alone, and only of numbers we know what that says",
)
VALUES = [
    (1, 1.0),
    (1, True),
    ((1,), (1.0,)),
    ((1,), (True,)),
    (Config(1), Config(1.0)),
    (Config(Config(0.5)), Config(Config(0.25))),
    (0.0, -0.0),
    ((0.0, 1), (-0.0, 1)),
    (0j, complex(0.0, -0.0)),
    (NAN, NAN),
    ((NAN,), (NAN,)),
    ((NAN,), (float("nan"),)),
    (np.float32(1), np.float64(1)),
    ((np.int32(1),), (1,)),
    (np.int32(1), 1),
    (frozenset({1}), frozenset({1.0})),
    (frozenset({1}), frozenset({1, 2})),
    pytest.param(Pair(1, 2), (1, 2), marks=unless_types_count),
    (Pair(1, 2), Pair(1, 3)),
    pytest.param("a", np.str_("a"), marks=unless_types_count),
    (10**40, 10**40 + 1),
]
"""Static values that are equal to JAX, or are not; which is asked of JAX."""


@pytest.mark.parametrize(("old", "new"), VALUES, ids=repr)
def test_a_static_value_is_named_where_jax_tells_it_from_the_other(old: object, new: object) -> None:
    ran = Ran()

    def f(x, s):
        ran("f")
        return x

    alone = jax.jit(f, static_argnames="s")
    alone(1.0, s=old)
    alone(1.0, s=new)
    told_apart = ran.counts["f"] == 2
    with recorded() as told:
        both = jax.jit(functools.partial(f), static_argnames="s")
        both(jnp.ones(2), s=old)
        both(jnp.ones(3), s=new)
    kinds = [reason.kind for reason in told.traces("f")[1].reasons]
    assert kinds == ["new_shape", *(["new_static_value"] if told_apart else [])]


W = jnp.ones(3)
PROGRAMS_MADE = {
    "grad": (lambda loss: jax.grad(loss)(W), ["forward pass of grad", "backward pass of grad"]),
    "value_and_grad": (
        lambda loss: jax.value_and_grad(loss)(W),
        ["forward pass of value_and_grad", "backward pass of value_and_grad"],
    ),
    "grad of what calls it": (
        lambda loss: jax.grad(lambda w: 2 * loss(w))(W),
        ["forward pass of grad", "backward pass of grad"],
    ),
    "vmap": (lambda loss: jax.vmap(loss)(jnp.ones((5, 3))), ["vmap"]),
    "vmap of grad": (
        lambda loss: jax.vmap(jax.grad(loss))(jnp.ones((5, 3))),
        ["forward pass of grad, mapped by vmap", "backward pass of grad, mapped by vmap"],
    ),
    "jvp": (lambda loss: jax.jvp(loss, (W,), (W,)), ["jvp"]),
    "vjp": (lambda loss: jax.vjp(loss, W)[1](1.0), ["forward pass of vjp", "backward pass of vjp"]),
    "jacfwd": (lambda loss: jax.jacfwd(loss)(W), ["jacfwd"]),
    "jacrev": (lambda loss: jax.jacrev(loss)(W), ["forward pass of jacrev", "backward pass of jacrev"]),
    "hessian": (
        lambda loss: jax.hessian(loss)(W),
        ["forward pass of jacrev under jacfwd", "backward pass of jacrev under jacfwd"],
    ),
}
"""What the program does with the jitted function, and which programs JAX must make of it on every version."""


@pytest.mark.parametrize("name", PROGRAMS_MADE)
def test_a_transformation_around_a_jitted_function_compiles_programs_of_its_own(name: str, tmp_path: Path) -> None:
    run, made = PROGRAMS_MADE[name]
    written = "def loss(w):\n    return (w**2).sum()\n"  # in a file of its own, so that no other test has run it
    namespace: dict[str, Any] = {}
    exec(compile(written, tmp_path / "own.py", "exec"), namespace)
    loss = jax.jit(namespace["loss"])
    with recorded() as told:
        loss(W)
        for _ in range(2):
            run(loss)
    function = told.function("loss")
    assert function.traces == 1
    first, *others = [c for c in told.document.compilations if c.function == function.id]
    assert [reason.kind for reason in first.reasons] == ["first_call"]
    assert [reason.kind for c in others for reason in c.reasons] == ["new_transform_context"] * len(others)
    assert [c.reasons[0].after for c in others if not (c.reasons[0].after or "").startswith("forward")] == [
        text for text in made if not text.startswith("forward")
    ]
    assert {c.reasons[0].after for c in others} <= set(made), "JAX may need no forward pass of its own"


def test_caches_cleared_between_two_recordings_are_no_riddle() -> None:
    @jax.jit
    def f(x):
        return x + 1

    reasons: list[str] = []
    for _ in range(2):
        with recorded() as told:
            f(1.0)
        reasons.append(told.trace("f").reasons[0].kind)
        jax.clear_caches()
    assert reasons == ["first_call", "cache_cleared"]


def test_a_plain_call_after_a_gradient_is_another_program() -> None:
    @jax.jit
    def loss(w):
        return jnp.sum(w**3)

    with recorded() as told:
        jax.grad(loss)(W)
        jax.grad(loss)(jnp.ones(4))
        loss(W)
    compiled = [c for c in told.document.compilations if c.function == told.function("loss").id]
    reasons = [(c.reasons[0].kind, c.reasons[0].path, c.reasons[0].after) for c in compiled]
    assert reasons == [
        ("first_call", None, None),
        ("new_transform_context", None, "backward pass of grad"),
        ("new_shape", "w", "f32[4]"),
        ("new_shape", "w", "f32[4]"),
        ("new_transform_context", None, "no transformation"),
    ]


def compilations_of(told: Told, name: str) -> list[list[tuple[str, str | None, str | None, str | None]]]:
    compiled = [c for c in told.document.compilations if c.function == told.function(name).id]
    return [[(r.kind, r.path, r.before, r.after) for r in c.reasons] for c in compiled]


def test_the_same_arrays_mapped_over_other_axes_are_another_program() -> None:
    @jax.jit
    def dot(a, b):
        return (a * b).sum()

    square = jnp.ones((3, 3))
    with recorded() as told:
        for axes in (0, (1, 0), 0):
            jax.vmap(dot, in_axes=axes)(square, square)
        jax.vmap(dot, in_axes=(1, None))(square, W)
    other = "new_transform_context"
    assert compilations_of(told, "dot") == [
        [("first_call", None, None, None)],
        [(other, None, "vmap over axis 0", "vmap over axes 1, 0")],
        [(other, None, "vmap over axes 1, 0", "vmap over axes 1, None"), ("new_shape", "b", "f32[3,3]", "f32[3]")],
    ]


def test_passes_with_respect_to_another_argument_are_other_programs() -> None:
    @jax.jit
    def loss(w, b):
        return jnp.sum(jnp.sin(w) * b)

    with recorded() as told:
        jax.grad(loss)(W, 2.0)
        jax.grad(loss, argnums=1)(W, 2.0)
    w, b = (f"pass of grad with respect to {name}" for name in "wb")
    assert compilations_of(told, "loss")[2:] == [
        [("new_transform_context", None, f"forward {w}", f"forward {b}")],
        [("new_transform_context", None, f"backward {w}", f"backward {b}")],
    ]


def test_a_backward_pass_after_a_hit_is_told_by_the_static_value_of_its_call() -> None:
    @functools.partial(jax.jit, static_argnums=1)
    def loss(w, n):
        return jnp.sum(jnp.sin(w) * n)

    with recorded() as told:
        for n in (2, 3):
            loss(W, n)
        for n in (2, 3):
            jax.grad(loss)(W, n)
    assert compilations_of(told, "loss")[4:] == [[("new_static_value", "n", "2", "3")]] * 2


def test_the_arrays_of_a_module_are_told_by_the_paths_that_the_user_wrote() -> None:
    nnx = pytest.importorskip("flax.nnx")
    model = nnx.Linear(3, 2, use_bias=False, rngs=nnx.Rngs(0))

    @nnx.jit
    def run(model, x):
        return model(x)

    with recorded() as told:
        run(model, W)
        model.kernel.set_value(jnp.ones((3, 4)))
        run(model, W)
        model.extra = nnx.Param(W)
        run(model, W)
    reasons = [[(r.kind, r.path, r.before, r.after) for r in trace.reasons] for trace in told.traces("run")]
    assert reasons[1:] == [
        [("new_shape", "model.kernel", "f32[3,2]", "f32[3,4]")],
        [("new_pytree_structure", "model.extra", "not there", "f32[3]")],
    ]


def test_an_object_that_equals_others_but_is_hashed_by_identity_is_another_value() -> None:
    @dataclasses.dataclass
    class Options:
        n: int
        __hash__ = object.__hash__

    @functools.partial(jax.jit, static_argnums=1)
    def f(x, options):
        return x * options.n

    first = Options(1)
    with recorded() as told:
        for options in (first, first, Options(1), Options(2)):
            f(W, options)
    *hashes, other = (trace.reasons for trace in told.traces("f")[1:])
    assert [(r.kind, r.path, r.before, r.after) for r in other] == [("new_static_value", "options.n", "1", "2")]
    # JAX 0.10 looks at no hash here.
    assert all([r.path for r in reasons] == ["options.__hash__"] for reasons in hashes)


def test_static_sets_are_told_by_what_they_hold() -> None:
    @functools.partial(jax.jit, static_argnums=1)
    def f(x, names):
        return x * len(names)

    with recorded() as told:
        f(W, frozenset({"b", "a"}))
        f(W, frozenset())
    (reason,) = told.traces("f")[1].reasons
    assert (reason.before, reason.after) == ("frozenset({'a', 'b'})", "frozenset()")


def test_programs_compiled_just_before_the_caches_were_cleared() -> None:
    @jax.jit
    def inner(x):
        return x + 1

    @jax.jit
    def outer(x):
        return inner(x) * 2

    with recorded() as told:
        inner(W)
        jax.clear_caches()
        outer(W)
        inner(W)
    assert compilations_of(told, "inner") == [
        [("first_call", None, None, None)],
        [("cache_cleared", None, None, None)],
    ]


def test_contexts_are_told_as_the_user_wrote_them() -> None:
    def f(x):
        return jnp.sin(x).sum()

    with recorded() as told:
        jax.grad(f)(W)
        jax.jit(jax.value_and_grad(f))(W)
        jax.jit(jax.vmap(jax.grad(f)))(jnp.ones((2, 3)))
        jax.jit(f)(W)
        jax.jacfwd(jax.vmap(f))(jnp.ones((2, 3)))
    texts = [(trace.kind, trace.reasons[0].before, trace.reasons[0].after) for trace in told.traces("f")]
    assert texts == [
        ("grad", None, None),
        ("jit", "grad", "value_and_grad under jit"),
        ("jit", "value_and_grad under jit", "vmap of grad under jit"),
        ("jit", "vmap of grad under jit", "jit"),
        ("vmap", "jit", "jacfwd of vmap"),
    ]


def test_a_rule_is_no_new_object_where_the_program_around_it_is_traced_again() -> None:
    @jax.custom_vjp
    def double(x):
        return 2 * x

    def forward(x):
        return double(x), None

    def backward(_, g):
        return (2 * g,)

    double.defvjp(forward, backward)
    step = jax.jit(jax.grad(lambda x: (double(x) * double(x)).sum()))
    with recorded() as told:
        step(jnp.ones(2))
        step(jnp.ones(3))
    assert kinds(told, "forward") == [["first_call"], ["uncached_transform"], ["new_shape"], ["uncached_transform"]]
    assert not told.document.findings


def test_a_bound_method_of_a_library_is_a_new_object_each_time() -> None:
    nn = pytest.importorskip("flax.linen")

    class Net(nn.Module):
        width: int

        @nn.compact
        def __call__(self, x):
            return nn.Dense(self.width)(x)

    x = jnp.ones((2, 3))
    weights = Net(4).init(jax.random.key(0), x)
    stable = jax.jit(Net(4).apply)
    with recorded() as told:
        for _ in range(2):
            jax.jit(Net(4).apply)(weights, x)
        for rows in (2, 5):
            stable(weights, jnp.ones((rows, 3)))
    first, again, kept, wider = kinds(told, "__call__")
    assert (first, again, wider) == (["first_call"], ["new_function_object"], ["new_shape"])
    assert kept == ["new_function_object"]


def test_what_a_librarys_jit_runs_may_be_another_function_of_the_same_name() -> None:
    equinox = pytest.importorskip("equinox")

    def fit(scale):
        @equinox.filter_jit
        def objective(x):
            return scale * x

        return objective(jnp.ones(3))

    with recorded() as told:
        for scale in (1.0, 2.0):
            fit(scale)
    assert kinds(told, "objective") == [["first_call"], ["new_function_object"]]


def test_the_axis_that_a_vmap_inside_adds_is_no_context_of_the_call() -> None:
    def step(x):
        return jax.lax.pmean(x, "batch")

    mapped = jax.jit(jax.vmap(step, axis_name="batch"))
    with recorded() as told:
        for size in (4, 8):
            mapped(jnp.ones(size))
    assert kinds(told, "step") == [["first_call"], ["new_shape"]]


def test_a_keyword_that_replaces_a_default_of_another_value_is_told_with_both_values() -> None:
    @functools.partial(jax.jit, static_argnames="train")
    def step(x, train=True):
        return x * 2 if train else x

    with recorded() as told:
        step(1.0)
        step(1.0, train=False)
        step(1.0, train=True)
    _, other, same = told.traces("step")
    spelling, value = other.reasons
    assert (spelling.kind, spelling.path) == ("kwargs_signature", "train")
    assert (value.kind, value.path, value.before, value.after) == (
        "new_static_value",
        "train",
        "True (default)",
        "False",
    )
    assert [reason.kind for reason in same.reasons] == ["new_static_value"]
    assert told.document.findings == []


def test_a_keyword_that_repeats_the_default_is_a_spelling_and_a_waste() -> None:
    @functools.partial(jax.jit, static_argnames="train")
    def step(x, train=True):
        return x * 2 if train else x

    with recorded() as told:
        step(1.0)
        step(1.0, train=True)
    assert kinds(told, "step") == [["first_call"], ["kwargs_signature"]]
    assert [finding.kind for finding in told.document.findings] == ["kwargs_spelling"]


def test_spellings_that_alone_traced_it_again_are_told_as_one_chain() -> None:
    @functools.partial(jax.jit, static_argnames="train")
    def step(x, train=True):
        return x * 2 if train else x

    with recorded() as told:
        step(1.0)
        step(1.0, train=True)
        step(1.0, False)
        step(1.0, True)
        step(x=1.0, train=True)
    assert kinds(told, "step")[2] == ["kwargs_signature", "new_static_value"]
    finding = next(one for one in told.document.findings if one.kind == "kwargs_spelling")
    assert finding.text == (
        "`step` was traced 2 more times because its arguments were passed in different ways: "
        "1 positional → 1 positional, train=; 2 positional → train=, x=."
    )


def test_what_is_new_is_the_transformation_of_a_function_that_stays() -> None:
    def loss(x):
        return x * x

    with recorded() as told:
        for _ in range(3):
            jax.jit(jax.grad(loss))(1.0)
    assert [reason.after for trace in told.traces("loss")[1:] for reason in trace.reasons] == ["another grad"] * 2
    (finding,) = told.document.findings
    assert "a new `grad` of `loss` was made each time" in finding.text
    assert finding.fix is not None
    assert finding.fix.startswith("Make the `grad` of `loss` once")


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    """A pytree with a static field."""

    w: Any
    act: str = dataclasses.field(metadata={"static": True}, default="relu")


def test_a_static_field_of_a_dataclass_is_told_by_its_name() -> None:
    @jax.jit
    def apply(layer):
        return layer.w

    with recorded() as told:
        apply(Layer(1.0))
        apply(Layer(1.0, "tanh"))
    (reason,) = told.traces("apply")[1].reasons
    assert (reason.kind, reason.path) == ("new_pytree_structure", "layer")
    assert (reason.before, reason.after) == ("Layer[act='relu'](*)", "Layer[act='tanh'](*)")


def test_what_is_new_may_be_a_partial_or_a_bound_method_of_a_function_that_stays() -> None:
    def scale(factor, x):
        return factor * x

    class Model:
        def apply(self, x):
            return x + 1

    model = Model()
    with recorded() as told:
        for factor in range(3):
            jax.jit(functools.partial(scale, factor))(1.0)
            jax.jit(model.apply)(1.0)
    texts = {finding.text for finding in told.document.findings}
    why = "was made each time, and JAX keeps its traces by function object."
    assert texts == {
        f"`scale` was traced 2 more times because a new `functools.partial` of `scale` {why}",
        f"`apply` was traced 2 more times because a new bound method `apply` {why}",
    }


def test_an_argument_in_other_memory_has_no_other_dtype() -> None:
    @jax.jit
    def double(x):
        return x * 2

    x = jnp.ones(8)
    kinds_of_memory = {memory.kind for memory in jax.devices()[0].addressable_memories()}
    if "pinned_host" not in kinds_of_memory or not hasattr(x.aval, "memory_space"):
        pytest.skip("this JAX tells no memory apart in types")
    away = jax.device_put(x, x.sharding.with_memory_kind("pinned_host"))
    with recorded() as told:
        double(x)
        double(away)
    (reason,) = told.traces("double")[1].reasons
    assert (reason.kind, reason.path) == ("sharding_or_device", "x")
    assert (reason.before, reason.after) == ("cpu:0", "cpu:0 in pinned_host")
