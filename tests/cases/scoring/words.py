"""The vocabulary of the session document, as the cases use it."""

from __future__ import annotations

MARKS = frozenset({"traced", "static", "concrete_array", "mixed"})

PARTS = frozenset({"new_shape", "new_dtype", "weak_type", "new_static_value", "new_pytree_structure"})
"""A part of the arguments changed: the reason carries path, before and after."""

FACTS = frozenset(
    {"new_shape", "new_dtype", "weak_type", "kwargs_signature", "config_context", "cache_cleared", "donation"}
)
"""True or false, no matter of judgement."""

COMPARED = PARTS | {"kwargs_signature", "config_context"}
"""These name the earlier trace they differ from."""

ENTRY_POINTS = frozenset({"eval_shape", "make_jaxpr", "aot_lower"})

REASONS = (
    PARTS
    | FACTS
    | ENTRY_POINTS
    | {
        "first_call",
        "new_function_object",
        "sharding_or_device",
        "called_by_traced_function",
        "branch_trace",
        "new_transform_context",
        "function_redefined",
        "uncached_transform",
        "unknown",
    }
)

DTYPE_LETTERS = {"float": "f", "int": "i", "uint": "u", "complex": "c", "bfloat": "bf"}
