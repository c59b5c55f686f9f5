"""Types as JAX prints them."""

from __future__ import annotations

from typing import Any

from jax import core

# Avals compare by value, are few, and hold no arrays; other abstract values may be anybody's and are not kept.
_texts: dict[Any, str] = {}
_MOST = 10_000


def type_text(aval: Any) -> str:
    """The type of an abstract value: `f32[8,128]`, with `~` behind it if it is weak, `key<fry>[]`, `Tok`.

    Args:
        aval: what JAX keeps as `.aval` of a variable, a tracer or an array. It is not kept unless it is a
        `ShapedArray`.
    """
    if type(aval) is not core.ShapedArray:
        return _uncached(aval)
    text = _texts.get(aval)
    if text is None:
        text = _uncached(aval)
        if len(_texts) >= _MOST:
            _texts.clear()
        _texts[aval] = text
    return text


def _uncached(aval: Any) -> str:
    kind = type(aval)
    if not kind.__module__.startswith("jax."):  # somebody else's abstract value: its `repr` may hold anything
        return kind.__name__
    text = aval.str_short(short_dtypes=True)
    return f"{text}~" if getattr(aval, "weak_type", False) else text
