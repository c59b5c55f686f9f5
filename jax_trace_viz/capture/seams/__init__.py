"""The hooks in JAX, a module for each."""
