"""What differs between two cache keys, part by part.

Two calls of one function are compared in all their parts, never only in the first that differs, because only all of
them together say how near two keys are. A part is told as a `Reason`: its kind, its key path, before and after.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Reason
from jax_trace_viz.session.reasons.static_texts import another_class, value_text, value_texts
from jax_trace_viz.session.reasons.trees import Difference, Tree, one_branch, one_leaf, one_setting, resized, several
from jax_trace_viz.session.wording import DEFAULT, contrast, contrast_structures, type_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jax_trace_viz.contract.key import Key, Leaf, StaticValue

PART_ORDER = (
    "kwargs_signature",
    "new_pytree_structure",
    "new_shape",
    "new_dtype",
    "weak_type",
    "new_static_value",
    "config_context",
    "sharding_or_device",
    "donation",
)
"""The decisive kind comes first."""

X64 = "jax_enable_x64"
MESH = "mesh in jax.set_mesh"
NAMED_AXES = "named axes"
NOT_SET = "not set"
_MEMORY = " memory"
"""How the sharding of a type ends that lives elsewhere than in the device's own memory."""

Diff = list[Reason]


def diff_trace_parts(new: Key, old: Key) -> Diff:
    """Every part on which JAX's tracing cache tells `new` from `old`, the decisive one first."""
    statics, unsure = list(_statics(new, old)), _unsure(new, old)
    parts = [
        *_call_spelling(new, old),
        *_structures(new, old),
        *_leaf_types(new, old),
        *(part for part in statics if part.path not in unsure),
        *_context(new, old),
    ]
    # What only an object's own `__eq__` could tell is the cause only where nothing else can be.
    parts = parts or statics
    return sorted(parts, key=lambda part: PART_ORDER.index(part.kind))


def diff_compile_parts(new: Key, old: Key) -> Diff:
    """Every part that leaves the trace alone but asks for another executable."""
    parts = [*_placements(new, old)]
    if new.shardings != old.shardings:
        parts.append(_part("sharding_or_device", None, old.shardings or "unspecified", new.shardings or "unspecified"))
    if set(new.donated) != set(old.donated):
        parts.append(_part("donation", None, _names(old.donated), _names(new.donated)))
    return parts


def argument_of(path: str) -> str:
    """The argument's name in a key path: `params` of `params['w'][0]`."""
    match = re.match(r"[^.\[]+", path)
    return match[0] if match else path


def _part(kind: str, path: str | None, before: str, after: str) -> Reason:
    before, after = contrast(before, after)
    return Reason(kind=kind, path=path, before=before, after=after)


