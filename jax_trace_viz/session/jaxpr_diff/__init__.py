"""What differs between two jaxprs, equation by equation and down into nested ones."""

from jax_trace_viz.session.jaxpr_diff.compare import compare

__all__ = ["compare"]
