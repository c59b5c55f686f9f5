"""Errors that JAX raises at a call: what was passed cannot be traced, hashed, or used any more."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.source.parsing import parse
from jax_trace_viz.session.wording import short_type

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.session.errors.problems import Problem
    from jax_trace_viz.session.evidence import Evidence

NO_ARRAY = re.compile(
    r"Error interpreting argument to (?s:.*?)"
    r"problematic value is of type <class '(?P<type>.+?)'> and was passed to the function at path "
    r"(?P<path>\S+?)\.(?:\s|$)"
)
_UNHASHABLE = re.compile(r"hash an object of type <class '(?P<type>.+?)'>")
_UNHASHABLE_PART = re.compile(r"The error was:\s.*\bunhashable type: '(?:[\w.]*\.)?(?P<type>\w+)'", re.DOTALL)
"""The traceback that some JAX puts in between may be cut."""
_NODE = re.compile(r"pytree node of type <class '(?P<type>.+?)'>")
_DELETED = re.compile(r"Array has been deleted with shape=(?P<type>\S+?)\.?$")
_HASHABLE = {
    "list": "a tuple: `tuple(…)`",
    "dict": "a tuple of its items: `tuple(sorted(….items()))`",
    "set": "`frozenset(…)`",
}
_GIVEN_ONCE = {"enumerate", "filter", "generator", "map", "zip"}
"""Types of what can be gone through once."""
_LIBRARIES = {"jnp", "jax", "np", "lax", "nn", "jsp"}
_FUNCTIONS = {"function", "PjitFunction", "builtin_function_or_method", "method", "partial", "type", "ufunc"}
_CONSUMED = re.compile(r"index (?P<index>\d+)")


def of_no_array(problem: Problem, found: re.Match[str]) -> Explanation:
    """An argument that is neither an array nor a number, in a place that is traced."""
    type, path, called = _plain(found["type"]), found["path"], _called(problem)
    name = re.split(r"[.\[]", path)[0]
    kind = "a function" if type in _FUNCTIONS else f"a `{type}`"
    kind = "an array of texts or objects" if type == "ndarray" else kind
    if called.partition(".")[0] in _LIBRARIES and problem.site is not None:
        why = f"`{problem.site.text}` is given {kind}, and computes with arrays and numbers only"
        return Explanation(why, "Give it an array or a number.")
    why = f"`{path}` is {kind}, which cannot be traced: JAX traces arrays and numbers, and all else must be static"
    if path == "self":
        fix = (
            "Write `@functools.partial(jax.jit, static_argnums=0)` in place of `@jax.jit`: the object is then static, "
            "and what changes in it later is not seen. Or jit a function that takes its arrays as arguments."
        )
    elif path != name or type == "ndarray":
        fix = f"Take it out of `{name}` and pass it as a static argument of its own, or make it an array."
        fix = fix if path != name else "Make it an array of numbers."
    elif type in _GIVEN_ONCE:
        fix = f"It gives its elements once only. Pass them in a list: `list(…)` of what is given as `{name}`."
    else:
        form = f"jax.jit({called or 'f'}, static_argnames=('{name}',))"
        fix = f"Declare it static: `{form}`; each value is then traced once."
    return Explanation(why, fix)


def of_keys(problem: Problem) -> Explanation:
    """A dict with keys of different types."""
    called = _called(problem)
    given = f"a dict that is given to `{called}`" if called else "a dict"
    why = f"{given} has keys that cannot be compared with each other, and JAX sorts the keys of a dict"
    return Explanation(why, "Use keys of one type, as texts.")


def of_metadata(problem: Problem) -> Explanation:
    """Static fields of a pytree that cannot be compared, as arrays."""
    found = _NODE.search(problem.message)
    owner = f"`{_plain(found['type'])}`" if found else "a class of pytrees"
    why = (
        f"`==` of what {owner} keeps beside its leaves gives no yes or no, as that of arrays: "
        "JAX compares it with that of earlier calls"
    )
    fix = (
        "Make an array a leaf: a data field, or a child in `tree_flatten`. Numbers that are fixed can stay, as a tuple."
    )
    return Explanation(why, fix)


def of_unhashable(problem: Problem, evidence: Evidence) -> Explanation:
    """A static argument that cannot be a key of JAX's cache."""
    found = _UNHASHABLE.search(problem.message)
    type = _plain(found["type"]) if found else "value"
    name = _only_static(problem, evidence) or _passed(problem, type, evidence)
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
    held = _UNHASHABLE_PART.search(problem.message)
    if held is not None and held["type"] in ("ArrayImpl", "ndarray"):
        return Explanation(
            why.replace(" cannot be hashed", " that holds an array cannot be hashed"),
            f"An array belongs among the traced arguments: take {told} out of the static ones, if its class is a "
            "pytree, or keep no array in it.",
        )
    if held is not None and held["type"] != type:
        inside = _HASHABLE.get(held["type"], "something hashable").partition(":")[0]
        why = why.replace(" cannot be hashed", f" that holds a `{held['type']}` cannot be hashed")
        return Explanation(why, f"Put {inside} in place of that `{held['type']}`.")
    other = _HASHABLE.get(
        type, "something hashable: give its class `__eq__` and `__hash__`, as `@dataclass(frozen=True)` does"
    )
    return Explanation(why, f"Pass {other}.")


