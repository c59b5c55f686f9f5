"""Computation graphs: from recorded jaxprs to a laid out picture. Pure functions over contract records; no JAX."""

from jax_trace_viz.session.graph.build import build_graph
from jax_trace_viz.session.graph.opening import TooManyBoxesError
from jax_trace_viz.session.graph.search import search
from jax_trace_viz.session.graph.wishes import EVERYTHING

__all__ = ["EVERYTHING", "TooManyBoxesError", "build_graph", "search"]
