"""Values that a trace read from outside and that change afterwards: told at the next cache hit, and only then."""

from __future__ import annotations

import gc
import sys
import types
import weakref
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jax_trace_viz
from jax_trace_viz.capture.capture import CAPTURE
from jax_trace_viz.session.verdict import verdict
from tests.capture.changing import CHANGES, SHAPES_ONLY

if TYPE_CHECKING:
    from pathlib import Path

    from jax_trace_viz.contract.document import Document

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"


def run(source: str, folder: Path) -> Document:
    """Runs a script under a recording."""
    file = folder / "main.py"
    file.write_text(HEAD + source, encoding="utf-8")
    module = sys.modules["stale_main"] = types.ModuleType("stale_main")
    try:
        with jax_trace_viz.trace() as session:
            exec(compile(HEAD + source, str(file), "exec"), vars(module))
    finally:
        del sys.modules["stale_main"]
    return session.document()


def stale(document: Document) -> list[str]:
    assert document.faults == []
    return [finding.text for finding in document.findings if finding.kind == "stale_value"]


every_change = pytest.mark.parametrize("name", CHANGES)


@every_change
def test_a_change_is_told_at_the_next_hit(name: str, tmp_path: Path) -> None:
    source, change, text = CHANGES[name]
    document = run(f"{source}\nx = jnp.float32(1)\nf(x)\nf(x)\n{change}\nf(x)\n", tmp_path)
    assert stale(document) == [text]
    (finding,) = [finding for finding in document.findings if finding.kind == "stale_value"]
    assert finding.place is not None
    assert finding.fix is not None
    assert finding.trace is not None


@every_change
def test_the_verdict_does_not_call_such_a_hit_good(name: str, tmp_path: Path) -> None:
    source, change, text = CHANGES[name]
    document = run(f"{source}\nx = jnp.float32(1)\nf(x)\n{change}\nf(x)\n", tmp_path)
    assert verdict(document, "ok").endswith(f". But {text}")


def test_several_changes_are_counted_in_the_verdict(tmp_path: Path) -> None:
    source = "v, w = 3.0, 12.0\n@jax.jit\ndef f(x):\n    return x * v * w\nf(1.0)\nv, w = 4.0, 5.0\nf(1.0)\n"
    assert verdict(run(source, tmp_path), "ok").endswith(" 1 more value changed.")


@every_change
def test_a_change_is_told_on_the_slow_path_too(name: str, tmp_path: Path) -> None:
    source, change, text = CHANGES[name]
    document = run(f"{source}\nx = np.float32(1)\nf(x)\n{change}\nf(x)\n", tmp_path)
    assert stale(document) == [text]


@every_change
def test_nothing_is_told_while_nobody_calls(name: str, tmp_path: Path) -> None:
    source, change, _ = CHANGES[name]
    assert stale(run(f"{source}\nx = jnp.float32(1)\nf(x)\nf(x)\n{change}\n", tmp_path)) == []


@every_change
def test_nothing_is_told_when_the_change_was_traced(name: str, tmp_path: Path) -> None:
    source, change, _ = CHANGES[name]
    calls = "jax.clear_caches()\nf(x)\nf(x)\n"
    assert stale(run(f"{source}\nx = jnp.float32(1)\nf(x)\nf(x)\n{change}\n{calls}", tmp_path)) == []


def test_plain_values_from_outside_are_told_with_the_trace(tmp_path: Path) -> None:
    source = "rate = 12.0\ncfg = {'mode': 'up'}\nw = np.ones(2)\n@jax.jit\ndef f(x):\n    y = x * rate\n"
    document = run(f"{source}    return y + w.sum() if cfg['mode'] == 'up' else y\nf(1.0)\n", tmp_path)
    (trace,) = document.traces
    told = [(value.name, value.value, value.place.line) for value in trace.outside]
    assert told == [("rate", "12.0", 10), ("cfg['mode']", "'up'", 11)]


def test_what_the_environment_says_is_told_with_the_trace_but_no_secret(tmp_path: Path) -> None:
    source = (
        "import os\nos.environ |= {'JTV_RATE': '2', 'JTV_API_KEY': 'a plain word'}\nname = 'JTV_RATE'\n@jax.jit\n"
        "def f(x):\n    y = x * float(os.environ[name])\n    return y if os.environ['JTV_API_KEY'] else -y\nf(1.0)\n"
    )
    (trace,) = run(source, tmp_path).traces
    told = {value.name: value.value for value in trace.outside}
    assert told == {"os.environ['JTV_RATE']": "'2'", "name": "'JTV_RATE'", "os.environ['JTV_API_KEY']": "[masked]"}


