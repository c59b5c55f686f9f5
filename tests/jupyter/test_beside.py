"""IPython's own tools work in recorded cells, and marks are there: `%autoreload`, `%debug`, `%%time`, `%prun`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pathlib

    from tests.jupyter.kernels import Kernel, Ran

CLIP = """\
%%jaxtrace
import jax, jax.numpy as jnp
@jax.jit
def clip(x):
    norm = jnp.sum(x)
    if norm > 1.0:
        x = x / norm
    return x
clip(jnp.ones(3))"""

TWICE = """\
import jax, jax.numpy as jnp
@jax.jit
def twice(x):
    doubled = x * 2
    return doubled
twice(jnp.ones(3))"""


def marks(ran: Ran) -> dict[str, str]:
    """Name → type of the locals in the picture that a cell leaves."""
    ((_, content),) = ran.ours()[-1:]
    update: dict[str, Any] = next(iter(data for mime, data in content["data"].items() if mime.endswith("+json")))
    return {mark["name"]: mark["type"] for mark in update["annotations"] if mark["binding"] == "local"}


def test_debug_looks_into_the_frame_that_failed(fresh_kernel: Kernel, tmp_path: pathlib.Path) -> None:
    failed = fresh_kernel.run(CLIP)
    assert failed.reply["status"] == "error"
    assert marks(failed)["norm"] == "f32[]"
    # There is nobody to type: the debugger reads its commands from here.
    (tmp_path / ".pdbrc").write_text("up\np 'norm is', norm.aval.str_short()\nq\n")
    fresh_kernel.run(f"%cd -q {tmp_path}")
    debugged = fresh_kernel.run("%debug")
    assert "('norm is', 'float32[]')" in debugged.printed()
    assert "jax_trace_viz" not in debugged.printed()


def test_a_module_that_is_reloaded_is_traced_again(fresh_kernel: Kernel, tmp_path: pathlib.Path) -> None:
    module = tmp_path / "layers.py"
    source = """\
        import jax
        @jax.jit
        def scaled(x):
            result = x * {}
            return result
    """
    module.write_text(textwrap.dedent(source.format(2.0)))
    fresh_kernel.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})")
    fresh_kernel.run("%load_ext autoreload\n%autoreload 2\nimport layers")
    first = fresh_kernel.run("%%jaxtrace\nprint(layers.scaled(1.0))")
    assert (first.printed(), marks(first)["result"]) == ("2.0\n", "f32[]~")
    module.write_text(textwrap.dedent(source.format(30.0)))
    second = fresh_kernel.run("%%jaxtrace\nprint(layers.scaled(1.0))")
    assert (second.printed(), marks(second)["result"]) == ("30.0\n", "f32[]~")


def test_a_cell_can_be_timed_and_profiled(fresh_kernel: Kernel, tmp_path: pathlib.Path) -> None:
    timed = fresh_kernel.run(f"%%jaxtrace\n%%time\n{TWICE}")
    assert "Wall time" in timed.printed()
    assert marks(timed)["doubled"] == "f32[3]"
    fresh_kernel.run("jax.clear_caches()")
    file = tmp_path / "prun.txt"
    profiled = fresh_kernel.run(f"%%jaxtrace\n%prun -q -T {file} twice(jnp.ones(4))\nprint(open({str(file)!r}).read())")
    assert "(twice)" in profiled.printed()
