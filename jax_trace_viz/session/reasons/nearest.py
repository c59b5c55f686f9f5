"""Which earlier key a call is compared with: the one that differs least."""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import TYPE_CHECKING

from jax_trace_viz.session.reasons.keys import Diff, argument_of, diff_trace_parts
from jax_trace_viz.session.wording import NO_LEAF, OWN_HASH, is_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jax_trace_viz.contract.document import Reason
    from jax_trace_viz.contract.key import Key, StaticValue

_WORD = re.compile(r"[\w.#~']+|[\[\](){}*]")


def nearest(
    new: Key, keys: Sequence[Key], diff: Callable[[Key, Key], Diff] = diff_trace_parts, enough: int = 0
) -> tuple[int, Diff]:
    """The index of the key that `new` differs least from, and the difference.

    Fewest kinds that differ, then fewest parts, then the smallest difference of structures that are told as a whole,
    then the most recent. `keys` must not be empty. The search ends at a key that differs in no more than `enough`
    parts, which is for those who know that none is nearer.
    """
    best: tuple[int, Diff] | None = None
    for index in range(len(keys) - 1, -1, -1):
        parts = diff(new, keys[index])
        if best is None or distance(parts) < distance(best[1]) or _is_plainer(parts, best, new, keys, index):
            best = (index, parts)
        if len(parts) <= enough and not any(map(_told_as_a_whole, parts)):
            break
    assert best is not None, "nothing to compare with"
    return best


def _is_plainer(parts: Diff, best: tuple[int, Diff], new: Key, keys: Sequence[Key], index: int) -> bool:
    """Whether of two keys that differ in the same kinds of parts, this one's structures differ less."""
    if distance(parts) != distance(best[1]) or not any(map(_told_as_a_whole, best[1])):
        return False
    if {part.kind for part in parts} != {part.kind for part in best[1]}:
        return False
    return _apart(parts, new, keys[index]) < _apart(best[1], new, keys[best[0]])


def _told_as_a_whole(part: Reason) -> str | None:
    """The argument whose structures are told beside each other, as no place in them has all that differs."""
    path, texts = part.path, (part.before, part.after)
    is_whole = path is not None and argument_of(path) == path and not any(map(is_length, texts))
    return path if part.kind == "new_pytree_structure" and is_whole and NO_LEAF.isdisjoint(texts) else None


def _apart(parts: Diff, new: Key, old: Key) -> int:
    """How many words, brackets and leaves two keys do not share in structures that are told as a whole."""
    count = 0
    for name in filter(None, map(_told_as_a_whole, parts)):
        now, then = (_words(key.structures.get(name, "")) for key in (new, old))
        count += (now - then).total() + (then - now).total()
    return count


@functools.lru_cache(maxsize=8)
def _words(structure: str) -> Counter[str]:
    """A new key is held against many earlier ones, whose structures are a model's and long. Do not change it."""
    return Counter(_WORD.findall(structure))


def fingerprint(key: Key) -> int:
    """Equal for keys that JAX's tracing cache does not tell apart, unless an object of theirs says so itself."""
    return hash(
        (
            key.positional,
            frozenset(key.keywords),
            frozenset(key.structures.items()),
            frozenset(key.classes.items()),
            frozenset(key.context.items()),
            frozenset(
                (s.path, s.token, s.compared_type, s.identity, s.of_class) for s in key.statics if not _is_own_hash(s)
            ),
            frozenset((leaf.path, leaf.shape, leaf.dtype, leaf.weak_type, leaf.aval_sharding) for leaf in key.leaves),
        )
    )


def _is_own_hash(static: StaticValue) -> bool:
    return not static.sure and static.path.endswith(OWN_HASH)


def distance(parts: Diff) -> tuple[int, int]:
    """How far apart two keys are: kinds that differ, then parts that differ."""
    return len({part.kind for part in parts}), len(parts)
