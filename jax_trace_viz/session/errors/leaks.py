"""Values of a trace that were kept and used after it had ended."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.source.parsing import parse

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.contract.environment import Outcome
    from jax_trace_viz.session.evidence import Evidence

_MADE = re.compile(r"intermediate value was created on line (?P<file>.+?):(?P<line>\d+)(?::\d+)? \(")
_TRACED = re.compile(r"being traced when the value leaked was (?P<name>.+?) at (?P<file>.+?):(?P<line>\d+) traced for")
_TYPE = re.compile(r"intermediate value with type (?P<type>\S+) wrapped in")
_REFERRED = re.compile(r"is referred to by (?P<holder>[A-Za-z_][\w.]*)\s*$", re.MULTILINE)
_CACHES = frozenset({"cache", "cached_property", "lru_cache"})
CHECKED = "Leaked trace"
"""How the error of `jax.checking_leaks` begins."""


class Leak(NamedTuple):
    """What a leak's message tells."""

    function: Function | None
    """The function whose trace the value belongs to."""
    explanation: Explanation


class _Inner(NamedTuple):
    """A function that was written inside of a traced one."""

    name: str
    capitalized: str
    """The same where a sentence begins, with its line if it has no name."""


def made_in(message: str) -> str | None:
    """The file in which the value was made, as far as the error's message tells."""
    made = _MADE.search(message)
    return made["file"] if made else None


def of_leak(message: str, outcome: Outcome, evidence: Evidence) -> Leak:
    """The error that JAX raises when such a value is used."""
    traced, made = _TRACED.search(message), _MADE.search(message)
    name = f"`{traced['name']}`" if traced else ""
    function = _function(evidence, traced["name"], traced["file"]) if traced else None
    holder = outcome.holder if outcome.message and outcome.message[:200] == message[:200] else None
    line = int(made["line"]) if made else None
    told = evidence.line_text(made["file"], line) + _source(evidence, made["file"], line) if made and line else ""
    inner = _closure(evidence, outcome) if holder and holder.isidentifier() else None
    kept = f"{inner.capitalized} keeps it as `{holder}`" if inner else f"`{holder}` kept it" if holder else ""
    made_at = f"It was made at {told}" if told else ""
    told = (". " if inner else "; ").join(filter(None, [made_at, kept]))
    type = _TYPE.search(message)
    what = f"a value that was traced in {name}" if name else f"a traced value{f' ({type[1]})' if type else ''}"
    why = f"{what} is used after its trace ended{f'. {told}' if told else ''}"
    cached = _cached(evidence, made["file"], line) if made and line else ""
    if cached and not holder:
        fix = f"Call `{cached}` before the trace, so that it keeps arrays, or let it compute with NumPy, never traced."
        return Leak(function, Explanation(f"{why}; the cache of `{cached}` keeps what it gave back while tracing", fix))
    source = name or "the function that made it"
    if inner:
        fix = f"Pass `{holder}` to {inner.name} each time it is called; what it closes over belongs to one trace."
        return Leak(function, Explanation(why, fix))
    fix = f"Return the value from {source}, and store what the call gives back{f' in `{holder}`' if holder else ''}."
    return Leak(function, Explanation(why, fix))


def of_checked_leak(message: str, name: str) -> Explanation:
    """The error of `jax.checking_leaks`, raised when the trace ends."""
    holders = [h for h in _REFERRED.findall(message) if "." in h or h.isidentifier()]
    kept = f"`{holders[0].removeprefix('__main__.')}` keeps" if holders else "something outside keeps"
    why = f"{kept} a value that was traced in `{name}`, though that trace ended"
    return Explanation(why, f"Return the value from `{name}`, and store what the call gives back.")


def _function(evidence: Evidence, name: str, file: str) -> Function | None:
    found = [f for f in evidence.functions.values() if f.name == name and f.file == file]
    return found[-1] if found else None


def _cached(evidence: Evidence, file: str, line: int) -> str:
    """The name of the function around a line, if a decorator of `functools` keeps what it gives back."""
    around = [f for f in evidence.functions.values() if f.file == file and (f.line or 0) <= line <= (f.end_line or 0)]
    function = max(around, key=lambda f: f.line or 0, default=None)
    tree = parse(function) if function is not None else None
    definition = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)), None) if tree else None
    for decorator in definition.decorator_list if definition is not None else ():
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if code(called).rpartition(".")[2] in _CACHES and definition is not None:
            return definition.name
    return ""


def _closure(evidence: Evidence, outcome: Outcome) -> _Inner | None:
    """The function inside of a traced one that was running when the program stopped."""
    line, column = outcome.line or 0, outcome.column or 0
    around = [
        f for f in evidence.functions.values() if f.file == outcome.file and (f.line or 0) <= line <= (f.end_line or 0)
    ]
    traced = min(around, key=lambda f: f.line or 0, default=None)
    tree = parse(traced) if traced is not None else None
    if tree is None or traced is None or traced.line is None:
        return None
    place = line - traced.line + 2, column
    defs = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda) and _holds(n, place)]
    if len(defs) < 2:  # the first is the traced one itself
        return None
    inner = defs[-1]
    if isinstance(inner, ast.FunctionDef):
        return _Inner(f"`{inner.name}`", f"`{inner.name}`")
    return _Inner("the lambda", f"The lambda at {evidence.line_text(traced.file, inner.lineno + traced.line - 2)}")


def _holds(node: ast.FunctionDef | ast.Lambda, place: tuple[int, int]) -> bool:
    """Whether a line and column lie in what a function computes."""
    body = node.body if isinstance(node.body, list) else [node.body]
    last = body[-1]
    return (body[0].lineno, body[0].col_offset) <= place < (last.end_lineno or 0, last.end_col_offset or 0)


def _source(evidence: Evidence, file: str, line: int) -> str:
    """The text of a line, as an addition to its name."""
    for function in evidence.functions.values():
        first = function.line or 0
        if function.file == file and function.source and first <= line <= (function.end_line or 0):
            lines = function.source.splitlines()
            return f", `{lines[line - first].strip()}`" if line - first < len(lines) else ""
    return ""
