"""What one run left behind when its trace ended, until it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jax_trace_viz.capture.jaxprs.captures import Identity, Names
    from jax_trace_viz.capture.jaxprs.constants import Found


@dataclass(slots=True)
class Staged:
    """`jaxpr` is let go of as soon as it is written."""

    run: int
    jaxpr: Any
    constants: list[Identity]
    """Identities of its constants, in order."""
    found: list[Found]
    names: Names
    inputs: dict[int, str]
    """Identity of its input variables → what the body calls them, where JAX has other names."""
