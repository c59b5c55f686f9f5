"""Why JAX traced and why XLA compiled: each key against the nearest earlier one, part by part."""
