"""Texts for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jax_trace_viz.contract.document import Reason
from jax_trace_viz.session.wording import (
    TEXT_LIMIT,
    bytes_text,
    contrast,
    contrast_structures,
    cut,
    error_text,
    reason_text,
    rounded,
    seconds_text,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.0 ms"),
        (0.00034, "0.3 ms"),
        (0.021, "21 ms"),
        (0.0994, "99 ms"),
        (0.1, "0.1 s"),
        (1.94, "1.9 s"),
        (61.5, "1 min 1 s"),
    ],
)
def test_seconds(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (16, "16 B"),
        (300, "300 B"),
        (4096, "4.1 kB"),
        (2**22, "4.19 MB"),
        (9_940, "9.94 kB"),
        (9_960, "10 kB"),
        (12_340, "12.3 kB"),
        (99_400, "99.4 kB"),
        (99_600, "100 kB"),
        (123_400, "123 kB"),
        (999_500, "1 MB"),
        (3 * 10**9, "3 GB"),
        (5 * 10**15, "5000 TB"),
    ],
)
def test_bytes(count: int, text: str) -> None:
    assert bytes_text(count) == text


@given(st.text(max_size=400), st.text(max_size=400))
def test_different_texts_stay_different_and_short(before: str, after: str) -> None:
    if before == after:
        return
    short, other = contrast(before, after)
    assert short != other
    assert max(len(short), len(other)) <= TEXT_LIMIT + 2


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        ({"f150": "f150=2"}, ("f150=1", "f150=2")),
        ({"f150": "f150=2", "f199": "f199=3"}, ("f150=1, f199=1", "f150=2, f199=3")),
        ({"f150": "f150=1, g=3"}, ("nothing", "g=3")),
    ],
)
def test_long_structures_are_told_by_their_different_parts(change: dict[str, str], texts: tuple[str, str]) -> None:
    parts = {f"f{i}": f"f{i}=1" for i in range(200)}
    before, after = (", ".join(which.values()) for which in (parts, {**parts, **change}))
    assert contrast_structures(f"Net[{before}, end]", f"Net[{after}, end]") == texts


def test_what_is_left_out_between_two_differences_is_marked_where_it_holds_brackets() -> None:
    moments = ", ".join(f"{name}: {{'kernel': *, 'bias': *}}" for name in ("'Dense_0'", "'Dense_1'", "'Dense_2'"))
    before, after = contrast_structures(f"(Adam(*, {{{moments}}}), Empty())", f"[{{'count': *, {{{moments}}}}}, None]")
    assert before == "(Adam(*, …, 'bias': *}}), Empty())"
    assert after == "[{'count': *, …, 'bias': *}}}, None]"


SAME = "the same words that both of these texts begin with, "


@pytest.mark.parametrize(
    ("before", "after", "texts"),
    [
        ("a" * 120, "b", ("a" * 120, "b")),
        ("a" * 121, "b", ("a" * 120 + "…", "b")),
        (SAME * 3 + "one", SAME * 3 + "two", ("…texts begin with, one", "…texts begin with, two")),
        ("x" * 130, "x" * 131, ("…" + "x" * 24, "…" + "x" * 25)),
        ("one two three" + "y" * 200, "one two tree", ("one two three" + "y" * 107 + "…", "one two tree")),
        ("x" + "y" * 200, "z" + "y" * 119, ("x" + "y" * 119 + "…", "z" + "y" * 119)),
    ],
)
def test_where_two_long_texts_are_cut(before: str, after: str, texts: tuple[str, str]) -> None:
    assert contrast(before, after) == texts


def test_only_the_first_line_is_kept() -> None:
    assert cut("\n first \n second") == "first"
    assert cut("x" * 50, 10) == "x" * 9 + "…"
    assert cut("x" * 10, 10) == "x" * 10
    assert len(cut("x" * 300)) == 200


def test_an_error_without_a_message_is_its_type() -> None:
    assert error_text("KeyError", None) == "KeyError"
    assert error_text("KeyError", "'w'\nmore") == "KeyError: 'w'"


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (None, None, "reason not known"),
        ("x: f32[3]", None, "reason not known"),
        (None, "x: f32[3]", "reason not known; before: not recorded; now: x: f32[3]"),
        ("x", "x", "reason not known; all that is compared is as it was: x"),
        ("x", "y", "reason not known; before: x; now: y"),
    ],
)
def test_what_is_not_known_says_what_was_compared(before: str | None, after: str | None, text: str) -> None:
    assert reason_text(Reason(kind="unknown", before=before, after=after)) == text


def test_a_kind_without_a_phrase_is_its_own() -> None:
    assert reason_text(Reason(kind="brand_new")) == "brand_new"


@pytest.mark.parametrize(
    ("before", "after", "change", "text"),
    [
        ("not there", "f32[3]", None, "p['b'] was not there before and is f32[3] now"),
        ("f32[3]", "None", "f32[3] → None", "p['b'] was f32[3] before and is None now"),
        (
            "not there",
            "f32[3]",
            "not there → f32[3] → None",
            "p['b'] came and went in its pytree: not there → f32[3] → None",
        ),
        ("(*,)", "[*]", None, "p['b'] changed its pytree structure (*,) → [*]"),
    ],
)
def test_a_leaf_that_came_or_went_reads_like_a_sentence(before: str, after: str, change: str | None, text: str) -> None:
    reason = Reason(kind="new_pytree_structure", path="p['b']", before=before, after=after)
    assert reason_text(reason, change) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("0.1 → 0.09000000000000001 → 0.08100000000000002", "0.1 → 0.09 → 0.081"),
        ("0.09 → 0.09000000000000001", "0.09 → 0.09000000000000001"),
        ("1 → 1.0", "1 → 1.0"),
        ("Adam(rate=0.30000000000000004)", "Adam(rate=0.3)"),
        ("'0.30000000000000004'", "'0.30000000000000004'"),
        ("1234567.25", "1234567.25"),
    ],
)
def test_people_read_six_digits_as_far_as_numbers_that_differ_still_do(text: str, read: str) -> None:
    assert rounded(text) == read
    reason = Reason(kind="new_static_value", path="rate", before=text, after="None")
    assert reason_text(reason) == f"static value rate changed {read} → None"