def of_deleted(problem: Problem, evidence: Evidence) -> Explanation:
    """An array whose memory was donated."""
    found = _DELETED.search(problem.message)
    type = short_type(found["type"]) if found else None
    donors = {
        (evidence.functions[trace.function].name, argument.path): None
        for trace in evidence.traces.values()
        for argument in trace.arguments
        if argument.role == "donated" and type in (None, argument.type)
    }
    text = problem.code_or("The program")
    kind = f" ({type})" if type else ""
    if len(donors) != 1:
        return Explanation(
            f"{text} uses an array{kind} whose memory was given back or donated", "Keep a copy: `jnp.copy(x)`."
        )
    ((name, path),) = donors
    called = "the function" if name == "<lambda>" else f"`{name}`"
    why = f"{text} uses an array{kind} whose memory is gone: {called} takes over the memory of its argument `{path}`"
    return Explanation(why, f"Go on with what {called} returns, or do not donate `{path}`.")


def of_donated_twice(problem: Problem, evidence: Evidence) -> Explanation:
    """One array for two donated arguments."""
    node = problem.node
    texts = (
        [code(given) for given in (*node.args, *(word.value for word in node.keywords))]
        if isinstance(node, ast.Call)
        else []
    )
    twice = next((text for text in texts if texts.count(text) > 1), None)
    text = problem.code_or("The call")
    what = f"`{twice}`" if twice else "one array"
    fix = f"Pass a copy the second time: `jnp.copy({twice or '…'})`."
    return Explanation(
        f"{text} gives {what} twice among the donated arguments, and its memory can be taken over once", fix
    )


def of_reused_key(problem: Problem) -> Explanation:
    """A random key that was used before."""
    node = problem.node
    index = _CONSUMED.search(problem.message)
    given = node.args if isinstance(node, ast.Call) and index else []
    key = code(given[int(index[1])]) if index and int(index[1]) < len(given) else ""
    called = _called(problem).rpartition(".")
    if node is None or not key.isidentifier() or "random" not in called[0]:
        where = f" in `{code(node)}`" if node is not None else ""
        return Explanation(
            f"a random key is used twice{where}, or was used before: the numbers are not independent",
            "Split the key with `jax.random.split` and use each new key once.",
        )
    why = f"the random key `{key}` was used before: `{code(node)}` gives numbers that are not independent"
    split = f"`{key}, subkey = jax.random.split({key})`"
    if called[2] in ("split", "fold_in"):
        return Explanation(why, f"Split it before it is used for the first time, {split}, and use `subkey` there.")
    if problem.in_helper:
        return Explanation(
            why, f"Whoever gives it out must split it, {split}, and give each use a `subkey` of its own."
        )
    return Explanation(why, f"Split it first, {split}, and use `subkey` here.")


def _passed(problem: Problem, type: str, evidence: Evidence) -> str | None:
    """The static argument for which the only value of this type was written into the call."""
    node = problem.node
    kinds = {
        "list": (ast.List, ast.ListComp),
        "tuple": (ast.Tuple,),
        "dict": (ast.Dict, ast.DictComp),
        "set": (ast.Set, ast.SetComp),
    }
    if not isinstance(node, ast.Call):
        return None
    wanted = kinds.get(type, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
    function = _definition(problem, evidence)
    given = [*zip(_parameters(function), node.args, strict=False)]
    given += [(word.arg, word.value) for word in node.keywords if word.arg]
    static = _static_names(function)
    fitting = [name for name, one in given if isinstance(one, wanted) and (not static or name in static)]
    return fitting[0] if len(fitting) == 1 and (type in kinds or static) else None


def _only_static(problem: Problem, evidence: Evidence) -> str | None:
    """The static argument, if the called function has just one and says so where it is defined."""
    function = _definition(problem, evidence)
    names = dict.fromkeys(_static_names(function))
    return next(iter(names)) if len(names) == 1 else None


def _definition(problem: Problem, evidence: Evidence) -> Function | None:
    """The called function, by its name."""
    called = _called(problem).rpartition(".")[2]
    return next((f for f in reversed(evidence.functions.values()) if f.name == called and f.source), None)


def _defined(function: Function | None) -> ast.FunctionDef | None:
    tree = parse(function) if function is not None else None
    return next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)), None) if tree else None


def _parameters(function: Function | None) -> list[str]:
    definition = _defined(function)
    return [one.arg for one in (*definition.args.posonlyargs, *definition.args.args)] if definition else []


def _static_names(function: Function | None) -> list[str]:
    """The arguments that a function's decorators declare static."""
    definition, parameters = _defined(function), _parameters(function)
    decorators = definition.decorator_list if definition is not None else []
    names: list[str] = []
    for keyword in (k for d in decorators for k in ast.walk(d) if isinstance(k, ast.keyword)):
        if keyword.arg not in ("static_argnames", "static_argnums"):
            continue
        for part in (n for n in ast.walk(keyword.value) if isinstance(n, ast.Constant)):
            if isinstance(part.value, str):
                names.append(part.value)
            elif isinstance(part.value, int) and part.value < len(parameters):
                names.append(parameters[part.value])
    return names


def _called(problem: Problem) -> str:
    node = problem.node
    return code(node.func) if isinstance(node, ast.Call) else ""


def _plain(type: str) -> str:
    return type.rpartition(".")[2]
