"""R12, R13: what a client sends is checked and never evaluated.

Figures: 300 random messages, and 100 that differ from a good request in one field, all get an answer that is a record
of the contract; none raises, and none records unless it asks to. Too large ones are refused in a sentence.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.view import Answer, Hello
from jax_trace_viz.jupyter.answers import answer
from jax_trace_viz.jupyter.feed import Feed
from jax_trace_viz.session import Session

SESSION = Session()
METHODS = ["hello", "complete", "graph", "picture", "compare", "search", "record", "eval", "__class__", ""]
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("id", "method", "session", "trace", "other", "open_boxes", "text", "record")


class Desk:
    """Holds one empty session, and says whether it was told to record."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self._feed = Feed(SESSION, Cell())

    def feed(self, session: str | None) -> Feed | None:
        return self._feed if session == SESSION.name else None

    def hello(self) -> Hello:
        return Hello(package_version="", recording=False, updates=[])

    def record(self, *, on: bool) -> None:
        self.told.append(on)


def answered(asked: object) -> Desk:
    desk = Desk()
    told = answer(asked, desk)
    assert msgspec.json.decode(msgspec.json.encode(told), type=Answer).id == told.id
    return desk


@settings(max_examples=300)
@given(anything)
def test_any_message_gets_an_answer(asked: object) -> None:
    assert answered(asked).told == []


@settings(max_examples=100)
@given(st.sampled_from(METHODS), st.sampled_from(FIELDS), anything)
def test_a_request_with_one_odd_field_gets_an_answer(method: str, field: str, value: object) -> None:
    request = {"id": 1, "method": method, "session": SESSION.name, "trace": "f1#1", field: value}
    told = answered(request).told
    assert told == [] or request["method"] == "record"


@pytest.mark.parametrize("large", [{"text": "x" * 1_001}, {"open_boxes": ["b"] * 10_001}])
def test_a_request_that_is_too_large_is_refused(large: dict[str, object]) -> None:
    told = answer({"id": 7, "method": "search", "session": SESSION.name, "trace": "f1#1"} | large, Desk())
    assert (told.id, told.error) == (7, "The request is too large.")
