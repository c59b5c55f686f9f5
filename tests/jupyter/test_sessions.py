"""What a kernel keeps for clients that come later, and the form in which it goes over the wire."""

from __future__ import annotations

import json
import math

import msgspec
import pytest

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.events import EnvironmentSeen, FunctionSeen
from jax_trace_viz.contract.picture import Box
from jax_trace_viz.jupyter import wire
from jax_trace_viz.jupyter.feed import Feed
from jax_trace_viz.jupyter.sessions import Sessions
from jax_trace_viz.session import Session


def see(session: Session, number: int, source: str = "") -> None:
    session.apply(
        FunctionSeen(
            function=number,
            name=f"f{number}",
            qualname=f"f{number}",
            file="a.py",
            line=number,
            end_line=number,
            origin="user",
            source=source,
        )
    )


def test_the_newest_sessions_are_held():
    sessions = Sessions()
    feeds = [Feed(Session(), Cell(id=str(number))) for number in range(12)]
    for feed in feeds:
        sessions.hold(feed)
    sessions.hold(feeds[-1])
    assert [update.cell.id for update in sessions.hello(recording=True).updates] == [str(n) for n in range(4, 12)]
    assert sessions.newest() is feeds[-1]
    assert sessions.get(feeds[4].name) is feeds[4]
    assert sessions.get(feeds[3].name) is None
    assert sessions.get(None) is None


def test_a_hello_stays_small_but_holds_the_newest_session():
    sessions = Sessions()
    for number in range(8):
        session = Session()
        see(session, 1, source="x" * 700_000)
        sessions.hold(Feed(session, Cell(id=str(number))))
    hello = sessions.hello(recording=False)
    assert [update.cell.id for update in hello.updates] == ["6", "7"]
    assert len(wire.encoded(hello)) < 2_000_000


def test_updates_are_numbered_and_hold_what_changed():
    session = Session()
    feed = Feed(session, Cell())
    assert feed.next_complete().number == 1
    assert feed.changes() is None
    see(session, 1)
    first = feed.changes()
    see(session, 2)
    second = feed.changes()
    assert [(u.number, u.complete, [f.name for f in u.functions]) for u in (first, second)] == [
        (2, False, ["f1"]),
        (3, False, ["f2"]),
    ]
    assert feed.changes() is None
    # Whoever asks for everything gets it under the newest number, and the others miss none.
    asked = feed.complete()
    assert (asked.number, asked.complete, len(asked.functions)) == (3, True, 2)
    session.finish(Outcome())
    last = feed.next_complete()
    assert (last.number, last.state) == (4, "ok")
    assert feed.complete() is last


def test_updates_name_the_other_cells_that_the_functions_were_written_in():
    session = Session()
    see(session, 1)
    (seen,) = session.functions
    cells = {seen.file: Cell(id="c1", file=seen.file)}
    feed = Feed(session, Cell(id="c2", file="cell-2.py"), written_in=cells.get)
    assert [cell.id for cell in feed.next_complete().cells] == ["c1"]
    # A copy of that cell that runs later has the same file name, but it is not where this session's functions stand.
    cells[seen.file] = Cell(id="copy", file=seen.file)
    assert [cell.id for cell in feed.complete().cells] == ["c1"]
    assert [cell.id for cell in session.document().cells] == ["c2", "c1"]
    own = Session()
    see(own, 1)
    assert Feed(own, Cell(id="c1", file=seen.file), written_in=cells.get).next_complete().cells == []


def test_an_environment_alone_is_a_change():
    session = Session()
    feed = Feed(session, Cell())
    feed.next_complete()
    environment = msgspec.structs.replace(session.document().environment, jax="0.12")
    session.apply(EnvironmentSeen(environment=environment))
    assert feed.changes().environment.jax == "0.12"


@pytest.mark.parametrize("label", ["a", "naïve ∂ \U0001f40d", "half \ud800 a character", "\x1b\x00"])
@pytest.mark.parametrize("x", [1.5, math.nan, -math.inf])
def test_every_record_becomes_json(label, x):
    box = Box(id="b", kind="operation", label=label, detail="", title="", x=x, y=0, width=1, height=1)
    plain = wire.plain(box)
    assert plain["x"] == (x if math.isfinite(x) else None)
    assert plain["label"] == label.replace("\ud800", "?")
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False).encode()
    assert json.loads(text) == plain
    assert json.loads(wire.encoded(box)) == plain
