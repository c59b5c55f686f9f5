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


CHANGES = {
    "global number": (
        "w = 12.0\n@jax.jit\ndef f(x):\n    return x * w\n",
        "w = 3.0",
        "`w` changed 12.0 → 3.0 after `f` was traced; the cached program still uses 12.0.",
    ),
    "global text": (
        "mode = 'up'\n@jax.jit\ndef f(x):\n    return x if mode == 'up' else -x\n",
        "mode = 'down'",
        "`mode` changed 'up' → 'down' after `f` was traced; the cached program was made with 'up'.",
    ),
    "another array": (
        "w = jnp.ones(3)\n@jax.jit\ndef f(x):\n    return (x * w).sum()\n",
        "w = jnp.zeros(4)",
        "`w` became another array (f32[3] → f32[4]) after `f` was traced; "
        "the cached program still uses the earlier one.",
    ),
    "NumPy array in place": (
        "w = np.ones(3, np.float32)\n@jax.jit\ndef f(x):\n    return (x * w).sum()\n",
        "w[1] = 7",
        "`w` (f32[3]) was changed in place after `f` was traced; the cached program still has the earlier contents.",
    ),
    "item": (
        "cfg = {'lr': 0.1, 'log': 1}\n@jax.jit\ndef f(x):\n    return x * cfg['lr']\n",
        "cfg['lr'] = 0.2; cfg['log'] = 2",
        "`cfg['lr']` changed 0.1 → 0.2 after `f` was traced; the cached program still uses 0.1.",
    ),
    "container": (
        "sizes = [1, 2]\n@jax.jit\ndef f(x):\n    return x * sum(sizes)\n",
        "sizes.append(3)",
        "`sizes` changed [1, 2] → [1, 2, 3] after `f` was traced; "
        "the cached program was made with the earlier contents.",
    ),
    "number after a branch and in a loop": (
        "w = 12.0\n@jax.jit\ndef f(x):\n    if x.ndim:\n        x = x + 1\n    for i in range(3):\n"
        "        x = x * w\n    return x\n",
        "w = 3.0",
        "`w` changed 12.0 → 3.0 after `f` was traced; the cached program still uses 12.0.",
    ),
    "closure": (
        "def make():\n    c = 5.0\n    @jax.jit\n    def f(x):\n        return x * c\n"
        "    def change():\n        nonlocal c\n        c = 1.0\n    return f, change\nf, change = make()\n",
        "change()",
        "`c` changed 5.0 → 1.0 after `f` was traced; the cached program still uses 5.0.",
    ),
    "attribute of self": (
        "class Model:\n    def __init__(self):\n        self.scale = 2.0\n    def step(self, x):\n"
        "        return x * self.scale\nmodel = Model()\nf = jax.jit(model.step)\n",
        "model.scale = 9.0",
        "`self.scale` changed 2.0 → 9.0 after `step` was traced; the cached program still uses 2.0.",
    ),
    "array of a static object": (
        "class Box:\n    def __init__(self, data):\n        self.data = data\n"
        "jax.tree_util.register_pytree_node(Box, lambda b: ((b.data,), None), lambda _, c: Box(*c))\n"
        "box = Box(jnp.ones(3))\n"
        "def read(box, x):\n    d = box.data\n    return d + x\nread = jax.jit(read, static_argnums=0)\n"
        "f = lambda x: read(box, x)\n",
        "box.data = jnp.zeros(3)",
        "`box.data` became another array (f32[3]) after `read` was traced; "
        "the cached program still uses the earlier one.",
    ),
    "helper": (
        "def helper(x):\n    return x + 1\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "def helper(x):\n    return x + 2\n",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "inside a loop's body": (
        "w = 12.0\ndef body(c, x):\n    return c * w, x\n@jax.jit\ndef f(x):\n"
        "    return jax.lax.scan(body, x, jnp.arange(3.0))\n",
        "w = 3.0",
        "`w` changed 12.0 → 3.0 after `f` was traced; the cached program was made with 12.0.",
    ),
    "NumPy array of 64 bits in place": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return (x * jnp.asarray(w)).sum()\n",
        "w[1] = 7",
        "`w` (f64[3]) was changed in place after `f` was traced; the cached program still has the earlier contents.",
    ),
    "element of a NumPy array": (
        "w = np.arange(3.0)\n@jax.jit\ndef f(x):\n    return x * w[1]\n",
        "w[1] = 7",
        "`w[1]` changed 1.0 → 7.0 after `f` was traced; the cached program still uses 1.0.",
    ),
    "get": (
        "cfg = {'lr': 0.5}\n@jax.jit\ndef f(x):\n    return x * cfg.get('lr', 1.0)\n",
        "cfg['lr'] = 0.25",
        "`cfg.get('lr')` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "getattr": (
        "class Cfg: pass\ncfg = Cfg()\ncfg.lr = 0.5\n@jax.jit\ndef f(x):\n    return x * getattr(cfg, 'lr')\n",
        "cfg.lr = 0.25",
        "`cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "slot": (
        "class Cfg:\n    __slots__ = ('lr',)\ncfg = Cfg()\ncfg.lr = 0.5\n@jax.jit\ndef f(x):\n    return x * cfg.lr\n",
        "cfg.lr = 0.25",
        "`cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "class": (
        "class Cfg:\n    lr = 0.5\n@jax.jit\ndef f(x):\n    return x * Cfg.lr\n",
        "Cfg.lr = 0.25",
        "`Cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "named tuple": (
        "import collections\nCfg = collections.namedtuple('Cfg', 'lr n')\ncfg = Cfg(0.5, 1)\n@jax.jit\n"
        "def f(x):\n    return x * cfg.lr\n",
        "cfg = Cfg(0.25, 1)",
        "`cfg.lr` changed 0.5 → 0.25 after `f` was traced; the cached program still uses 0.5.",
    ),
    "enumeration": (
        "import enum\nMode = enum.Enum('Mode', 'up down')\nmode = Mode.up\n@jax.jit\ndef f(x):\n"
        "    return x if mode is Mode.up else -x\n",
        "mode = Mode.down",
        "`mode` changed Mode.up → Mode.down after `f` was traced; the cached program was made with Mode.up.",
    ),
    "items of a dict": (
        "rates = {'a': 2.0}\n@jax.jit\ndef f(x):\n    for name, rate in rates.items():\n        x = x * rate\n"
        "    return x\n",
        "rates['a'] = 3.0",
        "`rates` changed {'a': 2.0} → {'a': 3.0} after `f` was traced; "
        "the cached program was made with the earlier contents.",
    ),
    "length": (
        "sizes = [1, 2]\n@jax.jit\ndef f(x):\n    return x * len(sizes)\n",
        "sizes.append(3)",
        "`len(sizes)` changed 2 → 3 after `f` was traced; the cached program still uses 2.",
    ),
    "arrays in a list": (
        "ws = [jnp.ones(3), jnp.ones(3)]\n@jax.jit\ndef f(x):\n    for w in ws:\n        x = x * w\n"
        "    return x.sum()\n",
        "ws[1] = jnp.zeros(3)",
        "`ws[1]` became another array (f32[3]) after `f` was traced; the cached program still uses the earlier one.",
    ),
    "default of a helper": (
        "def helper(x, by=2.0):\n    return x * by\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "def helper(x, by=3.0):\n    return x * by\n",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "closure of a helper": (
        "def make(by):\n    return lambda x: x * by\nhelper = make(2.0)\n@jax.jit\ndef f(x):\n    return helper(x)\n",
        "helper = make(3.0)",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
    "partial": (
        "import functools\ndef scale(x, by):\n    return x * by\nhelper = functools.partial(scale, by=2.0)\n"
        "@jax.jit\ndef f(x):\n    return helper(x)\n",
        "helper = functools.partial(scale, by=3.0)",
        "`helper` was defined anew after `f` was traced; the cached program still does what the earlier one did.",
    ),
}
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


