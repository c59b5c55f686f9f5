"""The inputs of a jaxpr in the words of the body that a library's wrapper runs.

`filter_jit` of Equinox, or `jit` of a method of Flax's, hand JAX arguments of their own making, so JAX names the inputs
`dynamic['first'][0]`. The tracers that arrive at the user's body tell which of its parameters each input is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax import tree_util
from jax.core import Tracer

from jax_trace_viz.capture.bodies.needed import variable
from jax_trace_viz.capture.keys.module_graphs import STATES
from jax_trace_viz.capture.values.real_types import is_a

if TYPE_CHECKING:
    from jax_trace_viz.capture.state import Dispatch, Stage
    from jax_trace_viz.contract.key import Key

_MOST_LEAVES = 2_000


def input_names(stage: Stage, dispatch: Dispatch | None, parameters: dict[str, Any], key: Key) -> dict[int, str]:
    """Names of the inputs of what is traced, by identity, where JAX has those of a library's function.

    A library's function that is staged inside a program has parameters that the user never wrote: where they are not
    the body's own, they have no name.

    Args:
        stage: The trace that the body runs in.
        dispatch: The call that began it, if one did.
        parameters: The body's parameters at entry.
        key: That of the call.
    """
    if dispatch is not None and any(STATES in structure for structure in key.structures.values()):
        return _leaf_paths(key, stage.frame)
    if dispatch is not None:
        return _input_paths(parameters, stage.frame) if dispatch.by_library else {}
    if stage.owner == "user":
        return {}
    return dict.fromkeys(map(id, stage.frame.invars), "") | _input_paths(parameters, stage.frame)


def _leaf_paths(key: Key, frame: Any) -> dict[int, str]:
    """Identity of each input variable → the key path of its leaf: where NNX passes modules, the key names variables."""
    if len(key.leaves) != len(frame.invars):
        return {}
    paths = sorted((leaf.path for leaf in key.leaves), key=lambda path: _keyword(path, key))
    return {id(one): path for one, path in zip(frame.invars, paths, strict=True)}


def _keyword(path: str, key: Key) -> str:
    """By what JAX orders the arguments: positional ones as they come, then keywords by name."""
    argument = path.replace("[", ".").partition(".")[0]
    return argument if argument in key.keywords else ""


def _input_paths(parameters: dict[str, Any], frame: Any) -> dict[int, str]:
    """Identity of each input variable → the key path of the parameter that it arrived in, `model.layers[0].weight`.

    Args:
        parameters: The body's parameters at entry.
        frame: JAX's JaxprStackFrame of the trace that the body runs in.
    """
    inputs = {id(one) for one in frame.invars}
    found: dict[int, str] = {}
    for name, value in parameters.items():
        for path, leaf in tree_util.tree_flatten_with_path(value)[0][:_MOST_LEAVES]:
            known = variable(leaf, frame) if is_a(leaf, Tracer) else None
            if known is not None and id(known) in inputs:
                found.setdefault(id(known), name + tree_util.keystr(path))
    return found
