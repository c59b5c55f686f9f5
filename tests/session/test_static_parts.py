"""Static values between two keys: defaults, what JAX compares beside the value, and what only an object could tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.key import StaticValue
from jax_trace_viz.session.reasons.keys import diff_trace_parts
from jax_trace_viz.session.reasons.static_texts import BY_IDENTITY
from jax_trace_viz.session.wording import BY_ITSELF
from tests.session.events import key, leaf, static

if TYPE_CHECKING:
    from jax_trace_viz.contract.key import Key

X = leaf("x", 2)


def parts(new: Key, old: Key) -> list[tuple[str, str | None, str | None, str | None]]:
    """What differs, as plain tuples."""
    return [(part.kind, part.path, part.before, part.after) for part in diff_trace_parts(new, old)]


def of(*statics: StaticValue, **more: object) -> Key:
    """A call with one array and these static values."""
    return key(X, statics=statics, **more)


def test_another_value_than_the_default_is_told_as_such() -> None:
    left_out = of(defaults=(static("rate", 1),))
    assert parts(of(static("rate", 2)), left_out) == [("new_static_value", "rate", "1 (default)", "2")]
    assert parts(left_out, of(static("rate", 2))) == [("new_static_value", "rate", "2", "1 (default)")]
    assert parts(of(static("rate", 1)), left_out) == []


def test_the_type_counts_where_jax_compares_it() -> None:
    whole, real = static("n", 1, compared_type="int"), static("n", 1, compared_type="float", type="float")
    assert parts(of(real), of(whole)) == [("new_static_value", "n", "1 (int)", "1 (float)")]
    assert parts(of(static("n", 1, type="float")), of(whole)) == []
    assert parts(of(whole), of(static("n", 1, type="float"))) == []


def test_what_is_not_sure_is_the_cause_only_where_nothing_else_is() -> None:
    then, now = static("model", 1, sure=False), static("model", 2, sure=False)
    told = ("new_static_value", "model", "1", "2")
    assert parts(of(now), of(then)) == [told]
    assert parts(of(now, static("lr", 2)), of(then, static("lr", 1))) == [("new_static_value", "lr", "1", "2")]
    inside, before = static("model.depth", 2, sure=False), static("model.depth", 1, sure=False)
    assert [path for _, path, *_ in parts(of(inside, static("lr", 2)), of(before, static("lr", 1)))] == ["lr"]


def test_a_whole_value_of_another_type_is_another_for_sure() -> None:
    then, now = static("model", 1, sure=False), static("model", "one", sure=False)
    told = parts(of(now, static("lr", 2)), of(then, static("lr", 1)))
    assert [path for _, path, *_ in told] == ["model", "lr"]


def test_what_follows_the_parts_of_a_new_object_is_told_too() -> None:
    def model(number: int) -> tuple[StaticValue, ...]:
        return (
            static("model", number),
            static("model.depth", number),
            static("model[0]", number),
            static("rate", number),
        )

    assert [path for _, path, *_ in parts(of(*model(2)), of(*model(1)))] == ["model", "rate"]


def test_an_object_that_looks_the_same_is_another_by_identity_or_by_itself() -> None:
    for identity, why in ((True, BY_IDENTITY), (False, BY_ITSELF)):
        then, now = (StaticValue(path="f", type="F", value="<f>", token=t, identity=identity) for t in "ab")
        assert parts(of(now), of(then)) == [("new_static_value", "f", "<f>", f"another <f>, {why}")]


def test_where_an_array_lies_is_told_as_it_was_placed() -> None:
    then, now = (leaf("x", 2, aval_sharding=name, placement=f"on {name}") for name in ("P('a')", "P('b')"))
    assert parts(key(now), key(then)) == [("sharding_or_device", "x", "on P('a')", "on P('b')")]
    alike = leaf("x", 2, aval_sharding="P('b')", placement="on P('a')")
    assert parts(key(alike), key(then)) == [("sharding_or_device", "x", "P('a')", "P('b')")]
