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
import importlib.util
import pathlib
import sys
import threading
from typing import TYPE_CHECKING

from tests.rewriting import rewrite_modules

if TYPE_CHECKING:
    import types

_PROBE = "__jax_trace_viz_probe__"
_UNPROBED = (
    "faults.Guard.",
    "faults.Faults.",
    "faults._text",
    "faults.guarded",
    "fast_path.FastPath._count",
    "fast_path.FastPath._hit",
    "fast_path._Chained.__call__",
    "looking.Look._on_event",
    "options.drop_line",
    "stream.Pump._run",
    "tracebacks.",
    *(
        f"watch_monitoring.MonitoringWatcher.{name}"
        for name in ("_started", "_returned", "_unwound", "_line", "_jumped")
    ),
)
"""The guards, callbacks that pass on what JAX's own hook raises or only look into dicts outside a guard, what calls
nothing, and what the interpreter calls itself: the guard stands inside."""

_COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")


@dataclasses.dataclass
class Probes:
    """Counts how often each probed function begins, and raises where `plan` says so."""

    plan: dict[str, tuple[int, type[BaseException]]] = dataclasses.field(default_factory=dict)
    """Function → at which of its calls it raises what; 0 stands for every call."""
    counts: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    raised: list[str] = dataclasses.field(default_factory=list)
    files: set[str] = dataclasses.field(default_factory=set)
    """Those whose functions are probed."""
    following: bool = False
    calls: int = 0
    places: dict[str, list[int]] = dataclasses.field(default_factory=dict)
    """While calls are followed: function → for each of its calls, in which of the capture's turns it was.

    A turn is what the capture does between two moments in which the program or JAX goes on: an exception ends one.
    """
    turns: dict[int, int] = dataclasses.field(default_factory=dict)
    """The number of the turn that each thread is in."""

    def begin(self, plan: dict[str, tuple[int, type[BaseException]]], *, following: bool = False) -> None:
        """Starts anew."""
        self.plan, self.counts, self.raised = plan, collections.Counter(), []
        self.following, self.calls, self.places, self.turns = following, 0, {}, {}

    def end(self) -> None:
        """Never raises again; what is left at the interpreter's end finds no builtin any more."""
        self.plan = {}

    def __call__(self, name: str) -> None:
        """A function begins. Without a lock: the profiler of Python 3.11 may have one begin in the middle of this."""
        self.counts[name] += 1
        if self.following:
            code = sys._getframe(2).f_code
            goes_on = code.co_filename in self.files and (
                "<locals>" not in code.co_qualname or code.co_name in _COMPREHENSIONS
            )
            thread = threading.get_ident()
            self.calls += 1
            if not goes_on:
                self.turns[thread] = self.calls
            self.places.setdefault(name, []).append(self.turns.get(thread, 0))
        ordinal, error = self.plan.get(name, (-1, Exception))
        if ordinal in (0, self.counts[name]):
            self.raised.append(name)
            raise error(f"injected into {name}")


def install(package: str) -> Probes:
    """Has every module of `package` that is imported from now on probed."""
    assert not any(name.startswith(package) for name in sys.modules), f"{package} is imported already"
    probes = Probes()
    _disguise(Probes.__call__, package)
    setattr(builtins, _PROBE, probes)

    def probed(tree: ast.Module, fullname: str, path: str) -> ast.Module:
        probes.files.add(path)
        _add(tree, fullname.rpartition(".")[2])
        return tree

    rewrite_modules((f"{package}.",), probed)
    return probes


def _disguise(function: types.FunctionType, package: str) -> None:
    """Has a function count as one of the package's: the capture looks at what functions of the program hold."""
    top, *inner = package.split(".")
    spec = importlib.util.find_spec(top)
    assert spec is not None
    assert spec.origin is not None
    file = pathlib.Path(spec.origin).parent.joinpath(*inner, "probe.py")
    function.__code__ = function.__code__.replace(co_filename=str(file))


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
