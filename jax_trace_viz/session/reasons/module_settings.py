"""The static attributes of Flax NNX modules, read from the structure's text.

NNX passes a module as a graph (`capture/keys/module_graphs.py`), whose text has all that decides whether two are equal:
the user's attributes, the class of each node, and which of them is another one's object.
"""

from __future__ import annotations

import functools
import re

_GRAPH = "GraphDef["
_VALUE = r"'[^']*'|[^,'(\[{\])}]|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}"
_SETTING = re.compile(rf", (?P<path>[A-Za-z_][\w.\[\]]*)=(?P<value>(?:{_VALUE})*)")
_OWN = re.compile(r"(?:^|\.)(?:_pytree__\w*|_length$)")
"""NNX's own attributes of a module, and of a list."""

_IS = re.compile(r"(?:^|\.)is$")


@functools.lru_cache(maxsize=8)
def graph_settings(structure: str) -> dict[str, str]:
    """The user's static attributes by path, `drop.rate` → `0.5`; empty for what is no graph. Do not change it."""
    start = structure.find(_GRAPH)
    if start < 0:
        return {}
    found = {match["path"]: match["value"] for match in _SETTING.finditer(structure, start)}
    return {path: value for path, value in found.items() if not _OWN.search(path)}


def setting_text(path: str, value: str) -> tuple[str, str]:
    """What a setting is of, and its value; of an object that has another name as well, that name."""
    return (_IS.sub("", path), f"the same as {value[1:-1]}") if _IS.search(path) else (path, value)


def setting_in_words(path: str, value: str) -> str:
    """A setting among others: `drop.rate=0.5`."""
    what, text = setting_text(path, value)
    return f"{path}={text}" if what == path else f"{what} is {text}".lstrip()
