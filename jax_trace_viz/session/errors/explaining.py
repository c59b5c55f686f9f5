"""Which explanation is for which error. JAX's own classes are told by name, the others by how their messages begin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.bodies import (
    of_bounds,
    of_callables,
    of_condition,
    of_list,
    of_pair,
    of_scanned,
    of_switch,
)
from jax_trace_viz.session.errors.calls import (
    of_deleted,
    of_donated_twice,
    of_keys,
    of_metadata,
    of_no_array,
    of_reused_key,
    of_unhashable,
)
from jax_trace_viz.session.errors.computing import of_compiled, of_not_finite, of_uncomparable
from jax_trace_viz.session.errors.conversions import of_index, of_number, of_shape
from jax_trace_viz.session.errors.cutting import of_division, of_piece, of_squeezed
from jax_trace_viz.session.errors.drawing import of_seed
from jax_trace_viz.session.errors.fitting import (
    of_axis,
    of_core,
    of_dtypes,
    of_features,
    of_fewer_axes,
    of_parameter,
    of_ranks,
    of_same_dtypes,
    of_square,
)
from jax_trace_viz.session.errors.hashing import of_callable
from jax_trace_viz.session.errors.indexing import of_indexer
from jax_trace_viz.session.errors.mismatches import of_branches, of_carry, of_predicate
from jax_trace_viz.session.errors.numpy_calls import of_array, of_stored
from jax_trace_viz.session.errors.others import of_assignment, of_format, of_lookup, of_repetition, of_result
from jax_trace_viz.session.errors.pieces import of_mask, of_slice
from jax_trace_viz.session.errors.placing import (
    of_axis_name,
    of_devices,
    of_other_sharding,
    of_pieces,
    of_spec_count,
    of_specs,
    of_uneven,
)
from jax_trace_viz.session.errors.products import of_batches, of_label, of_product, of_scalar
from jax_trace_viz.session.errors.random_keys import of_many_keys, of_no_key
from jax_trace_viz.session.errors.shapes import of_broadcast, of_indices, of_joined, of_reshape
from jax_trace_viz.session.errors.transforms import (
    of_gradient,
    of_no_number,
    of_static_names,
    of_vmap,
    of_whole_number,
)
from jax_trace_viz.session.errors.trees import of_trees
from jax_trace_viz.session.errors.truth import of_many, of_truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session.errors.problems import Explanation, Problem
    from jax_trace_viz.session.evidence import Evidence

    Explain = Callable[[Problem, Evidence], Explanation | None]

_KIND = "tracing_error"
"""The finding on all errors that are raised while a trace is made, and on those of its arguments."""

_CLASSES: dict[str, Callable[[Problem], Explanation]] = {
    "TracerBoolConversionError": of_truth,
    "TracerIntegerConversionError": of_index,
    "TracerArrayConversionError": of_array,
    "NonConcreteBooleanIndexError": of_mask,
    "ConcretizationTypeError": of_number,
}

_MESSAGES: list[tuple[str, Callable[[Problem], Explanation | None]]] = [
    (r".*[iI]n a call to primitive \w+, the value of parameter .*Tracer", of_shape),
    (r"SeedSequence expects int .*(Tracer|Traced<)", of_seed),
    (r"Indexer must have integer or boolean type", of_indexer),
    (r"Shapes must be 1D sequences of concrete values", of_shape),
    (r"(Array slice indices must have static|Slice entries must be static)", of_slice),
    (r"JAX arrays are immutable", of_assignment),
    (r"setting an array element with a sequence", of_stored),
    (r"unsupported format string passed to \w*Tracer", of_format),
    (r"unhashable type: '\w*Tracer'", of_lookup),
    (r"unhashable type: '", of_callable),
    (r"unsupported operand type\(s\) for \*: '(list|tuple|str)' and '\w*Tracer'", of_repetition),
    (r"unsupported operand type\(s\) for \*: '\w*Tracer' and '(list|tuple|str)'", of_repetition),
    (r"can't multiply sequence by non-int of type '\w*Tracer'", of_repetition),
    (r".* returned a value of type <class .* not a valid JAX type", of_result),
    (r"\w+ body function carry input and carry output must have", of_carry),
    (r"\w+ branch(es| outputs) must have (equal output types|the same pytree)", of_branches),
    (r"Pred must be a scalar", of_predicate),
    (r"lax.cond: .*should be callable", of_callables),
    (r"scan body output must be a pair", of_pair),
    (r"scan got (values with different|`length` argument|no values)", of_scanned),
    (r"cond_fun must return a boolean scalar", of_condition),
    (r"lower and upper arguments to fori_loop must have equal types", of_bounds),
    (r"Index type must be an integer", of_switch),
    (r"\w+ requires ndarray or scalar arguments, got <class '(list|tuple)'>", of_list),
    (r"vmap (got inconsistent|was requested|in_axes|must have at least)", of_vmap),
    (r"Gradient only defined for scalar-output", of_gradient),
    (r"(grad|value_and_grad|jacfwd|jacrev) requires ", of_whole_number),
    (r"Argument .* of type <class '(?!.*Tracer'>).*'> is not a valid JAX type", of_no_number),
    (r"Jitted function has (\w+_argnums|invalid argnames)", of_static_names),
    (r"Error interpreting argument to", of_no_array),
    (r"Exception raised while checking equality of metadata fields of pytree", of_metadata),
    (r"Comparator raised exception while sorting pytree dictionary keys", of_keys),
    (r"pytree structure error: different lengths of tuple at key path\s+shard_map in_specs\n", of_spec_count),
    (r"pytree structure error: ", of_trees),
    (
        r"[A-Z][\w ]* (arity|key|type) mismatch[;:]|Expected (None|list|tuple|dict|named ?tuple), got ",
        of_trees,
    ),  # JAX 0.6
    (r"Incompatible (types for matmul|shapes for matmul arguments)", of_batches),
    (r"matmul input operand \d must have ndim at least 1", of_scalar),
    (r"dot_general requires contracting dimensions", of_product),
    (r"(\w+ got i|I)ncompatible shapes for broadcasting", of_broadcast),
    (r"Incompatible types for broadcasting", of_broadcast),
    (r"Cannot broadcast to shape with fewer dimensions", of_fewer_axes),
    (r"conv_general_dilated lhs feature dimension size", of_features),
    (r"inconsistent size for core dimension", of_core),
    (r"Argument to [\w.]+(\(\))? must have shape \[\.\.\., n, n\]", of_square),
    (r"axis -?\d+ is out of bounds for array of dimension", of_axis),
    (r"lax\.\w+ requires arguments to have the same dtypes", of_same_dtypes),
    (r"Input dtypes .* no available implicit dtype promotion path when .*=strict", of_dtypes),
    (r"Operands could not be broadcast together .* jax_numpy_rank_promotion='raise'", of_ranks),
    (r'For parameter ".*" in ".*", the given initializer is expected to', of_parameter),
    (r"JAX encountered invalid PRNG key data", of_no_key),
    (r"\w+ accepts a single key, but was given a key array", of_many_keys),
    (r"shard_map applied to the function .* not evenly divisible", of_uneven),
    (r"in_specs passed to shard_map: .* does not match the specs of the input", of_specs),
    (r"Received incompatible devices for", of_devices),
    (r"(One of|Sharding) .* implies that (array axis|the global size)", of_pieces),
    (r"Sharding passed to p?jit does not match", of_other_sharding),
    (r"(Found an )?unbound axis name: ", of_axis_name),
    (r"cannot select an axis to squeeze out", of_squeezed),
    (r"slice slice_sizes must be less than or equal to operand shape", of_piece),
    (r"array split does not result in an equal division", of_division),
    (r"Cannot concatenate arrays with shapes", of_joined),
    (r"Cannot stack arrays with different numbers of dimensions", of_joined),
    (r"All input arrays must have the same shape", of_joined),
    (r"cannot reshape array of shape", of_reshape),
    (r"Too many indices: ", of_indices),
    (r"Size of label ", of_label),
    (r"invalid value \((nan|inf)\) encountered in", of_not_finite),
    (r"static arguments should be comparable using __eq__", of_uncomparable),
    (r"Argument types differ from the types for which", of_compiled),
]

_AT_CALLS: list[tuple[str, str, Explain]] = [  # with the kind of the finding
    (r"Non-hashable static arguments", "unhashable_static", of_unhashable),
    (r"Array has been deleted|.*[bB]uffer has been deleted or donated", "donated_buffer", of_deleted),
    (r".*[dD]onate the same buffer twice", "donated_buffer", of_donated_twice),
]


def explain(problem: Problem, evidence: Evidence) -> tuple[str, Explanation] | None:
    """The kind of the finding, why it happened and what helps; None for what is no error of JAX's."""
    if problem.type in _CLASSES:
        return _KIND, _CLASSES[problem.type](problem)
    if problem.type == "KeyReuseError":
        return "key_reuse", of_reused_key(problem)
    if problem.origin is not None and problem.message.startswith("The truth value of an array"):
        return _KIND, of_many(problem)
    for pattern, of in _MESSAGES:
        if re.match(pattern, problem.message):
            told = of(problem)
            return None if told is None else (_KIND, told)
    for pattern, kind, of_call in _AT_CALLS:
        if re.match(pattern, problem.message):
            told = of_call(problem, evidence)
            return None if told is None else (kind, told)
    return None
