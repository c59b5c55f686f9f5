"""The newest recordings of a kernel, for clients that come later or ask for more."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from jax_trace_viz.contract.view import Hello, Update
from jax_trace_viz.jupyter import wire
from jax_trace_viz.version import package_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.jupyter.feed import Feed

_HELD: Final = 8
_HELLO_BYTES: Final = 2_000_000


class Sessions:
    """Bounded; the oldest goes first. Used from any thread."""

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}
        self._lock = threading.Lock()

    def hold(self, feed: Feed) -> None:
        """Keeps a session as the newest."""
        with self._lock:
            self._feeds[feed.name] = feed
            while len(self._feeds) > _HELD:
                del self._feeds[next(iter(self._feeds))]

    def get(self, name: str | None) -> Feed | None:
        """The session of that name, if it is still held."""
        with self._lock:
            return self._feeds.get(name) if name else None

    def newest(self) -> Feed | None:
        """The newest session held."""
        return next(self._newest_first(), None)

    def hello(self, *, recording: bool) -> Hello:
        """All held sessions, as far as they fit into one message."""
        updates: list[Update] = []
        room = _HELLO_BYTES
        for feed in self._newest_first():
            update = feed.complete()
            room -= len(wire.encoded(update))
            if updates and room < 0:
                break
            updates.append(update)
        return Hello(package_version=package_version(), recording=recording, updates=updates[::-1])

    def _newest_first(self) -> Iterator[Feed]:
        with self._lock:
            feeds = list(self._feeds.values())
        return reversed(feeds)
