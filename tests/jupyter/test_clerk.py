"""The thread that answers requests: one after another, until somebody cancels."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from jax_trace_viz.cancelling import check
from jax_trace_viz.contract.view import Answer
from jax_trace_viz.jupyter.clerk import Clerk

if TYPE_CHECKING:
    from collections.abc import Iterator


class Office:
    """Answers at once, but for pictures: they are never ready, so that only cancelling ends them."""

    def __init__(self) -> None:
        self.drawing: queue.Queue[str] = queue.Queue()
        """The traces whose pictures were begun."""
        self.sent: queue.Queue[tuple[str, int, str | None]] = queue.Queue()
        self.clerk = Clerk(self.answer, self.send)

    def answer(self, asked: Any) -> Answer:
        if asked["method"] == "picture":
            self.drawing.put(asked["trace"])
            while True:
                check()
                time.sleep(0.001)
        return Answer(id=asked["id"])

    def send(self, answer: Answer, client: str) -> None:
        if answer.id == 99 and answer.error is None:
            raise TypeError("unwritable")
        self.sent.put((client, answer.id, answer.error))

    def ask(self, client: str, number: int, method: str, **more: Any) -> None:
        self.clerk.take(client, {"id": number, "method": method, **more})

    def draw(self, client: str, number: int) -> None:
        self.ask(client, number, "picture", trace=f"f1#{number}")
        assert self.drawing.get(timeout=30) == f"f1#{number}"

    def answers(self, count: int) -> list[tuple[str, int, str | None]]:
        return [self.sent.get(timeout=30) for _ in range(count)]


@pytest.fixture
def office() -> Iterator[Office]:
    office = Office()
    yield office
    office.clerk.forget()


CANCELLED = "This was cancelled."


def test_what_is_cancelled_ends_and_the_next_request_is_answered(office: Office):
    office.draw("a", 1)
    office.ask("a", 2, "hello")
    office.ask("a", 3, "cancel", cancelled=1)
    assert office.answers(2) == [("a", 1, CANCELLED), ("a", 2, None)]


def test_what_is_cancelled_before_its_turn_is_not_begun(office: Office):
    office.draw("a", 1)
    office.ask("a", 2, "picture", trace="f1#2")
    office.ask("a", 3, "cancel", cancelled=2)
    office.ask("a", 4, "cancel", cancelled=1)
    assert office.answers(2) == [("a", 1, CANCELLED), ("a", 2, CANCELLED)]
    assert office.drawing.empty()


@pytest.mark.parametrize("cancelled", [2, None])
def test_nothing_else_is_cancelled(office: Office, cancelled: int | None):
    office.draw("a", 1)
    office.ask("a", 2, "cancel", cancelled=cancelled)
    office.ask("b", 3, "cancel", cancelled=1)  # another client numbers its requests itself
    office.ask("b", 4, "hello")
    with pytest.raises(queue.Empty):
        office.sent.get(timeout=0.1)
    office.ask("a", 5, "cancel", cancelled=1)
    assert office.answers(2) == [("a", 1, CANCELLED), ("b", 4, None)]


def test_a_client_that_leaves_waits_for_nothing(office: Office):
    office.draw("a", 1)
    office.ask("b", 1, "hello")
    office.clerk.forget("a")
    assert office.answers(2) == [("a", 1, CANCELLED), ("b", 1, None)]


def test_an_answer_that_cannot_be_sent_is_told_and_holds_up_nobody(office: Office):
    office.ask("a", 99, "hello")
    office.ask("a", 2, "hello")
    assert office.answers(2) == [("a", 99, "The answer cannot be sent (TypeError: unwritable)."), ("a", 2, None)]


def test_no_thread_is_left_when_nothing_waits(office: Office):
    for number in range(20):
        office.ask("a", number, "hello")
    assert [number for _, number, _ in office.answers(20)] == list(range(20))
    for thread in threading.enumerate():
        if thread.name == "jax_trace_viz-answers":
            thread.join(30)
            assert not thread.is_alive()
