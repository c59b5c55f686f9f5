"""Kernel side: hooks into JAX that tell what it traces and compiles, as the contract's events.

The only package that imports JAX. One file per seam (`staging`, `dispatching`, `compiling`, `fast_path`, and the two
watchers of bodies); what they share is in `context` and `state`.
"""
