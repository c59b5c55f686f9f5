"""Cache keys of our own: every part of a call that decides whether JAX traces again."""
