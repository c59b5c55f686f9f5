"""Errors that JAX raises at a call: what was passed cannot be traced, hashed, or used any more."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.findings.problems import Explanation
from jax_trace_viz.session.findings.sites import code
from jax_trace_viz.session.graph.sources import parse
from jax_trace_viz.session.wording import short_type

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.session.evidence import Evidence
    from jax_trace_viz.session.findings.problems import Problem

_NO_ARRAY = re.compile(
    r"problematic value is of type <class '(?P<type>.+?)'> and was passed to the function at path "
    r"(?P<path>\S+?)\.(?:\s|$)"
)
_UNHASHABLE = re.compile(r"hash an object of type <class '(?P<type>.+?)'>")
_DELETED = re.compile(r"Array has been deleted with shape=(?P<type>\S+?)\.?$")
_HASHABLE = {
    "list": "a tuple: `tuple(…)`",
    "dict": "a tuple of its items: `tuple(sorted(….items()))`",
    "set": "`frozenset(…)`",
}
_FUNCTIONS = {"function", "PjitFunction", "builtin_function_or_method", "method", "partial", "type", "ufunc"}
_CONSUMED = re.compile(r"index (?P<index>\d+)")


def of_no_array(problem: Problem) -> Explanation | None:
    """An argument that is neither an array nor a number, in a place that is traced."""
    found = _NO_ARRAY.search(problem.message)
    if found is None:
        return None
    type, path = _plain(found["type"]), found["path"]
    name = re.split(r"[.\[]", path)[0]
    kind = "a function" if type in _FUNCTIONS else f"a `{type}`"
    why = f"`{path}` is {kind}, which cannot be traced: JAX traces arrays and numbers, and all else must be static"
    if path != name:
        return Explanation(
            why, f"Take it out of `{name}` and pass it as a static argument of its own, or make it an array."
        )
    return Explanation(
        why,
        f"Declare it static: `jax.jit({_called(problem) or 'f'}, static_argnames=('{name}',))`; "
        "each value is then traced once.",
    )


def of_unhashable(problem: Problem, evidence: Evidence) -> Explanation | None:
    """A static argument that cannot be a key of JAX's cache."""
    found = _UNHASHABLE.search(problem.message)
    type = _plain(found["type"]) if found else "value"
    name = _only_static(problem, evidence) or _passed(problem, type)
    told = f"`{name}`" if name else "it"
    whom = f" of `{_called(problem)}`" if _called(problem) else ""
    subject = f"{told}{whom} is static" if name else f"an argument{whom} is static"
    if type.endswith("Tracer"):
        why = f"{subject}, so JAX needs its value, and here it is traced"
        return Explanation(
            why, f"Let {told} be traced (take it out of the static arguments), or make it static in the caller too."
        )
    why = f"{subject}, and a `{type}` cannot be hashed: JAX looks static values up among earlier ones"
    if type in ("ArrayImpl", "ndarray"):
        return Explanation(
            why.replace("a `ArrayImpl`", "an array"),
            f"An array belongs among the traced arguments: take {told} out of the static ones.",
        )
    other = _HASHABLE.get(
        type, "something hashable: give its class `__eq__` and `__hash__`, as `@dataclass(frozen=True)` does"
    )
    return Explanation(why, f"Pass {other}.")


def of_deleted(problem: Problem, evidence: Evidence) -> Explanation | None:
    """An array whose memory was donated."""
    found = _DELETED.search(problem.message)
    type = short_type(found["type"]) if found else None
    donors = {
        (evidence.functions[trace.function].name, argument.path): None
        for trace in evidence.traces.values()
        for argument in trace.arguments
        if argument.role == "donated" and type in (None, argument.type)
    }
    text = f"`{problem.site.text}`" if problem.site else "The program"
    kind = f" ({type})" if type else ""
    if len(donors) != 1:
        return Explanation(
            f"{text} uses an array{kind} whose memory was given back or donated", "Keep a copy: `jnp.copy(x)`."
        )
    ((name, path),) = donors
    called = "the function" if name == "<lambda>" else f"`{name}`"
    why = f"{text} uses an array{kind} whose memory is gone: {called} takes over the memory of its argument `{path}`"
    return Explanation(why, f"Go on with what {called} returns, or do not donate `{path}`.")


def of_reused_key(problem: Problem) -> Explanation:
    """A random key that was used before."""
    node = problem.site.node if problem.site else None
    index = _CONSUMED.search(problem.message)
    given = node.args if isinstance(node, ast.Call) and index else []
    if index and int(index[1]) < len(given) and isinstance(given[int(index[1])], ast.Name):
        key = code(given[int(index[1])])
        why = (
            f"the random key `{key}` was used before: `{code(node)}` gives numbers that are not independent"
            if node
            else ""
        )
        return Explanation(why, f"Split it first, `{key}, subkey = jax.random.split({key})`, and use `subkey` here.")
    where = f" in `{code(node)}`" if node is not None else ""
    return Explanation(
        f"a random key is used twice{where}: the numbers are not independent",
        "Split the key with `jax.random.split` and use each new key once.",
    )


def _passed(problem: Problem, type: str) -> str | None:
    """The keyword by which the only value of this type was written into the call."""
    node = problem.site.node if problem.site else None
    kinds = {"list": (ast.List, ast.ListComp), "dict": (ast.Dict, ast.DictComp), "set": (ast.Set, ast.SetComp)}
    if not isinstance(node, ast.Call) or type not in kinds:
        return None
    fitting = [word for word in node.keywords if isinstance(word.value, kinds[type])]
    others = [given for given in node.args if isinstance(given, kinds[type])]
    return fitting[0].arg if len(fitting) == 1 and not others else None


def _only_static(problem: Problem, evidence: Evidence) -> str | None:
    """The static argument, if the called function has just one and says so where it is defined."""
    called = _called(problem)
    named = [f for f in evidence.functions.values() if f.name == called and f.source]
    names = {name for function in named[-1:] for name in _static_names(function)}
    return next(iter(names)) if len(names) == 1 else None


def _static_names(function: Function) -> list[str]:
    """The arguments that a function's decorators declare static."""
    tree = parse(function)
    definition = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)), None) if tree else None
    if definition is None:
        return []
    parameters = [argument.arg for argument in (*definition.args.posonlyargs, *definition.args.args)]
    names: list[str] = []
    for keyword in (k for d in definition.decorator_list for k in ast.walk(d) if isinstance(k, ast.keyword)):
        if keyword.arg not in ("static_argnames", "static_argnums"):
            continue
        for part in (n for n in ast.walk(keyword.value) if isinstance(n, ast.Constant)):
            if isinstance(part.value, str):
                names.append(part.value)
            elif isinstance(part.value, int) and part.value < len(parameters):
                names.append(parameters[part.value])
    return names


def _called(problem: Problem) -> str:
    node = problem.site.node if problem.site else None
    return code(node.func) if isinstance(node, ast.Call) else ""


def _plain(type: str) -> str:
    return type.rpartition(".")[2]
