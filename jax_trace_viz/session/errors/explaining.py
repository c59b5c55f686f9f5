"""Which explanation is for which error. JAX's own classes are told by name, the others by their messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors import (
    bodies,
    calls,
    computing,
    conversions,
    cutting,
    drawing,
    fitting,
    hashing,
    indexing,
    mismatches,
    numpy_calls,
    others,
    pieces,
    placing,
    products,
    random_keys,
    shapes,
    transforms,
    trees,
    truth,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session.errors.problems import Explanation, Problem
    from jax_trace_viz.session.evidence import Evidence

    Explain = Callable[[Problem, Evidence], Explanation]

_KIND = "tracing_error"
"""The finding on all errors that are raised while a trace is made, and on those of its arguments."""

_CLASSES: dict[str, Callable[[Problem], Explanation]] = {
    "TracerBoolConversionError": truth.of_truth,
    "TracerIntegerConversionError": conversions.of_index,
    "TracerArrayConversionError": numpy_calls.of_array,
    "NonConcreteBooleanIndexError": pieces.of_mask,
    "ConcretizationTypeError": conversions.of_number,
}

_MESSAGES: list[tuple[re.Pattern[str], Callable[[Problem, re.Match[str]], Explanation | None]]] = [
    (bodies.LIST, bodies.of_list),
    (calls.NO_ARRAY, calls.of_no_array),
    (computing.ENCOUNTERED, computing.of_not_finite),
    (cutting.SQUEEZED, cutting.of_squeezed),
    (cutting.PIECE, cutting.of_piece),
    (cutting.DIVISION, cutting.of_division),
    (fitting.FEATURES, fitting.of_features),
    (fitting.CORE, fitting.of_core),
    (fitting.SQUARE, fitting.of_square),
    (fitting.AXIS, fitting.of_axis),
    (fitting.FEWER_AXES, fitting.of_fewer_axes),
    (fitting.DTYPES, fitting.of_dtypes),
    (fitting.SAME_DTYPES, fitting.of_same_dtypes),
    (fitting.RANKS, fitting.of_ranks),
    (fitting.PARAMETER, fitting.of_parameter),
    (hashing.CALLABLE, hashing.of_callable),
    (placing.UNEVEN, placing.of_uneven),
    (placing.SPECS, placing.of_specs),
    (placing.SPEC_COUNT, placing.of_spec_count),
    (placing.PIECES, placing.of_pieces),
    (placing.AXIS_NAME, placing.of_axis_name),
    (products.PRODUCT, products.of_product),
    (products.LABEL, products.of_label),
    (random_keys.MANY_KEYS, random_keys.of_many_keys),
    (shapes.RESHAPED, shapes.of_reshape),
    (shapes.INDICES, shapes.of_indices),
    (transforms.STATIC_NUMBERS, transforms.of_static_numbers),
    (transforms.STATIC_NAMES, transforms.of_static_names),
]
"""Messages that are explained only where they tell all details. Each pattern stands in the module of its function."""

_BEGINNINGS: list[tuple[str, Callable[[Problem], Explanation | None]]] = [
    (r".*[iI]n a call to primitive \w+, the value of parameter .*Tracer", conversions.of_shape),
    (r"SeedSequence expects int .*(Tracer|Traced<)", drawing.of_seed),
    (r"Indexer must have integer or boolean type", indexing.of_indexer),
    (r"Shapes must be 1D sequences of concrete values", conversions.of_shape),
    (r"(Array slice indices must have static|Slice entries must be static)", pieces.of_slice),
    (r"JAX arrays are immutable", others.of_assignment),
    (r"setting an array element with a sequence", numpy_calls.of_stored),
    (r"unsupported format string passed to \w*Tracer", others.of_format),
    (r"unhashable type: '\w*Tracer'", others.of_lookup),
    (r"unsupported operand type\(s\) for \*: '(list|tuple|str)' and '\w*Tracer'", others.of_repetition),
    (r"unsupported operand type\(s\) for \*: '\w*Tracer' and '(list|tuple|str)'", others.of_repetition),
    (r"can't multiply sequence by non-int of type '\w*Tracer'", others.of_repetition),
    (r".* returned a value of type <class .* not a valid JAX type", others.of_result),
    (r"\w+ body function carry input and carry output must have", mismatches.of_carry),
    (r"\w+ branch(es| outputs) must have (equal output types|the same pytree)", mismatches.of_branches),
    (r"Pred must be a scalar", mismatches.of_predicate),
    (r"lax.cond: .*should be callable", bodies.of_callables),
    (r"scan body output must be a pair", bodies.of_pair),
    (r"scan got (values with different|`length` argument|no values)", bodies.of_scanned),
    (r"cond_fun must return a boolean scalar", bodies.of_condition),
    (r"lower and upper arguments to fori_loop must have equal types", bodies.of_bounds),
    (r"Index type must be an integer", bodies.of_switch),
    (r"vmap (got inconsistent|was requested|in_axes|must have at least)", transforms.of_vmap),
    (r"Gradient only defined for scalar-output", transforms.of_gradient),
    (r"(grad|value_and_grad|jacfwd|jacrev) requires ", transforms.of_whole_number),
    (r"Argument .* of type <class '(?!.*Tracer'>).*'> is not a valid JAX type", transforms.of_no_number),
    (r"Exception raised while checking equality of metadata fields of pytree", calls.of_metadata),
    (r"Comparator raised exception while sorting pytree dictionary keys", calls.of_keys),
    (r"pytree structure error: ", trees.of_trees),
    (
        r"[A-Z][\w ]* (arity|key|type) mismatch[;:]|Expected (None|list|tuple|dict|named ?tuple), got ",
        trees.of_trees,
    ),  # JAX 0.6
    (r"Incompatible (types for matmul|shapes for matmul arguments)", products.of_batches),
    (r"matmul input operand \d must have ndim at least 1", products.of_scalar),
    (r"(\w+ got i|I)ncompatible shapes for broadcasting", shapes.of_broadcast),
    (r"Incompatible types for broadcasting", shapes.of_broadcast),
    (r"JAX encountered invalid PRNG key data", random_keys.of_no_key),
    (r"Received incompatible devices for", placing.of_devices),
    (r"Sharding passed to p?jit does not match", placing.of_other_sharding),
    (r"Cannot concatenate arrays with shapes", shapes.of_joined),
    (r"Cannot stack arrays with different numbers of dimensions", shapes.of_joined),
    (r"All input arrays must have the same shape", shapes.of_joined),
    (r"static arguments should be comparable using __eq__", computing.of_uncomparable),
    (r"Argument types differ from the types for which", computing.of_compiled),
]
"""How messages begin that have an explanation without their details too. The first that fits is taken."""

_AT_CALLS: list[tuple[str, str, Explain]] = [  # with the kind of the finding
    (r"Non-hashable static arguments", "unhashable_static", calls.of_unhashable),
    (r"Array has been deleted|.*[bB]uffer has been deleted or donated", "donated_buffer", calls.of_deleted),
    (r".*[dD]onate the same buffer twice", "donated_buffer", calls.of_donated_twice),
]


def explain(problem: Problem, evidence: Evidence) -> tuple[str, Explanation] | None:
    """The kind of the finding, why it happened and what helps; None for what is no error of JAX's."""
    if problem.type in _CLASSES:
        return _KIND, _CLASSES[problem.type](problem)
    if problem.type == "KeyReuseError":
        return "key_reuse", calls.of_reused_key(problem)
    if problem.origin is not None and problem.message.startswith("The truth value of an array"):
        return _KIND, truth.of_many(problem)
    if told := _told_by_message(problem):
        return _KIND, told
    for pattern, kind, of_call in _AT_CALLS:
        if re.match(pattern, problem.message):
            return kind, of_call(problem, evidence)
    return None


def _told_by_message(problem: Problem) -> Explanation | None:
    for pattern, of_found in _MESSAGES:
        if found := pattern.match(problem.message):
            return of_found(problem, found)
    of = next((of for pattern, of in _BEGINNINGS if re.match(pattern, problem.message)), None)
    return None if of is None else of(problem)