def test_an_array_made_of_a_list_has_the_lists_name(tmp_path: Path) -> None:
    source = (
        "rates, steps = [1.0, 2.0], ((1, 2), (3, 4))\nother = [5.0, 6.0]\n@jax.jit\ndef f(x):\n"
        "    return x * jnp.asarray(rates) + jnp.array(steps) + jnp.asarray([5.0, 6.0]) + len(other)\nf(1.0)\n"
    )
    (trace,) = run(source, tmp_path).traces
    told = sorted((one.name or "", one.source, one.type) for one in trace.constants)
    assert told == [("", "unknown", "f32[2]"), ("rates", "global", "f32[2]"), ("steps", "global", "i32[2,2]")]


def test_a_call_of_another_type_has_its_own_program(tmp_path: Path) -> None:
    source, change, _ = CHANGES["global number"]
    calls = "f(jnp.ones(3))\nf(jnp.ones(3))\n"  # traced after the change
    assert stale(run(f"{source}\nx = jnp.float32(1)\nf(x)\nf(x)\n{change}\n{calls}", tmp_path)) == []


@pytest.mark.parametrize("before", range(8))
def test_a_change_between_the_few_hits_of_a_short_program_is_told(before: int, tmp_path: Path) -> None:
    source, change, text = CHANGES["global number"]
    calls = "f(x)\n" * (1 + before)
    assert stale(run(f"{source}\nx = jnp.float32(1)\n{calls}{change}\nf(x)\n", tmp_path)) == [text]


def test_the_settings_of_an_object_whose_method_is_jitted_are_watched(tmp_path: Path) -> None:
    source = (
        "class Trainer:\n    def __init__(self):\n        self.lr = 0.5\n        self.step = jax.jit(self._step)\n\n"
        "    def _step(self, w):\n        return w * self.lr\n\n"
        "trainer = Trainer()\nfor _ in range(3):\n    trainer.step(1.0)\ntrainer.lr = 0.25\ntrainer.step(1.0)\n"
    )
    (text,) = stale(run(source, tmp_path))
    assert text == "`self.lr` changed 0.5 → 0.25 after `_step` was traced; the cached program still uses 0.5."


def test_the_contents_of_an_object_that_is_called_are_watched(tmp_path: Path) -> None:
    source = (
        "class Scale:\n    def __init__(self):\n        self.by = 0.5\n\n    def __call__(self, x):\n"
        "        return x * self.by\n\nscale = Scale()\nf = jax.jit(scale)\nf(1.0)\nscale.by = 2.0\nf(1.0)\n"
    )
    (text,) = stale(run(source, tmp_path))
    assert text.startswith("`self.by` changed 0.5 → 2.0 after `__call__` was traced")


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("{'w': jnp.ones(2), 'b': jnp.ones(2)}", "jax.tree.map(jnp.negative, {'w': jnp.ones(2), 'b': jnp.ones(2)})"),
        ("np.ones(2)", "jnp.ones(2)"),
    ],
    ids=["keys in another order", "an array of NumPy's"],
)
def test_a_call_that_jax_takes_for_the_same_is_the_same(first: str, later: str, tmp_path: Path) -> None:
    """What JAX maps comes back with its keys sorted: so it is with parameters after the first step."""
    head = "scale = 2.0\n@jax.jit\ndef f(p):\n    return p, jnp.ones(2) * scale\n"
    document = run(f"{head}f({first})\nf({later})\nscale = 3.0\nf({later})\n", tmp_path)
    (function,) = [function for function in document.functions if function.name == "f"]
    assert (function.calls, function.traces) == (3, 1)
    assert len(stale(document)) == 1


def test_a_change_after_many_hits_is_told(tmp_path: Path) -> None:
    source, change, text = CHANGES["global number"]
    loop = "for _ in range(1000):\n    f(x)\n"
    assert stale(run(f"{source}\nx = jnp.float32(1)\n{loop}{change}\n{loop}", tmp_path)) == [text]


def test_a_later_recording_knows_what_an_earlier_one_saw(tmp_path: Path) -> None:
    source, _, _ = CHANGES["global number"]
    file = tmp_path / "main.py"
    file.write_text(HEAD + source, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(HEAD + source, str(file), "exec"), names)
    x = jnp.float32(1)
    with jax_trace_viz.trace():
        names["f"](x)
    names["w"] = 3.0
    with jax_trace_viz.trace() as session:
        names["f"](x)
    (text,) = stale(session.document())
    assert text == "`w` changed 12.0 → 3.0 after `f` was traced; the cached program was made with 12.0."