def _names(names: Sequence[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _spelling(key: Key) -> str:
    words = [f"{key.positional} positional"] if key.positional or not key.keywords else []
    if key.keywords:
        words.append(", ".join(f"{name}=" for name in sorted(key.keywords)))
    return ", ".join(words)


def _call_spelling(new: Key, old: Key) -> Iterator[Reason]:
    # The order of keywords is no part of JAX's key.
    if new.positional == old.positional and set(new.keywords) == set(old.keywords):
        return
    changed = set(new.keywords) ^ set(old.keywords)
    # One argument alone: left out in one of the calls, or by position there and by keyword here.
    moved = len(new.keywords) - len(old.keywords) == old.positional - new.positional
    alone = len(changed) == 1 and (new.positional == old.positional or (moved and _arguments(new) == _arguments(old)))
    changed = changed if changed else _arguments(new) ^ _arguments(old)
    alone = alone or (set(new.keywords) == set(old.keywords) and len(changed) == 1)
    yield _part("kwargs_signature", changed.pop() if alone else None, _spelling(old), _spelling(new))


def _arguments(key: Key) -> set[str]:
    return {*key.structures, *(argument_of(static.path) for static in key.statics)}


def _leaves_by_path(key: Key) -> dict[str, Leaf]:
    return {leaf.path: leaf for leaf in key.leaves}


def _structures(new: Key, old: Key) -> Iterator[Reason]:
    if new.structures == old.structures and new.classes == old.classes and len(new.leaves) == len(old.leaves):
        return
    static = {part.path for key in (new, old) for part in key.statics}
    now, then = _leaves_by_argument(new, static), _leaves_by_argument(old, static)
    for name, structure in new.structures.items():
        before = old.structures.get(name)
        if before is None:
            continue  # another spelling of the call, or static before: told there
        # Leaves that turned static (or back) are told by the static values, unless the tree itself looks different.
        trees = Tree(before, then.get(name, {})), Tree(structure, now.get(name, {}))
        if structure != before or trees[0].leaves.keys() != trees[1].leaves.keys():
            found = _different_trees(name, *trees)
            yield Reason(kind="new_pytree_structure", path=found.path, before=found.before, after=found.after)
        elif texts := another_class(old.classes.get(name, ()), new.classes.get(name, ())):
            yield _part("new_pytree_structure", name, *texts)


def _leaves_by_argument(key: Key, static: set[str]) -> dict[str, dict[str, Leaf]]:
    """The leaves that are static in neither key, in one pass: a call may have thousands of arguments."""
    found: dict[str, dict[str, Leaf]] = {}
    for leaf in key.leaves:
        if leaf.path not in static:
            found.setdefault(argument_of(leaf.path), {})[leaf.path] = leaf
    return found


def _different_trees(name: str, then: Tree, now: Tree) -> Difference:
    """What came or went, as near to its place as is known; else both structures."""
    found = resized(name, then, now)
    removed, added = then.leaves.keys() - now.leaves.keys(), now.leaves.keys() - then.leaves.keys()
    if found is None and len(added) + len(removed) == 1:
        found = one_leaf((added or removed).pop(), then, now)
    if found is None and then.structure == now.structure:
        found = Difference(name, f"leaves {_names([*removed])}", f"leaves {_names([*added])}")
    found = found or one_branch(name, then, now) or (None if added or removed else one_setting(name, then, now))
    found = found or several(name, then, now)
    return found or Difference(name, *contrast_structures(then.structure, now.structure))


def _leaf_types(new: Key, old: Key) -> Iterator[Reason]:
    if new.leaves == old.leaves:
        return
    then = _leaves_by_path(old)
    for leaf in new.leaves:
        before = then.get(leaf.path)
        if before is None or before == leaf:
            continue
        texts = (type_text(before), type_text(leaf))
        if before.shape != leaf.shape:
            yield _part("new_shape", leaf.path, *texts)
        if before.dtype != leaf.dtype and not _follows_from_x64(new, old, leaf, before):
            yield _part("new_dtype", leaf.path, *texts)
        if before.weak_type != leaf.weak_type:
            yield _part("weak_type", leaf.path, *texts)
        # The sharding of an abstract value names every dimension: of another rank it differs by that alone.
        if before.aval_sharding != leaf.aval_sharding and len(before.shape) == len(leaf.shape):
            yield _part("sharding_or_device", leaf.path, *_sharding_texts(before, leaf))


def _follows_from_x64(new: Key, old: Key, after: Leaf, before: Leaf) -> bool:
    """Whether the program passed the same, and JAX made another dtype of it because `jax_enable_x64` is another."""
    same = bool(after.given) and after.given == before.given
    return same and new.context.get(X64) != old.context.get(X64)


def _sharding_texts(before: Leaf, after: Leaf) -> tuple[str, str]:
    """Where the arrays lie, as the user placed them: on an automatic mesh a type names no axis."""
    if before.placement and after.placement and before.placement != after.placement:
        return before.placement, after.placement
    elsewhere = any(leaf.aval_sharding.endswith(_MEMORY) for leaf in (before, after))
    usual = "device memory" if elsewhere else "no mesh"
    return before.aval_sharding or usual, after.aval_sharding or usual


def _statics(new: Key, old: Key) -> Iterator[Reason]:
    if new.statics == old.statics:
        return
    then = {static.path: static for static in old.statics}
    now = {static.path: static for static in new.statics}
    told: set[str] = set()
    yield from _left_out(now, {static.path: static for static in old.defaults}, given_now=True)
    yield from _left_out(then, {static.path: static for static in new.defaults}, given_now=False)
    for path in {**now, **then}:
        if _is_inside(path, told):
            continue  # what a new object consists of, or an old one did
        for part in _static(path, now.get(path), then.get(path), new, old):
            told.add(path)
            yield part


def _equal(one: StaticValue, other: StaticValue) -> bool:
    """Whether they are to JAX."""
    types_differ = one.compared_type and other.compared_type and one.compared_type != other.compared_type
    values = ((each.token, each.identity, each.of_class) for each in (one, other))
    return not types_differ and next(values) == next(values)


def _left_out(given: dict[str, StaticValue], defaults: dict[str, StaticValue], *, given_now: bool) -> Iterator[Reason]:
    """Static values that one of two calls gives and the other leaves to a default of another value."""
    for path in given.keys() & defaults.keys():
        value, default = given[path], defaults[path]
        if not _equal(value, default):
            texts = (f"{value_text(default)}{DEFAULT}", value_text(value))
            yield _part("new_static_value", path, *(texts if given_now else texts[::-1]))


def _unsure(new: Key, old: Key) -> set[str]:
    # A whole static value of another type is another value, whatever `__eq__` says.
    types = {static.path: static.type for static in old.statics if static.path == argument_of(static.path)}
    return {static.path for static in new.statics if not static.sure and types.get(static.path) in (None, static.type)}


def _is_inside(path: str, outer: set[str]) -> bool:
    """Whether one of these is the path of something that holds the part at `path`."""
    return any(path[:end] in outer for end, letter in enumerate(path) if letter in ".[ ")


def _static(path: str, after: StaticValue | None, before: StaticValue | None, new: Key, old: Key) -> Iterator[Reason]:
    if after is not None and before is not None:
        if not _equal(before, after):
            yield _part("new_static_value", path, *value_texts(before, after))
    elif after is not None:
        yield from _turned_static(after, _leaves_by_path(old), old, turned_back=False)
    elif before is not None:
        yield from _turned_static(before, _leaves_by_path(new), new, turned_back=True)


def _turned_static(static: StaticValue, leaves: dict[str, Leaf], other: Key, *, turned_back: bool) -> Iterator[Reason]:
    """A value that is static in one of the two keys only; `other` is the key without it."""
    leaf = leaves.get(static.path)
    root = argument_of(static.path)
    if leaf is not None:
        there = f"traced {type_text(leaf)}"
    elif static.path in other.structures:
        there = "traced"
    elif root in other.structures or any(argument_of(s.path) == root for s in other.statics):
        there = "absent"
    else:
        return  # the whole argument is missing there: another spelling of the call
    here = f"static {value_text(static)}"
    yield _part("new_static_value", static.path, *((here, there) if turned_back else (there, here)))


def _context(new: Key, old: Key) -> Iterator[Reason]:
    if new.context == old.context:
        return
    changed = {
        name: (old.context.get(name, NOT_SET), new.context.get(name, NOT_SET)) for name in new.context | old.context
    }
    # Within `shard_map` and `pmap` JAX's own mesh stands in place of the user's; its axes are the named ones.
    if changed.get(MESH) == changed.get(NAMED_AXES):
        changed.pop(MESH, None)
    for name, (before, after) in changed.items():
        if before != after:
            yield _part("config_context", name, before, after)


def _placement(leaf: Leaf) -> str:
    # JAX moves an uncommitted array, or one that is not on a device yet, to wherever the rest is.
    return f"{leaf.placement}, committed" if leaf.committed and leaf.placement else "uncommitted"


def _placements(new: Key, old: Key) -> Iterator[Reason]:
    then = _leaves_by_path(old)
    for leaf in new.leaves:
        before = then.get(leaf.path)
        if before is not None and _placement(before) != _placement(leaf):
            yield _part("sharding_or_device", leaf.path, _placement(before), _placement(leaf))
