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
    reason_text,
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
    [(16, "16 B"), (4096, "4.1 kB"), (2**22, "4.19 MB"), (99_400, "99.4 kB"), (3 * 10**9, "3 GB"), (999_500, "1 MB")],
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
def test_long_structures_are_told_by_their_different_parts(change, texts):
    parts = {f"f{i}": f"f{i}=1" for i in range(200)}
    before, after = (", ".join(which.values()) for which in (parts, {**parts, **change}))
    assert contrast_structures(f"Net[{before}, end]", f"Net[{after}, end]") == texts


def test_only_the_first_line_is_kept() -> None:
    assert cut("\n first \n second") == "first"
    assert cut("x" * 50, 10) == "x" * 9 + "…"


def test_a_kind_without_a_phrase_is_its_own() -> None:
    assert reason_text(Reason(kind="brand_new")) == "brand_new"
