"""The diff of any two keys: complete, true, and nearest is nearest."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from jax_trace_viz.contract.key import Key, Leaf, StaticValue
from jax_trace_viz.session.reasons.keys import PART_ORDER, diff_compile_parts, diff_trace_parts
from jax_trace_viz.session.reasons.nearest import distance, nearest

NAMES = ("x", "y", "params")

leaves = st.builds(
    Leaf,
    path=st.just("x"),
    shape=st.lists(st.integers(0, 3), max_size=2).map(tuple),
    dtype=st.sampled_from(["f32", "i32"]),
    weak_type=st.booleans(),
    aval_sharding=st.sampled_from(["", "P('a')"]),
    placement=st.sampled_from([None, "cpu:0", "cpu:1"]),
    committed=st.sampled_from([None, True, False]),
)
statics = st.builds(
    StaticValue, path=st.just("mode"), type=st.just("str"), value=st.sampled_from(["'a'", "'b'"]), token=st.just("")
).map(lambda value: msgspec.structs.replace(value, token=value.value))


@st.composite
def keys(draw: st.DrawFn) -> Key:
    """Keys of calls of `f(x, y, params)`: some arguments by position, some by keyword; arrays, pairs, or static."""
    positional = draw(st.integers(0, len(NAMES)))
    keywords = tuple(draw(st.lists(st.sampled_from(NAMES[positional:] or ("z",)), unique=True)))
    structures: dict[str, str] = {}
    arrays: list[Leaf] = []
    values: list[StaticValue] = []
    for name in (*NAMES[:positional], *keywords):
        role = draw(st.sampled_from(["array", "pair", "static"]))
        if role == "static":
            values.append(msgspec.structs.replace(draw(statics), path=name))
            continue
        paths = [name] if role == "array" else [f"{name}[0]", f"{name}[1]"]
        structures[name] = "*" if role == "array" else "(*, *)"
        arrays += [msgspec.structs.replace(draw(leaves), path=path) for path in paths]
    return Key(
        callable=1,
        positional=positional,
        keywords=keywords,
        statics=tuple(values),
        structures=structures,
        leaves=tuple(arrays),
        context=draw(st.dictionaries(st.sampled_from(["jax_enable_x64", "mesh"]), st.sampled_from(["0", "1"]))),
        donated=draw(st.sampled_from([(), ("x",)])),
        shardings=draw(st.sampled_from(["", "P('a')"])),
    )


@given(keys())
def test_a_key_does_not_differ_from_itself(this: Key) -> None:
    copy = msgspec.msgpack.decode(msgspec.msgpack.encode(this), type=Key)
    assert diff_trace_parts(this, copy) == []
    assert diff_compile_parts(this, copy) == []


@given(keys(), keys())
def test_every_part_told_really_differs(new: Key, old: Key) -> None:
    for part in [*diff_trace_parts(new, old), *diff_compile_parts(new, old)]:
        assert part.before != part.after, part
        assert part.kind in PART_ORDER


@given(keys(), keys())
def test_the_diff_is_symmetric_in_kinds(new: Key, old: Key) -> None:
    there, back = diff_trace_parts(new, old), diff_trace_parts(old, new)
    assert {(p.kind, p.path) for p in there} == {(p.kind, p.path) for p in back}


@given(keys(), keys())
def test_no_difference_is_missed(new: Key, old: Key) -> None:
    """Whatever JAX's tracing cache looks at is equal where no part is told."""
    if diff_trace_parts(new, old):
        return
    assert new.positional == old.positional
    assert set(new.keywords) == set(old.keywords)
    assert new.structures == old.structures
    assert new.context == old.context
    assert {s.path: s.token for s in new.statics} == {s.path: s.token for s in old.statics}
    assert [
        (each.path, each.shape, each.dtype, each.weak_type) for each in sorted(new.leaves, key=lambda each: each.path)
    ] == [
        (each.path, each.shape, each.dtype, each.weak_type) for each in sorted(old.leaves, key=lambda each: each.path)
    ]


@given(keys(), keys())
def test_the_decisive_kind_comes_first(new: Key, old: Key) -> None:
    places = [PART_ORDER.index(part.kind) for part in diff_trace_parts(new, old)]
    assert places == sorted(places)


@given(keys(), st.lists(keys(), min_size=1, max_size=6))
def test_no_other_key_is_nearer_than_the_nearest(new: Key, others: list[Key]) -> None:
    index, parts = nearest(new, others)
    assert parts == diff_trace_parts(new, others[index])
    distances = [distance(diff_trace_parts(new, other)) for other in others]
    assert distance(parts) == min(distances)
    kinds_told = {part.kind for part in parts}
    for other, far in zip(others[index + 1 :], distances[index + 1 :], strict=True):
        # Of equally near keys the most recent counts, but for structures of which one differs less.
        also = {part.kind for part in diff_trace_parts(new, other)}
        assert far != distance(parts) or ("new_pytree_structure" in kinds_told and also == kinds_told)
