"""How things are put into words, the same in every view: types, times, sizes, reasons."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Reason
    from jax_trace_viz.contract.key import Leaf

TEXT_LIMIT = 120
_CONTEXT = 24
"""Characters kept in front of the first difference when two long texts are contrasted."""

_BETWEEN_PARTS = ", "
_BRACKETS = frozenset("()[]{}")
_CLOSING = {"(": ")", "[": "]", "{": "}"}

OWN_HASH = ".__hash__"
"""Ends the path of what stands for an object itself, where only its own `__eq__` or `__hash__` tells it from others."""

BY_ITSELF = "not equal to it by its own __eq__ or __hash__"
"""Said of a static value that differs from an earlier one in nothing that can be seen."""

CHANGED_SINCE = "changed after it was traced"
"""Said of a static value that is not any more what it was when it became a key of JAX's cache."""

DEFAULT = " (default)"
"""Ends what is said of a static value that a call leaves to the function."""

NOT_THERE = "not there"
"""Said of a leaf that a pytree does not have."""
NO_LEAF = frozenset({NOT_THERE, "None"})
"""Said of the place of a leaf where there is none."""
_DIGITS = 6
"""So many tell a number where people read it."""
_FRACTION = re.compile(r"(?<![\w.'\"])\d+\.\d+(?:e[+-]?\d+)?(?![\w.'\"])")
_LENGTH = re.compile(r"(?:list|tuple) of \d+")


def type_text(leaf: Leaf) -> str:
    """The type as JAX prints it, `f32[8,128]`; a weak type ends in `~`."""
    return f"{leaf.dtype}[{','.join(map(str, leaf.shape))}]{'~' if leaf.weak_type else ''}"


def is_length(text: str | None) -> bool:
    """Whether this says how long a list or tuple is: `list of 3`."""
    return text is not None and _LENGTH.fullmatch(text) is not None


def contrast(before: str, after: str) -> tuple[str, str]:
    """Cut two different texts so that they stay short and still differ."""
    if max(len(before), len(after)) <= TEXT_LIMIT:
        return before, after
    pairs = zip(before, after, strict=False)
    first = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(before), len(after)))
    start = _word_start(before, max(0, first - _CONTEXT), first)
    return _window(before, start), _window(after, start)


def contrast_structures(before: str, after: str) -> tuple[str, str]:
    """Cut the texts of two different pytree structures to the parts in which they differ, if they are long."""
    if max(len(before), len(after)) <= TEXT_LIMIT:
        return before, after
    was, now = before.split(_BETWEEN_PARTS), after.split(_BETWEEN_PARTS)
    if len(was) == len(now):
        was, now = _differing(was, now), _differing(now, was)
    else:
        start = _common(was, now)
        end = _common(was[start:][::-1], now[start:][::-1])
        was, now = was[start : len(was) - end], now[start : len(now) - end]
    before, after = _without_ends(_BETWEEN_PARTS.join(was) or "nothing", _BETWEEN_PARTS.join(now) or "nothing")
    before, after = _with_ends(before), _with_ends(after)
    texts = _window(before, 0), _window(after, 0)
    return contrast(before, after) if texts[0] == texts[1] else texts


def _differing(parts: list[str], others: list[str]) -> list[str]:
    """Those of the parts that the others do not have at their place; … where what is left out opens or closes some."""
    found: list[str] = []
    is_gap = False
    for part, other in zip(parts, others, strict=True):
        if part == other:
            is_gap = is_gap or not _BRACKETS.isdisjoint(part)
            continue
        found += ["…", part] if found and is_gap else [part]
        is_gap = False
    return found


def _without_ends(before: str, after: str) -> tuple[str, str]:
    """Both without the end that they share, if it closes brackets that neither opens: `scale=2.0` of `scale=2.0]()`."""
    end = _common(list(reversed(before)), list(reversed(after)))
    shared = before[len(before) - end :]
    closing = shared[len(shared.rstrip("()[]{}")) :]
    is_open = any(text.count(pair[0]) < text.count(pair[1]) for text in (before, after) for pair in ("()", "[]", "{}"))
    return (before.removesuffix(closing), after.removesuffix(closing)) if is_open else (before, after)


def _with_ends(text: str) -> str:
    """The text with an end for all brackets that it opens: `Net[scale=2.0](*, …)` for `Net[scale=2.0](*`."""
    open_brackets: list[str] = []
    for letter in filter(_BRACKETS.__contains__, text):
        if letter in _CLOSING:
            open_brackets.append(_CLOSING[letter])
        elif open_brackets and open_brackets[-1] == letter:
            open_brackets.pop()
    return f"{text}{_BETWEEN_PARTS}…{''.join(reversed(open_brackets))}" if open_brackets else text