def test_a_call_of_another_type_has_its_own_program(tmp_path: Path) -> None:
    source, change, _ = CHANGES["global number"]
    calls = "f(jnp.ones(3))\nf(jnp.ones(3))\n"  # traced after the change
    assert stale(run(f"{source}\nx = jnp.float32(1)\nf(x)\nf(x)\n{change}\n{calls}", tmp_path)) == []


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


SHAPES_ONLY = {
    "length of a buffer": ("b = np.zeros(4)\n", "len(b) + b.shape[0]", "b[:] = 1"),
    "zeros like an array": ("b = jnp.zeros(4)\n", "jnp.zeros_like(b)", "b = jnp.ones(4)"),
    "a tree's structure": (
        "b = {'w': jnp.ones(4)}\n",
        "jax.tree.map(jnp.zeros_like, b)['w']",
        "b = {'w': jnp.zeros(4)}",
    ),
    "another key": ("b = {'k': 2.0, 'n': 1}\ndef h(x, c): return x * c['k']\n", "h(x, b)", "b['n'] = 5"),
    "membership": ("b = [1, 2]\n", "(1 in b)", "b.append(3)"),
    "zeros like a NumPy array": ("b = np.zeros(4)\n", "np.zeros_like(b)", "b[:] = 1"),
    "a function made anew with the same": (
        "def make(k):\n    return lambda x: x * k\nh = make(2.0)\n",
        "h(x)",
        "h = make(2.0)",
    ),
    "a partial made anew with the same": (
        "import functools\ndef g(x, k):\n    return x * k\nh = functools.partial(g, k=2.0)\n",
        "h(x)",
        "h = functools.partial(g, k=2.0)",
    ),
    "another key by get": ("b = {'k': 2.0, 'n': 1}\n", "b.get('k')", "b['n'] = 5"),
    "length of a dict": ("b = {'k': 2.0}\n", "len(b)", "b['k'] = 5"),
}


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
