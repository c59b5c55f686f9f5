"""`python -m tests.promises.renaming NAME…` runs a program on a JAX in which one name after the other is another.

`python -m tests.promises.renaming list` prints all names of JAX's private modules that the capture uses, found in its
source. A child process per name takes the name away from us alone: JAX goes on finding it, in its own modules as a
builtin, elsewhere through the module's or the class's `__getattr__`. Then it records, and prints a line of JSON.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import os
import pathlib
import sys
from typing import Any

import jax
import jax.numpy as jnp

CAPTURE = pathlib.Path(__file__).parents[2] / "jax_trace_viz" / "capture"


def names() -> list[str]:
    """`jax._src.core.ensure_no_leaks`, `jax._src.pjit._infer_params`, …: those that exist here."""
    found: set[str] = set()
    for file in CAPTURE.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        modules = _private_modules(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                found.add(f"{modules[node.value.id]}.{node.attr}")
            found |= _patched(node, modules)
    return sorted(name for name in found if _exists(name))


def _private_modules(tree: ast.Module) -> dict[str, str]:
    out: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jax._src"):
            out |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return out


def _patched(node: ast.AST, modules: dict[str, str]) -> set[str]:
    """`Patch(module.Class, "name", …)`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Patch"):
        return set()
    owner, name = node.args[:2]
    text = ast.unparse(owner)
    module, _, rest = text.partition(".")
    if module not in modules or not isinstance(name, ast.Constant):
        return set()
    return {".".join(filter(None, (modules[module], rest, str(name.value))))}


def _exists(name: str) -> bool:
    try:
        _resolve(name)
    except (ImportError, AttributeError):
        return False
    return True


def _resolve(name: str) -> tuple[Any, str, Any]:
    """What holds a name, the name in it, and what it stands for."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:-1]:
            owner = getattr(owner, part)
        return owner, parts[-1], getattr(owner, parts[-1])
    raise ImportError(name)


def take_away(name: str) -> None:
    """Lets JAX alone find the name."""
    owner, attribute, value = _resolve(name)
    if isinstance(owner, type):
        setattr(owner, attribute, _Elsewhere(value))
        return
    delattr(owner, attribute)
    setattr(builtins, attribute, value)
    before = vars(owner).get("__getattr__")

    def get_from_module(wanted: str) -> Any:
        if wanted == attribute and not _is_ours(sys._getframe(1)):
            return value
        if before is not None:
            return before(wanted)
        raise AttributeError(f"module {owner.__name__!r} has no attribute {wanted!r}")

    owner.__getattr__ = get_from_module


class _Elsewhere:
    """A method that objects have and their class does not show."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __get__(self, instance: Any, owner: type) -> Any:
        return self._value.__get__(instance, owner)


def _is_ours(frame: Any) -> bool:
    return frame.f_code.co_filename.startswith(str(CAPTURE))


def program() -> list[float]:
    """Retraces, nested traces, fast hits, a failing trace."""

    @jax.jit
    def step(w, x):
        def body(carry, row):
            return carry - jax.grad(lambda v: jnp.sum(v * row) ** 2)(carry), None

        return jax.lax.scan(body, w, x)[0]

    w = jnp.ones(3)
    for rows in (2, 3, 3, 3, 3):
        w = step(w, jnp.ones((rows, 3)) / 100)
    try:
        jax.jit(lambda x: x if x > 0 else -x)(1.0)
    except jax.errors.TracerBoolConversionError:
        w = w + 1
    return [float(value) for value in w]


def observed(name: str) -> dict[str, Any]:
    """What a recording tells where a name is another."""
    if name:
        take_away(name)
    import jax_trace_viz

    with jax_trace_viz.trace() as session:
        result = program()
    plain = program()
    document = session.document()
    step = next((f for f in document.functions if f.name == "step"), None)
    return {
        "name": name,
        "same": result == plain,
        "limited": document.environment.limited,
        "faults": document.faults,
        "step": [step.calls, step.traces, step.compiles] if step else None,
        "status": document.outcome.status,
    }


def in_a_child(name: str) -> dict[str, Any]:
    """Forked before JAX has started anything, so that its import is paid for once."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told = observed(name)
        except BaseException as error:  # noqa: BLE001  (that is what the test looks for)
            told = {"name": name, "raised": f"{type(error).__name__}: {error}"}
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps(told))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text or json.dumps({"name": name, "raised": "the process died"}))


if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        print(json.dumps(names()))
    else:
        print(json.dumps([in_a_child(name) for name in sys.argv[1:]]))
