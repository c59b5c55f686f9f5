"""How two pytree structures differ, told at the place where they do."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.reasons.module_settings import graph_settings, setting_in_words, setting_text
from jax_trace_viz.session.wording import NOT_THERE, TEXT_LIMIT, contrast, type_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jax_trace_viz.contract.key import Leaf

_OPENING = {"[": "]", "(": ")", "{": "}"}
_BRACKET = re.compile(r"[\[\](){}]")
_BRACKET_OR_COMMA = re.compile(r"[\[\](){},]")
_KINDS = {"[": "list of", "(": "tuple of"}
_STEP = re.compile(r"\.\w+|\[(?:'[^']*'|\"[^\"]*\"|[^\]]*)\]")
_WORD = re.compile(r"[\w.#~']+|[\[\](){}*]")
_ELEMENT = re.compile(r"(?P<path>.+)\[(?P<index>\d+)\]")
_SHOWN = 3
"""Types of leaves that are told; the others are counted."""


class Difference(NamedTuple):
    """One place in two structures: what was there, what is."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class Tree:
    """The structure of one argument, and its leaves by path."""

    structure: str
    leaves: Mapping[str, Leaf]


def resized(name: str, then: Tree, now: Tree) -> Difference | None:
    """A list or tuple inside `name` that got longer or shorter at its end, where nothing else differs."""
    old, new = then.structure, now.structure
    start = _same(old, new)
    open_at = _open_brackets(old[:start])
    if not open_at or not _is_sequence(old, open_at[-1]):
        return None
    inside = open_at[-1] + 1
    (was, was_end), (are, are_end) = _elements(old, inside), _elements(new, inside)
    fewer, more = sorted((was, are), key=len)
    if len(fewer) == len(more) or more[: len(fewer)] != fewer or old[was_end:] != new[are_end:]:
        return None
    longer = now if len(are) > len(was) else then
    path = _path(name, len(open_at) - 1, f"[{len(fewer)}]", longer, then if longer is now else now)
    kind = _KINDS[old[inside - 1]]
    return None if path is None else Difference(path, f"{kind} {len(was)}", f"{kind} {len(are)}")


def one_leaf(path: str, then: Tree, now: Tree) -> Difference | None:
    """A single leaf that came or went, with what stood in its place, where nothing else differs."""
    leaf = now.leaves.get(path)
    without, with_leaf = (then, now) if leaf is not None else (now, then)
    place = _in_place_of_leaf(without.structure, with_leaf.structure)
    if place is None:
        return None
    texts = (place, type_text(with_leaf.leaves[path]))
    return _element(path, then, now) or Difference(path, *(texts if leaf is not None else texts[::-1]))


def one_branch(name: str, then: Tree, now: Tree) -> Difference | None:
    """Several leaves that came or went together, where their structure takes too long to tell."""
    added, removed = ([p for p in a if p not in b] for a, b in ((now.leaves, then.leaves), (then.leaves, now.leaves)))
    paths = added or removed
    if (added and removed) or len(paths) < 2 or max(len(then.structure), len(now.structure)) <= TEXT_LIMIT:
        return None
    path = _common_path(name, paths)
    fewer, more = (then, now) if added else (now, then)
    if path == name or any(_is_below(p, path) for p in fewer.leaves) or not _is_added(fewer.structure, more.structure):
        return None
    types = [type_text(more.leaves[one]) for one in paths]
    text = ", ".join(types[:_SHOWN]) + (f" and {len(types) - _SHOWN} more leaves" if len(types) > _SHOWN else "")
    texts = (NOT_THERE, text) if added else (text, NOT_THERE)
    return _element(path, then, now) or Difference(path, *texts)


def one_setting(name: str, then: Tree, now: Tree) -> Difference | None:
    """A static attribute of a module of Flax's NNX that came or went, where nothing else differs."""
    old, new = graph_settings(then.structure), graph_settings(now.structure)
    added, removed = [p for p in new if p not in old], [p for p in old if p not in new]
    if len(added) + len(removed) != 1 or any(new.get(path, value) != value for path, value in old.items()):
        return None
    path = (added or removed)[0]
    what, value = setting_text(path, (new if added else old)[path])
    texts = (NOT_THERE, value) if added else (value, NOT_THERE)
    return Difference(f"{name}.{what}" if what else name, *texts)


def several(name: str, then: Tree, now: Tree) -> Difference | None:
    """Settings and leaves of a module of Flax's NNX that differ, where its graph is too long to be told."""
    old, new = graph_settings(then.structure), graph_settings(now.structure)
    if not old or not new:
        return None
    settings = {path: None for path in {**old, **new} if old.get(path) != new.get(path)}
    before, after = _told(name, settings, old, then, now), _told(name, settings, new, now, then)
    return Difference(name, *contrast(before, after)) if before != after else None