def _common(one: list[str], other: list[str]) -> int:
    """With how many equal parts both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _word_start(text: str, start: int, end: int) -> int:
    """Where a word starts, so that none is cut in two."""
    match = re.search(r"\W(?=\w)", text[start:end]) if start else None
    return start + match.end() if match else start


def _window(text: str, start: int) -> str:
    cut = text[start : start + TEXT_LIMIT]
    return ("…" if start else "") + cut + ("…" if start + TEXT_LIMIT < len(text) else "")


def cut(text: str, limit: int = 200) -> str:
    """The first line of a text, not longer than the limit."""
    line = text.strip().partition("\n")[0].rstrip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def error_text(type: str, message: str | None) -> str:
    """An exception as one says it: its type and the first line of its message, if it has one."""
    line = cut(message or "")
    return f"{type}: {line}" if line else type


def seconds_text(seconds: float) -> str:
    """A duration in the unit one would say it in: `1.9 s`, `21 ms`, `0.3 ms`."""
    if seconds >= 60:
        return f"{int(seconds) // 60} min {int(seconds) % 60} s"
    if seconds >= 0.0995:
        return f"{seconds:.1f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.0f} ms" if milliseconds >= 1 else f"{milliseconds:.1f} ms"


def bytes_text(count: float) -> str:
    """A size with three digits at most, in decimal units as everywhere: `4.19 MB`."""
    value, unit = count, "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    digits = 2 if value < 9.95 else 1 if value < 99.5 else 0
    text = f"{value:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if digits else text} {unit}"


def rounded(text: str) -> str:
    """A sentence whose fractions have six digits at most, as far as numbers that differ still do.

    Documents and tables hold them in full: `0.09000000000000001`.
    """
    numbers = dict.fromkeys(_FRACTION.findall(text))
    short = {number: f"{float(number):.6g}" if _is_long(number) else number for number in numbers}
    told = Counter(short.values())
    return _FRACTION.sub(lambda found: short[found[0]] if told[short[found[0]]] == 1 else found[0], text)


def _is_long(fraction: str) -> bool:
    digits = fraction.partition("e")[0].replace(".", "").lstrip("0")
    return len(digits) > _DIGITS and float(fraction) < 10**_DIGITS


def trace_name(function: str, identifier: str) -> str:
    """How people call a trace: `train #2` for the id `f1#2`, `dense call 2` for a helper's `f3/call2`."""
    _, sign, number = identifier.rpartition("#")
    return f"{function} #{number}" if sign else f"{function} call {identifier.rpartition('/call')[2]}"


def count_text(count: int, noun: str, plural: str | None = None) -> str:
    """`1 trace`, `12,176 traces`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


_PHRASES = {
    "first_call": "first call",
    "new_shape": "{path} changed shape {change}",
    "new_dtype": "{path} changed dtype {change}",
    "weak_type": "{path} changed its weak type {change}",
    "new_static_value": "static value {path} changed {change}",
    "new_pytree_structure": "{path} changed its pytree structure {change}",
    "kwargs_signature": "the call was spelled differently: {change}",
    "new_function_object": "another function object: {change}",
    "config_context": "{path} changed {change}",
    "sharding_or_device": "{path} changed sharding or device {change}",
    "donation": "donated arguments changed {change}",
    "cache_cleared": "JAX's caches had been cleared",
    "new_transform_context": "another transformation around it: {change}",
    "called_by_traced_function": "called by a traced function",
    "branch_trace": "a branch: all branches are traced",
    "make_jaxpr": "jax.make_jaxpr asked for it",
    "eval_shape": "jax.eval_shape asked for it",
    "aot_lower": ".lower() or .trace() asked for it",
    "function_redefined": "the function was defined anew",
    "uncached_transform": "run under {after}, which keeps no cache",
    "unknown": "reason not known",
}


def reason_text(reason: Reason, change: str | None = None) -> str:
    """A reason as a part of a sentence: `x changed shape f32[8] → f32[9]`.

    `change` stands in for before and after, for a part that changed more than once.
    """
    phrase = _PHRASES.get(reason.kind, reason.kind)
    if change is None and reason.before is None and reason.after is None:
        phrase = phrase.replace("{change}", "").rstrip(": ")
    if reason.kind == "first_call" and reason.before:
        return f"nothing was kept: {reason.before}"
    if reason.kind == "unknown":
        return phrase + _keys_text(reason)
    return rounded(_changed(reason, phrase, change))


def _changed(reason: Reason, phrase: str, change: str | None) -> str:
    before, after = reason.before or "unknown", reason.after or "unknown"
    if reason.kind == "new_pytree_structure" and not NO_LEAF.isdisjoint((before, after)):
        if change in (None, f"{before} → {after}"):
            return f"{reason.path} was {before} before and is {after} now"
        return f"{reason.path} came and went in its pytree: {change}"
    if reason.kind == "new_pytree_structure" and is_length(before) and is_length(after):
        phrase = "{path} changed its length {change}"
    return phrase.format(path=reason.path or "an argument", after=after, change=change or f"{before} → {after}")


_SHORT = (("bfloat", "bf"), ("float", "f"), ("complex", "c"), ("uint", "u"), ("int", "i"))


def short_type(text: str) -> str:
    """`f32[3]` for `float32[3]`, which is how JAX's messages say it."""
    for word, letter in _SHORT:
        if text.startswith(word):
            return letter + text[len(word) :]
    return text


def _keys_text(unknown: Reason) -> str:
    """Both keys, so that the reader may find what we did not."""
    if unknown.after is None:
        return ""
    if unknown.before == unknown.after:
        return f"; all that is compared is as it was: {unknown.after}"
    return f"; before: {unknown.before or 'not recorded'}; now: {unknown.after}"
