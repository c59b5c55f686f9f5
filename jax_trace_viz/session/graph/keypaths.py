"""Key paths such as `params['Dense_0']['kernel']`, and short texts for several of them."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PART = re.compile(r"^[^\[.]+|\[[^\]]*\]|\.\w+")
_SHORT = 36


def root(path: str) -> str:
    """The argument that a key path belongs to: `params`."""
    found = _PART.match(path)
    return found[0] if found else path


def common(paths: Iterable[str]) -> str:
    """One text for several key paths: parts that differ become `*`; where the depth differs, the shared beginning.

    Different arguments have nothing in common: the first ones are listed.
    """
    distinct = list(dict.fromkeys(paths))
    if len(distinct) == 2 and sum(map(len, distinct)) < _SHORT:
        return ", ".join(distinct)
    if len(roots := list(dict.fromkeys(map(root, distinct)))) > 1:
        return _listed(roots)
    split = [_parts(path) for path in distinct]
    columns = [set(column) for column in zip(*split, strict=False)]
    first = split[0] if split else ()
    if len({len(parts) for parts in split}) == 1:
        texts = [part if len(same) == 1 else _any(part) for part, same in zip(first, columns, strict=True)]
        return without_params("".join(texts))
    shared: list[str] = []
    for part, same in zip(first, columns, strict=False):
        if len(same) > 1:
            break
        shared.append(part)
    return re.sub(r"^(\w+)\['params'\]$", r"\1", without_params("".join(shared))) + "…"


def _listed(names: list[str]) -> str:
    """As many names as are short together, and how many more there are."""
    shown = 1
    while shown < len(names) and sum(map(len, names[: shown + 1])) < _SHORT:
        shown += 1
    return ", ".join(names[:shown]) + (f" +{len(names) - shown}" if shown < len(names) else "")


@functools.lru_cache(maxsize=4096)
def _parts(path: str) -> tuple[str, ...]:
    return tuple(_PART.findall(path))


def _any(part: str) -> str:
    return ".*" if part.startswith(".") else "[*]"


def without_params(path: str) -> str:
    """Flax puts everything below `['params']`: `params['params']['Dense_0']` says no more than `params['Dense_0']`."""
    return re.sub(r"^(\w+)\['params'\](?=\[)", r"\1", path)