def _told(name: str, settings: Iterable[str], values: Mapping[str, str], own: Tree, other: Tree) -> str:
    """`a.use_bias=True, a.bias: f32[4]`: settings, and the leaves that the other tree has not."""
    leaves = [(path, leaf) for path, leaf in own.leaves.items() if path not in other.leaves]
    # That it came or went is told by the leaf.
    classes = {f"{path}.__class__".removeprefix(f"{name}.") for path in own.leaves.keys() ^ other.leaves.keys()}
    parts = [setting_in_words(path, values[path]) for path in settings if path in values and path not in classes]
    parts += [f"{path.removeprefix(name).lstrip('.')}: {type_text(leaf)}" for path, leaf in leaves[:_SHOWN]]
    more = len(leaves) - _SHOWN
    return ", ".join(parts) + (f" and {more} more" if more > 0 else "") or NOT_THERE


def _element(path: str, then: Tree, now: Tree) -> Difference | None:
    """What came or went if it is the last element of a class's own list, as Flax's `nnx.List`; else None."""
    match = _ELEMENT.fullmatch(path)
    if match is None or not graph_settings(now.structure):
        return None
    counts = tuple(_count(match["path"], tree) for tree in (then, now))
    if min(counts) != int(match["index"]) or abs(counts[0] - counts[1]) != 1:
        return None
    return Difference(match["path"], *(f"list of {count}" for count in counts))


def _count(path: str, tree: Tree) -> int:
    """How many elements a list has, told by its leaves; -1 if one of them has none."""
    found = {steps[0] for p in tree.leaves if _is_below(p, path) and (steps := _STEP.findall(p[len(path) :]))}
    return len(found) if found == {f"[{index}]" for index in range(len(found))} else -1


def _in_place_of_leaf(without: str, with_leaf: str) -> str | None:
    """What stands in one structure where the other has a leaf: None, or nothing; no text if that is not all."""
    start = _same(without, with_leaf)
    if without[start:].startswith("None") and with_leaf[start:] == "*" + without[start + len("None") :]:
        return "None"
    return NOT_THERE if _is_added(without, with_leaf) else None


def _is_added(without: str, whole: str) -> bool:
    """Whether one structure is the other with something more, and the rest is equal."""
    start = _same(without, whole)
    if start + _same(without[start:][::-1], whole[start:][::-1]) == len(without):
        return True
    settings, others = graph_settings(without), graph_settings(whole)
    if settings or others:  # such a graph counts and numbers what it holds
        return all(others.get(name, value) == value for name, value in settings.items())
    # What a class keeps beside its leaves may name them, and so has a word more for each.
    return not Counter(_WORD.findall(without)) - Counter(_WORD.findall(whole))


def _same(one: str, other: str) -> int:
    """With how many equal letters both begin: structures of large models have 100,000 and more."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _open_brackets(text: str) -> list[int]:
    """Where the brackets stand that are not closed yet, the outermost first."""
    found: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] in _OPENING:
            found.append(match.start())
        elif found and match[0] == _OPENING[text[found[-1]]]:
            found.pop()
    return found


def _is_sequence(text: str, bracket: int) -> bool:
    """Whether a bracket is that of a list or tuple: those of classes and of their settings follow a name."""
    before = text[bracket - 1 : bracket]
    return text[bracket] in _KINDS and not (before.isalnum() or before in ("_", "]", ">"))


def _elements(text: str, start: int) -> tuple[list[str], int]:
    """The elements of a list or tuple from behind its bracket on, and where it is closed."""
    found: list[str] = []
    open_brackets, begin = [text[start - 1]], start
    for match in _BRACKET_OR_COMMA.finditer(text, start):
        letter = match[0]
        if letter in _OPENING:
            open_brackets.append(letter)
        elif letter == _OPENING[open_brackets[-1]]:
            open_brackets.pop()
        if open_brackets and not (letter == "," and len(open_brackets) == 1):
            continue
        if element := text[begin : match.start()].strip():
            found.append(element)
        if not open_brackets:
            return found, match.start()
        begin = match.end()
    return [], len(text)


def _path(name: str, depth: int, first: str, longer: Tree, shorter: Tree) -> str | None:
    """What a list is called that lies so deep; `first` is the index of what it has more, which must have a leaf."""
    more = [path for path in longer.leaves if path not in shorter.leaves]
    if not more:
        return None
    steps = _STEP.findall(more[0][len(name) :])
    path = name + "".join(steps[:depth])
    return path if steps[depth : depth + 1] == [first] and all(_is_below(one, path) for one in more) else None


def _common_path(name: str, paths: Sequence[str]) -> str:
    """The longest path that all of these lie below."""
    found = name
    for step in _STEP.findall(paths[0][len(name) :]):
        if not all(_is_below(path, found + step) for path in paths):
            break
        found += step
    return found


def _is_below(path: str, outer: str) -> bool:
    return path.startswith(outer) and path[len(outer) : len(outer) + 1] in ("", ".", "[")
