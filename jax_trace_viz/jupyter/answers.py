"""What a client may ask, and the answers. Pure: whoever carries the messages calls `answer`.

Runs on any thread while a cell is running; it reads sessions, which lock themselves, and never has JAX trace or
compile anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from jax_trace_viz.contract.view import Answer, Hello, Request

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.jupyter.feed import Feed


_MAX_TEXT = 1_000
"""Characters of a search, and"""
_MAX_BOXES = 10_000
"""boxes that one request may ask to open."""


class Desk(Protocol):
    """Whoever can be asked."""

    def feed(self, session: str | None) -> Feed | None:
        """The session of that name, if it is still held."""
        ...

    def hello(self) -> Hello:
        """What is held, and whether every cell is recorded."""
        ...

    def record(self, *, on: bool) -> None:
        """Records every later cell, or stops."""
        ...


class UnanswerableError(Exception):
    """A request that makes no sense; the text is for people."""


def answer(asked: object, desk: Desk) -> Answer:
    """Answers whatever a message holds as its request."""
    number: Any = asked.get("id") if isinstance(asked, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    identity = number if isinstance(number, int) else -1
    try:
        return _answer(msgspec.convert(asked, Request), desk)
    except msgspec.ValidationError as error:
        return Answer(id=identity, error=f"This is no request of jax_trace_viz: {error}.")
    except UnanswerableError as error:
        return Answer(id=identity, error=str(error))
    except Exception as error:  # noqa: BLE001 (whatever it is, the client waits for an answer)
        return Answer(id=identity, error=f"jax_trace_viz failed to answer ({type(error).__name__}: {error}).")


def _answer(request: Request, desk: Desk) -> Answer:
    if len(request.text) > _MAX_TEXT or len(request.open_boxes) > _MAX_BOXES:
        raise UnanswerableError("The request is too large.")
    match request.method:
        case "hello":
            return Answer(id=request.id, hello=desk.hello())
        case "record":
            desk.record(on=bool(request.record))
            return Answer(id=request.id, hello=desk.hello())
        case "complete":
            return Answer(id=request.id, update=_feed(request, desk).complete())
        case "export":
            return _exported(request, _feed(request, desk))
        case "cancel":  # whoever answers one after another has answered what came before
            return Answer(id=request.id)
        case _:
            return _about_trace(request, _feed(request, desk), _trace(request))


def _exported(request: Request, feed: Feed) -> Answer:
    try:
        return Answer(id=request.id, exported=feed.export(request.format))
    except LookupError as error:
        raise UnanswerableError(str(error)) from error


def _about_trace(request: Request, feed: Feed, trace: str) -> Answer:
    match request.method:
        case "picture" if (picture := feed.picture(trace)) is not None:
            return Answer(id=request.id, graph=picture.graph, listing=picture.listing)
        case "compare" if (diff := feed.compare(trace, request.other)) is not None:
            return Answer(id=request.id, diff=diff)
        case "search" if (found := feed.search(trace, request.text)) is not None:
            return Answer(id=request.id, found=found)
        case "graph" if (graph := _graph(request, feed, trace)) is not None:
            return Answer(id=request.id, graph=graph)
        case "compare":
            raise UnanswerableError(f"There are no two jaxprs to compare for trace {trace}.")
        case _:
            raise UnanswerableError(f"The session has no trace {trace}.")


def _graph(request: Request, feed: Feed, trace: str) -> Graph | None:
    return feed.graph(trace, request.open_boxes, overlay=request.overlay, other=request.other)


def _trace(request: Request) -> str:
    if request.trace is None:
        raise UnanswerableError("Which trace? The request names none.")
    return request.trace


def _feed(request: Request, desk: Desk) -> Feed:
    feed = desk.feed(request.session)
    if feed is None:
        raise UnanswerableError(f"The kernel no longer holds session {request.session}; what is in the notebook stays.")
    return feed
