"""Why a function was traced or compiled again: part by part, before and now, with what it cost and what helps."""

from jax_trace_viz.session.why.card import Card, Cards, Cost, costliest
from jax_trace_viz.session.why.parts import Part

__all__ = ["Card", "Cards", "Cost", "Part", "costliest"]
