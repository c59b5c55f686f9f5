"""`python -m bench.peers.retraces jax|ours`: what is said of ten programs whose cause is known.

Each program ends with the call whose trace or compilation is to be explained. Prints a JSON object: program → words.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import logging
import sys
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Retrace:
    """A program, and what is true of its last call."""

    cause: str
    run: Callable[[], object]
    wanted: tuple[str, ...]
    """What words must be in an explanation that names the cause; `a|b` where either does."""


def shapes() -> None:
    """Three sizes, one after the other."""

    @jax.jit
    def f(x: jax.Array) -> jax.Array:
        return x.sum()

    for size in (3, 4, 5):
        f(jnp.ones(size))


def dtypes() -> None:
    """Floats, then integers."""

    @jax.jit
    def f(x: jax.Array) -> jax.Array:
        return x * 2

    f(jnp.ones(3))
    f(jnp.ones(3, int))


def weak_types() -> None:
    """An array, then a Python float."""

    @jax.jit
    def f(x: jax.Array | float) -> jax.Array:
        return jnp.multiply(x, 2)

    f(jnp.float32(1))
    f(1.0)


def static_values() -> None:
    """Two values of a static argument."""

    @functools.partial(jax.jit, static_argnames="n")
    def f(x: jax.Array, n: int) -> jax.Array:
        return x * n

    f(jnp.ones(3), n=2)
    f(jnp.ones(3), n=3)


def static_functions() -> None:
    """A new lambda for a static argument, at each call."""

    @functools.partial(jax.jit, static_argnames="g")
    def f(x: jax.Array, g: Callable[[jax.Array], jax.Array]) -> jax.Array:
        return g(x)

    for _ in range(2):
        f(jnp.ones(3), g=lambda x: x + 1)


def jit_in_a_loop() -> None:
    """A new jitted function in each round."""
    for _ in range(2):
        jax.jit(lambda x: x + 1)(jnp.ones(3))


def new_keys() -> None:
    """A dict that has got a key more."""

    @jax.jit
    def f(params: dict[str, jax.Array]) -> jax.Array:
        return jnp.stack(list(params.values()))

    f({"a": jnp.ones(3)})
    f({"a": jnp.ones(3), "b": jnp.ones(3)})


def keywords() -> None:
    """The same argument by position, then by keyword."""

    @jax.jit
    def f(x: jax.Array, y: jax.Array) -> jax.Array:
        return x + y

    f(jnp.ones(3), jnp.ones(3))
    f(jnp.ones(3), y=jnp.ones(3))


def settings() -> None:
    """A setting of JAX that is part of the cache key."""

    @jax.jit
    def f(x: jax.Array) -> jax.Array:
        return x @ x

    f(jnp.ones((3, 3)))
    with jax.default_matmul_precision("highest"):
        f(jnp.ones((3, 3)))


def devices() -> None:
    """The same array on two devices: one trace, two compilations."""

    @jax.jit
    def f(x: jax.Array) -> jax.Array:
        return x + 1

    for device in jax.devices()[:2]:
        f(jax.device_put(jnp.ones(3), device))


RETRACES = (
    Retrace("`x` was `f32[4]`, now `f32[5]`", shapes, ("x", "f32[5]")),
    Retrace("`x` was `f32[3]`, now `i32[3]`", dtypes, ("x", "f32[3]", "i32[3]")),
    Retrace("`x` was an array, now a Python float", weak_types, ("x", "weak")),
    Retrace("static `n` was 2, now 3", static_values, ("n", "2", "3")),
    Retrace("static `g` is another lambda", static_functions, ("g", "another|lambda")),
    Retrace("`jax.jit` was called again, in a loop", jit_in_a_loop, ("re-defined|Another function object",)),
    Retrace("`params` has a key more, `b`", new_keys, ("'b'",)),
    Retrace("`y` by position, then by keyword", keywords, ("'y'|y=",)),
    Retrace("matmul precision was the default, now highest", settings, ("matmul_precision", "highest")),
    Retrace("`x` lies on another device", devices, ("x", "device")),
)

_LEADS = ("TRACING CACHE MISS", "for ", "all previously seen cache keys differ", "different input")
"""How the lines of JAX's message begin that say where, and that something differs, but not what."""


class _Heard(logging.Handler):
    """Keeps what JAX logs."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def said_by_jax() -> dict[str, str]:
    """What `jax_explain_cache_misses` logs of the last call; empty where it says nothing of it."""
    jax.config.update("jax_explain_cache_misses", True)  # noqa: FBT003
    heard = _Heard()
    logger = logging.getLogger("jax")
    logger.addHandler(heard)
    logger.propagate = False
    said: dict[str, str] = {}
    for retrace in RETRACES:
        heard.messages.clear()
        retrace.run()
        # The first message is of the first call.
        said[retrace.run.__name__] = _gist(heard.messages[-1]) if heard.messages[1:] else ""
    return said


def _gist(message: str) -> str:
    """The message without places, and without the link to the docs that follows some."""
    lines = [line.strip(" *") for line in message.splitlines()]
    told = [line for line in lines if line and " defined at " not in line and not line.startswith(_LEADS)]
    return " ".join(told).partition("https://")[0]


def said_by_us() -> dict[str, str]:
    """The answer of the last why card."""
    import jax_trace_viz
    from jax_trace_viz.session.why import Cards

    said: dict[str, str] = {}
    for retrace in RETRACES:
        with jax_trace_viz.trace() as session:
            retrace.run()
        document = session.document()
        cards = Cards(document.functions, document.traces, document.compilations, ()).again()
        said[retrace.run.__name__] = max(cards, key=lambda card: card.subject).answer if cards else ""
    return said


def names_the_cause(said: str, retrace: Retrace) -> bool:
    """Whether all that is wanted stands in the words."""
    return all(any(word in said for word in wanted.split("|")) for wanted in retrace.wanted)


if __name__ == "__main__":
    print(json.dumps(said_by_jax() if sys.argv[1] == "jax" else said_by_us()))
