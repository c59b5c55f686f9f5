"""Computation graphs: from recorded jaxprs to a laid out picture. Pure functions over contract records; no JAX."""

from jax_trace_viz.session.graph.build import build_graph

__all__ = ["build_graph"]