@pytest.mark.parametrize(
    "source",
    [
        "seen = []\n@jax.jit\ndef f(x):\n    seen.append(1)\n    return x\n",
        "count = {'n': 0}\n@jax.jit\ndef f(x):\n    count['n'] += 1\n    return x * len(count)\n",
        "n = 0\n@jax.jit\ndef f(x):\n    global n\n    n += 1\n    return x * n\n",
        "unused = 1.0\nflag = False\n@jax.jit\ndef f(x):\n    if flag:\n        x = x * unused\n    return x\n",
        "unused = 1.0\n@jax.jit\ndef f(x):\n    return x if True else x * unused\n",
    ],
    ids=["appends", "counts", "writes a global", "branch not taken", "expression not taken"],
)
def test_what_the_function_itself_changes_or_did_not_read_is_not_stale(source: str, tmp_path: Path) -> None:
    changes = "unused = 2.0\nseen = [5]\ncount = {'n': 7}\nn = 8\n"
    assert stale(run(f"{source}\nx = jnp.float32(1)\nf(x)\nf(x)\n{changes}\nf(x)\nf(x)\n", tmp_path)) == []


@pytest.mark.parametrize("name", SHAPES_ONLY)
def test_what_is_not_in_the_program_is_not_stale(name: str, tmp_path: Path) -> None:
    before, read, change = SHAPES_ONLY[name]
    source = f"{before}@jax.jit\ndef f(x):\n    return x + {read}\n"
    assert stale(run(f"{source}\nx = jnp.ones(4)\nf(x)\nf(x)\n{change}\nf(x)\nf(x)\n", tmp_path)) == []


def test_a_value_that_a_trace_changed_is_not_stale(tmp_path: Path) -> None:
    source = "n = {'n': 0}\ndef tick(): n['n'] += 1\ndef told(): return n['n']\n"
    other = "@jax.jit\ndef g(x):\n    tick()\n    return x\n"
    body = "@jax.jit\ndef f(x):\n    k = told()\n    return x + 1\n"
    calls = "x = jnp.ones(3)\nf(x)\nf(x)\ng(x)\nf(x)\nf(x)\n"
    assert stale(run(source + other + body + calls, tmp_path)) == []


TWO_PROGRAMS = (
    "w = 12.0\n@functools.partial(jax.jit, static_argnums=1)\ndef f(x, use):\n    if use:\n        k = w\n"
    "        return x * k\n    return x\nx = jnp.ones(3)\nf(x, True)\nf(x, False)\nw = 3.0\n"
)


@pytest.mark.parametrize(("use", "told"), [(True, 1), (False, 0)])
@pytest.mark.skipif(sys.version_info < (3, 12), reason="which lines ran is known from Python 3.12 on")
def test_only_the_program_that_answers_counts(*, use: bool, told: int, tmp_path: Path) -> None:
    assert len(stale(run(f"import functools\n{TWO_PROGRAMS}f(x, {use})\nf(x, {use})\n", tmp_path))) == told


def test_a_program_that_read_nothing_may_be_the_one_that_answers(tmp_path: Path) -> None:
    source = (
        "class Box(dict): pass\n"
        "jax.tree_util.register_pytree_node(Box, lambda b: (list(b.values()), tuple(b)), lambda k, v: Box(zip(k, v)))\n"
        "w = 12.0\n@jax.jit\ndef f(b):\n    if b['x'].ndim:\n        k = w\n        return b['x'] * k\n"
        "    return b['x']\nf(Box(x=jnp.ones(3)))\nf(Box(x=jnp.float32(1)))\nw = 3.0\n"
    )
    assert stale(run(source + "for _ in range(4):\n    f(Box(x=jnp.float32(1)))\n", tmp_path)) == []


def test_an_equal_value_is_no_change(tmp_path: Path) -> None:
    source = "w = float('nan')\nk = 2\n@jax.jit\ndef f(x):\n    return x * w + k\n"
    change = "w = float('nan')\nk = int('2')\n"
    assert stale(run(f"{source}\nx = jnp.float32(1)\nf(x)\n{change}f(x)\nf(x)\n", tmp_path)) == []


def test_nothing_of_the_users_is_kept_alive() -> None:
    class Model:
        def __init__(self) -> None:
            self.w = np.ones(3)

        def step(self, x: Any) -> Any:
            return x * self.w

    model = Model()
    kept = [weakref.ref(model), weakref.ref(model.w)]
    with jax_trace_viz.trace():
        step = jax.jit(model.step)
        step(jnp.ones(3))
        step(jnp.ones(3))
        del model, step
        jax.clear_caches()
        gc.collect()
        assert [one() for one in kept] == [None, None]


def test_what_is_watched_is_bounded() -> None:
    """However many functions have read values from outside, a trace that begins looks at a limited number of them."""

    def make(a: float) -> Any:
        b, c, d, e, f, g, h = (a + step for step in range(1, 8))
        return jax.jit(lambda x: x * a + b - c + d - e + f - g + h)

    functions = [make(8.0 * number) for number in range(150)]
    with jax_trace_viz.trace():
        for function in functions:
            function(1.0)
        reading = CAPTURE._context.stale._reading
        assert 900 < sum(len(program.kept) for program in reading) <= 1_000
