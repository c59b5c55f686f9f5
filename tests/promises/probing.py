"""Puts a probe at the head of every function of a package, so that a test can make any of them fail.

An import hook compiles the package's modules with one more statement per function. That changes no frame: hooks that
look at their caller still find it. Must be installed before the package is imported.

Functions inside functions get none: those are the shells around JAX's own functions, where nothing but the guarded
call of a probed function stands.
"""

from __future__ import annotations

import ast
import builtins
import collections
import dataclasses
import sys

from tests.rewriting import rewrite_modules

_PROBE = "__jax_trace_viz_probe__"
_UNPROBED = (
    "faults.Guard.",
    "faults.Faults.",
    "faults._text",
    "fast_path.FastPath._count",
    "fast_path.FastPath._hit",
    "fast_path._Chained.__call__",
    "looking.Look._on_event",
    "tracebacks.",
    "watch_monitoring.MonitoringWatcher._line",
    "watch_monitoring.MonitoringWatcher._jumped",
)
"""The guards, callbacks that pass on what JAX's own hook raises or only look into dicts outside a guard, and what calls
nothing."""


@dataclasses.dataclass
class Probes:
    """Counts how often each probed function begins, and raises where `plan` says so."""

    plan: dict[str, tuple[int, type[BaseException]]] = dataclasses.field(default_factory=dict)
    """Function → at which of its calls it raises what; 0 stands for every call."""
    counts: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    raised: list[str] = dataclasses.field(default_factory=list)

    def begin(self, plan: dict[str, tuple[int, type[BaseException]]]) -> None:
        """Starts anew."""
        self.plan, self.counts, self.raised = plan, collections.Counter(), []

    def end(self) -> None:
        """Never raises again; what is left at the interpreter's end finds no builtin any more."""
        self.plan = {}

    def __call__(self, name: str) -> None:
        """A function begins. Without a lock: the profiler of Python 3.11 may have one begin in the middle of this."""
        self.counts[name] += 1
        ordinal, error = self.plan.get(name, (-1, Exception))
        if ordinal in (0, self.counts[name]):
            self.raised.append(name)
            raise error(f"injected into {name}")


def install(package: str) -> Probes:
    """Has every module of `package` that is imported from now on probed."""
    assert not any(name.startswith(package) for name in sys.modules), f"{package} is imported already"
    probes = Probes()
    setattr(builtins, _PROBE, probes)

    def probed(tree: ast.Module, fullname: str, _path: str) -> ast.Module:
        _add(tree, fullname.removeprefix("jax_trace_viz.").removeprefix("capture."))
        return tree

    rewrite_modules((f"{package}.",), probed)
    return probes


def _add(node: ast.Module | ast.ClassDef, name: str) -> None:
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            _add(child, f"{name}.{child.name}")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            function = f"{name}.{child.name}"
            if not function.startswith(_UNPROBED):
                _probe(child.body, function)


def _probe(body: list[ast.stmt], name: str) -> None:
    """Before the first statement; where that is a `try` or a `with`, inside it, for it is what protects the rest."""
    first = body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    place = 1 if is_docstring and len(body) > 1 else 0
    if isinstance(body[place], ast.Try | ast.With):
        _probe(body[place].body, name)
        return
    call = ast.Expr(ast.Call(ast.Name(_PROBE, ast.Load()), [ast.Constant(name)], []))
    body.insert(place, ast.copy_location(call, body[place]))
