"""Errors of tracing explained: what JAX needed, where in the user's source, and the form that works."""
