"""The independent counter: the bodies of the test programs count themselves, in plain Python."""

from __future__ import annotations

import collections


class Ran:
    """Counts runs of bodies. Each body that JAX runs calls it with its own name, first thing."""

    def __init__(self) -> None:
        self._bodies: list[str] = []
        self._calls: list[str] = []

    def __call__(self, name: str) -> None:
        """One run of a body that JAX caused. Appending is atomic: programs may do it on several threads."""
        self._bodies.append(name)

    def called(self, name: str) -> None:
        """One call of a jitted function, said next to the call."""
        self._calls.append(name)

    @property
    def counts(self) -> dict[str, int]:
        """Name → runs. A program in which nothing ran proves nothing."""
        assert self._bodies, "no body counted itself"
        return dict(collections.Counter(self._bodies))

    @property
    def calls(self) -> dict[str, int]:
        """Name → calls."""
        assert self._calls, "no call was counted"
        return dict(collections.Counter(self._calls))
