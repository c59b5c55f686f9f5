"""What differs between two keys, as it is told."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.key import Key, StaticValue
from jax_trace_viz.session.reasons.keys import argument_of, diff_compile_parts, diff_trace_parts
from tests.session.events import key, leaf, static


def kinds(new: Key, old: Key) -> list[tuple[str, str | None, str | None, str | None]]:
    return [(part.kind, part.path, part.before, part.after) for part in diff_trace_parts(new, old)]


def test_weak_types_are_told_apart_in_the_texts() -> None:
    assert kinds(key(leaf(weak=True)), key(leaf())) == [("weak_type", "x", "f32[]", "f32[]~")]


def test_shape_and_dtype_are_two_parts() -> None:
    parts = kinds(key(leaf("x", 3, dtype="i32")), key(leaf("x", 2)))
    assert parts == [("new_shape", "x", "f32[2]", "i32[3]"), ("new_dtype", "x", "f32[2]", "i32[3]")]


def test_the_order_of_keywords_does_not_count() -> None:
    assert kinds(key(leaf(), keywords=("a", "b")), key(leaf(), keywords=("b", "a"))) == []


def test_one_keyword_more_is_named() -> None:
    new, old = key(leaf(), keywords=("y",), positional=1), key(leaf(), positional=2)
    assert kinds(new, old) == [("kwargs_signature", "y", "2 positional", "1 positional, y=")]


def test_a_keyword_is_not_named_where_more_was_spelled_differently() -> None:
    args = (static("args[0]", 1), static("args[1]", 2))
    both = key(statics=(*args, static("j", 3), static("k", 4)), keywords=("j", "k"), positional=2)
    rest = key(statics=(static("k", 4),), keywords=("k",))
    assert [path for _, path, *_ in kinds(rest, both)] == [None]
    # One by position less and one by keyword more, but not the same one.
    other = key(leaf("a"), leaf("c"), keywords=("c",), positional=1)
    assert [path for kind, path, *_ in kinds(other, key(leaf("a"), leaf("b"))) if kind == "kwargs_signature"] == [None]


def test_an_argument_by_keyword_that_is_left_out_is_named() -> None:
    new, old = (
        key(leaf("a"), leaf("b"), keywords=("a", "b"), positional=0),
        key(leaf("a"), keywords=("a",), positional=0),
    )
    assert kinds(new, old) == [("kwargs_signature", "b", "a=", "a=, b=")]


def test_a_new_object_is_told_without_its_parts() -> None:
    made = StaticValue(path="s", type="Cfg", value=None, token="Cfg")
    parts = (made, static("s.n", 1), static("s.size", ()), static("s.size[0]", 2))
    there = kinds(key(statics=parts), key(statics=(static("s", None),)))
    assert there == [("new_static_value", "s", "None", "Cfg object")]
    back = kinds(key(statics=(static("s", None),)), key(statics=parts))
    assert back == [("new_static_value", "s", "Cfg object", "None")]
    traced = key(leaf("s", 2), positional=0)
    assert kinds(key(statics=parts), traced) == [("new_static_value", "s", "traced f32[2]", "static Cfg object")]


def test_a_part_of_an_object_that_changed_alone_is_told() -> None:
    made = StaticValue(path="s", type="Cfg", value=None, token="Cfg")
    new, old = (key(statics=(made, static("s.n", n), static("s.m", 0))) for n in (2, 1))
    assert kinds(new, old) == [("new_static_value", "s.n", "1", "2")]


def test_none_that_became_an_array_is_found_by_its_path() -> None:
    new = key(leaf("state['mom']", 3), structures={"state": "{'mom': *}"})
    old = key(structures={"state": "{'mom': None}"}, positional=1)
    assert kinds(new, old) == [("new_pytree_structure", "state['mom']", "None", "f32[3]")]


def test_an_argument_more_is_found_by_its_name() -> None:
    new, old = key(leaf("x"), leaf("mask")), key(leaf("x"))
    assert kinds(new, old) == [("kwargs_signature", "mask", "1 positional", "2 positional")]


def test_another_container_is_a_structure() -> None:
    new = key(leaf("x[0]"), structures={"x": "[*]"}, positional=1)
    old = key(leaf("x[0]"), structures={"x": "(*,)"}, positional=1)
    assert kinds(new, old) == [("new_pytree_structure", "x", "(*,)", "[*]")]


def test_long_texts_are_cut_where_they_differ() -> None:
    shared = "Config(" + "layer=1, " * 40
    (part,) = diff_trace_parts(key(statics=(static("c", shared + "a"),)), key(statics=(static("c", shared + "b"),)))
    assert part.before is not None
    assert part.after is not None
    assert len(part.after) < 150
    assert part.before != part.after


def test_objects_that_compare_by_identity_are_told_as_such() -> None:
    def settings(token: str) -> StaticValue:
        return StaticValue(path="cfg", type="Settings", value=None, token=token, identity=True)

    new, old = (key(statics=(settings(token),)) for token in "ab")
    expected = ("new_static_value", "cfg", "Settings object", "another Settings object, compared by identity")
    assert kinds(new, old) == [expected]


def test_equal_values_of_other_types_are_told_by_type() -> None:
    new = StaticValue(path="n", type="bool", value="1", token="bool 1")
    old = StaticValue(path="n", type="int", value="1", token="int 1")
    assert kinds(key(statics=(new,)), key(statics=(old,))) == [("new_static_value", "n", "1 (int)", "1 (bool)")]


def test_a_static_value_that_is_traced_now() -> None:
    new, old = key(leaf("n", dtype="i32")), key(statics=(static("n", 3),), positional=1)
    assert kinds(new, old) == [("new_static_value", "n", "static 3", "traced i32[]")]


def test_a_default_left_out_is_only_another_spelling() -> None:
    new = key(leaf(), statics=(static("mode", "sum"),), keywords=("mode",), positional=1)
    assert [part.kind for part in diff_trace_parts(new, key(leaf(), positional=1))] == ["kwargs_signature"]


def test_context_parts_are_named() -> None:
    new, old = key(context={"jax_enable_x64": "True"}), key(context={})
    assert kinds(new, old) == [("config_context", "jax_enable_x64", "not set", "True")]


@pytest.mark.parametrize(("then", "now"), [("dev=4", "dev=8"), ("dev=8", None), (None, "dev=8")])
def test_the_mesh_within_shard_map_is_told_by_its_axes(then: str | None, now: str | None) -> None:
    old, new = (key(context={"mesh in jax.set_mesh": t, "named axes": t} if t else {}) for t in (then, now))
    assert [part.path for part in diff_trace_parts(new, old)] == ["named axes"]


def test_a_mesh_is_told_where_the_axes_stay() -> None:
    old, new = (key(context={"mesh in jax.set_mesh": mesh, "named axes": "i=2"}) for mesh in ("x=4", "x=8"))
    assert kinds(new, old) == [("config_context", "mesh in jax.set_mesh", "x=4", "x=8")]


def test_a_sharding_of_another_rank_is_not_told_beside_the_shape() -> None:
    new, old = leaf("x", 2, 3, aval_sharding="P(None, None)"), leaf("x", 2, aval_sharding="P(None)")
    assert [part.kind for part in diff_trace_parts(key(new), key(old))] == ["new_shape"]


@pytest.mark.parametrize(
    ("before", "after", "texts"),
    [
        ("", "P('a')", ("no mesh", "P('a')")),
        ("P('a')", "", ("P('a')", "no mesh")),
        ("", "P() in pinned_host memory", ("device memory", "P() in pinned_host memory")),
        ("P() in pinned_host memory", "", ("P() in pinned_host memory", "device memory")),
    ],
)
def test_a_type_without_a_sharding_says_what_it_is_then(before: str, after: str, texts: tuple[str, str]) -> None:
    new, old = (key(leaf("x", 2, aval_sharding=text)) for text in (after, before))
    (part,) = diff_trace_parts(new, old)
    assert (part.kind, part.before, part.after) == ("sharding_or_device", *texts)


RELU = (static("model.act", "relu"),)
WIDTH = static("model.width", 3)


@pytest.mark.parametrize(
    ("new", "old", "there"),
    [
        (key(leaf("model", 2), statics=RELU), key(leaf("model", 2)), "absent"),
        (key(statics=(WIDTH, *RELU)), key(statics=(WIDTH,)), "absent"),
        (key(statics=RELU), key(structures={"model.act": "None"}), "traced"),
    ],
)
def test_what_is_static_in_one_call_alone(new: Key, old: Key, there: str) -> None:
    for this, that in ((new, old), (old, new)):
        part = next(part for part in diff_trace_parts(this, that) if part.kind == "new_static_value")
        texts = (there, "static 'relu'") if this is new else ("static 'relu'", there)
        assert (part.path, part.before, part.after) == ("model.act", *texts)


def test_an_uncommitted_array_may_be_anywhere() -> None:
    def on(device: str, *, committed: bool) -> Key:
        return key(leaf(placement=device, committed=committed))

    assert diff_compile_parts(on("cpu:1", committed=False), on("cpu:0", committed=False)) == []
    (moved,) = diff_compile_parts(on("cpu:1", committed=True), on("cpu:0", committed=True))
    assert (moved.kind, moved.before, moved.after) == ("sharding_or_device", "cpu:0, committed", "cpu:1, committed")
    (bound,) = diff_compile_parts(on("cpu:0", committed=True), on("cpu:0", committed=False))
    assert (bound.before, bound.after) == ("uncommitted", "cpu:0, committed")


def test_donation_asks_for_another_executable_only() -> None:
    new, old = key(leaf(), donated=("x",)), key(leaf())
    assert diff_trace_parts(new, old) == []
    assert [(part.kind, part.before, part.after) for part in diff_compile_parts(new, old)] == [
        ("donation", "nothing", "x")
    ]


def test_the_argument_of_a_path() -> None:
    assert [argument_of(path) for path in ("x", "x[0]", "params['a.b']", "model.layer[1]")] == [
        "x",
        "x",
        "params",
        "model",
    ]


@pytest.mark.parametrize(
    ("passed", "kinds"),
    [
        (("float", "float"), ["config_context"]),
        (("float", "int"), ["new_dtype", "config_context"]),
        (("", ""), ["new_dtype", "config_context"]),
    ],
)
def test_a_dtype_that_follows_from_x64_is_no_part_of_its_own(passed: tuple[str, str], kinds: list[str]) -> None:
    old = key(leaf(dtype="f32", weak=True, given=passed[0]), context={"jax_enable_x64": "False"})
    new = key(leaf(dtype="f64", weak=True, given=passed[1]), context={"jax_enable_x64": "True"})
    assert [part.kind for part in diff_trace_parts(new, old)] == kinds
