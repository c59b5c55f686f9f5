"""Flax NNX modules as JAX sees them: a flat list of nodes and of attributes, told by the paths that the user wrote.

NNX hands a module to JAX as a `GraphDef`: `nodes` and `attributes` in the order of a walk through the module, where a
node says how many of the attributes that follow are its own (flax/nnx/graphlib.py, `_graph_flatten`). Any other form is
left to who asks.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from jax import tree_util

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATA_NAMES: Final = "_pytree__nodes"
"""NNX's own attribute of each module: which of the others are data."""
STATES: Final = "NodeStates"
"""The type in which NNX passes a module to JAX."""
IS: Final = "is"
"""Ends the path of what a module has by another name as well, or another argument: that is told as its value."""
_COUNTED: Final = frozenset({"index", "num_attributes"})
_ARRAYS: Final = frozenset({"LeafAttr", "ArrayAttr"})
"""Attributes that are arrays themselves, without a variable around them."""
_OTHER_ORDER: Final = (StopIteration, RuntimeError, TypeError, ValueError)
"""What a walk raises where nodes and attributes are in another order than is known: a generator's end is the second."""


def module_parts(value: Any) -> list[tuple[str, Any]] | None:
    """The parts of a `GraphDef` by path: `.blocks[0].drop.rate` for a static attribute; what it says of each module.

    Returns:
        Together all that decides whether two are equal; None for anything else, or a form that is not known.
    """
    if type(value).__name__ != "GraphDef" or (lists := _lists_of(value)) is None:
        return None
    try:
        parts = list(_Walk(*lists).parts(""))
    except _OTHER_ORDER:
        return None
    rest_of_nodes, rest_of_attributes = lists
    return None if [*rest_of_nodes, *rest_of_attributes] else parts


def variable_paths(name: str, value: Any) -> list[str] | None:
    """The leaves of an argument that holds modules, by the paths that the user wrote: `model.layers[0].kernel`.

    NNX passes what it calls `NodeStates`: a module's `GraphDef`, and its arrays in the order of the walk.

    Returns:
        As many paths as the argument has leaves; None where there is no module, or a form that is not known.
    """
    found: list[str] = []
    for path, part in tree_util.tree_flatten_with_path(value, is_leaf=_is_states)[0]:
        where = name + tree_util.keystr(path)
        inside = _paths_in(part) if _is_states(part) else [""]
        if inside is None:
            return None
        found += [where + path for path in inside]
    return found if len(set(found)) == len(found) else None


def _is_states(value: Any) -> bool:
    return type(value).__name__ == STATES


def _paths_in(states: Any) -> list[str] | None:
    lists = _lists_of(getattr(states, "_graphdef", None))
    if lists is None:
        return None
    try:
        paths = list(_leaf_paths("", *lists))
    except _OTHER_ORDER:
        return None
    return paths if len(paths) == len(tree_util.tree_leaves(states)) else None


def _lists_of(graph: Any) -> tuple[Iterator[Any], Iterator[Any]] | None:
    """Nodes and attributes of a `GraphDef`, to be walked through side by side."""
    nodes, attributes = getattr(graph, "nodes", None), getattr(graph, "attributes", None)
    return (iter(nodes), iter(attributes)) if isinstance(nodes, list) and isinstance(attributes, list) else None


def _leaf_paths(path: str, nodes: Iterator[Any], attributes: Iterator[Any]) -> Iterator[str]:
    node = next(nodes)
    if type(node).__name__ == "VariableDef":
        yield path
    for _ in range(getattr(node, "num_attributes", 0)):
        key, attribute = next(attributes)
        where = _inside(path, key)
        if type(attribute).__name__ == "NodeAttr":
            yield from _leaf_paths(where, nodes, attributes)
        elif type(attribute).__name__ in _ARRAYS:
            yield where


def _inside(path: str, key: Any) -> str:
    return f"{path}.{key}" if isinstance(key, str) else f"{path}[{key!r}]"


class _Walk:
    """One walk through a graph's nodes and attributes.

    How nodes are numbered, and how many attributes each has, follows from what is told: in one call the numbers go on
    from argument to argument, so that another module in the first renumbers the second.
    """

    def __init__(self, nodes: Iterator[Any], attributes: Iterator[Any]) -> None:
        self._nodes, self._attributes = nodes, attributes
        self._paths: dict[int, str] = {}

    def parts(self, path: str) -> Iterator[tuple[str, Any]]:
        """What decides whether two are equal, of the next node and of all below it."""
        node = next(self._nodes)
        index: Any = getattr(node, "index", None)
        if type(node).__name__ == "NodeRef":
            yield f"{path}.{IS}", self._paths.get(index, f"object {index} of those passed before it")
            return
        if isinstance(index, int):
            self._paths[index] = path.removeprefix(".") or "this object itself"
        yield from _of_node(path, node)
        for _ in range(getattr(node, "num_attributes", 0)):
            key, attribute = next(self._attributes)
            where = _inside(path, key)
            if type(attribute).__name__ == "NodeAttr":
                yield from self.parts(where)
            elif key == _DATA_NAMES:
                yield where, _data_names(getattr(attribute, "value", attribute))
            else:
                # A static attribute is wrapped once more; its kind is told by what is left of the wrapper.
                yield where, getattr(attribute, "value", attribute)


def _of_node(path: str, node: Any) -> Iterator[tuple[str, Any]]:
    """What is compared of a node, without names of its own; the node itself if it is of an unknown form."""
    if not _is_data(node):
        yield f"{path} node", node
        return
    fields = {f.name: getattr(node, f.name) for f in dataclasses.fields(node) if f.compare and f.name not in _COUNTED}
    kind = fields.pop("type", None)
    if isinstance(kind, type):
        yield f"{path}.__class__", kind
    rest = tuple(value for value in fields.values() if value is not None and value is not kind)
    if rest:
        yield f"{path}.__class__ node", rest


def _is_data(node: Any) -> bool:
    return dataclasses.is_dataclass(node) and not isinstance(node, type)


def _data_names(names: Any) -> Any:
    """Which attributes hold data: one word for each, instead of one part."""
    mapping = getattr(names, "_mapping", None)
    if not isinstance(mapping, dict):
        return names
    return " ".join(f"{name}{'' if mapping[name] else '-'}" for name in sorted(mapping))
