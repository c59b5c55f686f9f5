"""What JAX itself holds for each call of a jitted function, asked by public means and without jax_trace_viz.

`python -m tests.workloads.own_jaxprs program.py out.json` runs a program in which `jax.jit` gives functions that ask
JAX for their jaxpr, with the `trace` method of jitted functions, before each call. JAX traces once for both. The file
holds

jaxprs        in order, each jaxpr as the name of the jitted function and the primitives of its equations
compilations  how many JAX reported to `jax.monitoring`, from the first import on
"""

from __future__ import annotations

import functools
import json
import pathlib
import runpy
import sys
from typing import Any, ClassVar

import jax

COMPILED = "/jax/core/compile/backend_compile_duration"

plain_jit = jax.jit


class Asking:
    """Stands in for a jitted function; the jaxprs it was told are kept in `told`."""

    told: ClassVar[list[tuple[str, Any]]] = []

    def __init__(self, jitted: Any) -> None:
        functools.update_wrapper(self, jitted)
        self._jitted = jitted

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        traced = self._jitted.trace(*args, **kwargs)
        if all(traced.jaxpr is not jaxpr for _, jaxpr in self.told):
            self.told.append((traced.fun_name, traced.jaxpr))
        return self._jitted(*args, **kwargs)

    def __get__(self, instance: object, owner: type) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)


def asking_jit(fun: Any = None, /, **options: Any) -> Any:
    """`jax.jit`, also as a decorator with options."""
    if fun is None:
        return functools.partial(asking_jit, **options)
    return Asking(plain_jit(fun, **options))


def primitives(jaxpr: Any) -> list[Any]:
    """Each equation as `[primitive, jaxprs of its parameters]`."""
    equations = getattr(jaxpr, "jaxpr", jaxpr).eqns
    return [[e.primitive.name, [primitives(inner) for inner in jaxprs_in(e.params)]] for e in equations]


def jaxprs_in(value: Any) -> list[Any]:
    """The jaxprs in an equation's parameters, also in tuples of them (the branches of a cond)."""
    if hasattr(getattr(value, "jaxpr", value), "eqns"):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [jaxpr for item in inside for jaxpr in jaxprs_in(item)]


def main(program: str, out: str) -> None:
    """Runs the program as a script would be run, and writes what JAX told."""
    compilations: list[str] = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, _seconds, **_about: compilations.append(event) if event == COMPILED else None
    )
    jax.jit = asking_jit
    sys.argv[:] = [program]
    sys.path[0] = str(pathlib.Path(program).parent)
    runpy.run_path(program, run_name="__main__")
    jaxprs = [[name, primitives(jaxpr)] for name, jaxpr in Asking.told]
    held = {"jaxprs": jaxprs, "compilations": len(compilations)}
    pathlib.Path(out).write_text(json.dumps(held), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
