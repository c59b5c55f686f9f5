"""Things inside each other: the nodes of a picture, and the items of its layout."""

from __future__ import annotations

from typing import Protocol, Self, TypeVar


class Nested(Protocol):
    """Something that may lie in another one of its kind."""

    @property
    def parent(self) -> Self | None:
        """What it lies in."""
        ...


N = TypeVar("N", bound=Nested)


def chain(one: N) -> list[N]:
    """What lies around something, from the outermost in, and itself."""
    found = [one]
    parent = one.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    found.reverse()
    return found


def meeting(one: N, other: N) -> tuple[N, N, N]:
    """The innermost of those around both, and what lies directly in it on the way to each."""
    if one.parent is other.parent and one.parent is not None:  # most often, they are neighbours
        return one.parent, one, other
    a, b = chain(one), chain(other)
    depth, deepest = 0, min(len(a), len(b)) - 1
    while depth < deepest and a[depth] is b[depth]:
        depth += 1
    return a[max(depth - 1, 0)], a[depth], b[depth]
