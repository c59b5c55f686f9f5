"""Keys that JAX's tracing cache does not tell apart have equal fingerprints, and others have not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from jax_trace_viz.session.reasons.nearest import fingerprint
from jax_trace_viz.session.wording import OWN_HASH
from tests.session.events import key, leaf, static

if TYPE_CHECKING:
    from jax_trace_viz.contract.key import Key

PLAIN = key(leaf("x", 2), statics=(static("mode", "up"), static(f"model{OWN_HASH}", 1, sure=False)))


def of(**changed: object) -> Key:
    """The plain key, but for this."""
    return msgspec.structs.replace(PLAIN, **changed)


@pytest.mark.parametrize(
    "other",
    [
        of(leaves=(leaf("x", 2, placement="cpu:1", committed=True),)),
        of(donated=("x",)),
        of(callable=2),
        of(statics=(static("mode", "up"), static(f"model{OWN_HASH}", 2, sure=False))),
        of(statics=PLAIN.statics[::-1]),
    ],
    ids=["placement", "donation", "callable", "own hash", "order"],
)
def test_what_the_tracing_cache_does_not_look_at_changes_none(other: Key) -> None:
    assert fingerprint(other) == fingerprint(PLAIN)


@pytest.mark.parametrize(
    "other",
    [
        of(positional=2),
        of(keywords=("x",)),
        of(structures={"x": "(*,)"}),
        of(context={"jax_enable_x64": "True"}),
        of(leaves=(leaf("y", 2),)),
        of(leaves=(leaf("x", 3),)),
        of(leaves=(leaf("x", 2, dtype="i32"),)),
        of(leaves=(leaf("x", 2, weak=True),)),
        of(leaves=(leaf("x", 2, aval_sharding="P('a')"),)),
        of(statics=(static("other", "up"),)),
        of(statics=(static("mode", "down"),)),
        of(statics=(static("mode", "up", compared_type="Mode"),)),
        of(statics=(static("mode", "up", identity=True),)),
        of(statics=(static("mode", "up"), static("model", 1, sure=False))),
        of(statics=(static("mode", "up"), static(f"model{OWN_HASH}", 1))),
    ],
)
def test_what_it_looks_at_changes_it(other: Key) -> None:
    assert fingerprint(other) != fingerprint(PLAIN)
