"""Where equations ended up, held against the executables that the programs compiled themselves."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import monitoring
from msgspec.structs import replace

import jax_trace_viz
from jax_trace_viz.capture.jaxprs import programs
from jax_trace_viz.session.front_end import view
from jax_trace_viz.session.front_end.overlaid import overlaid

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable

    import pytest

    from jax_trace_viz.api import RecordedSession
    from jax_trace_viz.contract.overlay import BoxKernels, Overlay
    from jax_trace_viz.contract.picture import Graph

X = jnp.arange(64.0).reshape(8, 8)


def recorded(function: Callable[..., Any], *arguments: Any) -> tuple[RecordedSession, str]:
    """A session in which the jitted function was called, and the id of its trace."""
    with jax_trace_viz.trace() as session:
        jax.block_until_ready(function(*arguments))
    name = function.__name__
    found = next(one.id for one in session.functions if one.name == name)
    return session, next(trace.id for trace in session.traces if trace.function == found)


def seen(session: RecordedSession, trace: str, open_boxes: list[str] | None = None) -> tuple[Graph, Overlay]:
    """The trace's graph, with what lies over it."""
    graph = view.graph(session, trace, open_boxes or [], overlay=True)
    assert graph is not None
    assert graph.overlay is not None
    return graph, graph.overlay


def of(graph: Graph, label: str) -> BoxKernels:
    assert graph.overlay is not None
    return next(o for o, box in zip(graph.overlay.boxes, graph.boxes, strict=True) if box.label == label)


def scopes_of_kernels(text: str, scopes: list[str]) -> dict[str, set[str]]:
    """For each scope, the fusions and stand-alone operations in whose text its name stands."""
    bodies = dict(re.findall(r"^(?:ENTRY )?%?([\w.-]+) \([^\n]*\{\n(.*?)^\}", text, re.M | re.S))
    entry = bodies[re.search(r"^ENTRY %?([\w.-]+)", text, re.M)[1]]  # type: ignore[index]
    found: dict[str, set[str]] = {scope: set() for scope in scopes}
    for line in entry.splitlines():
        kernel = re.match(r"\s+(?:ROOT )?%?([\w.-]+) = \S+ (fusion|dot|reduce)\(", line)
        if kernel is None:
            continue
        called = re.search(r"calls=%?([\w.-]+)", line)
        inside = bodies[called[1]] if called else line
        for scope in scopes:
            if any(f"/{scope}/" in one for one in re.findall(r'op_name="([^"]*)"', inside)):
                found[scope].add(kernel[1])
    return found


def test_the_kernels_of_a_scope_are_those_in_whose_text_it_stands() -> None:
    @jax.jit
    def scoped(x: Any, w: Any) -> Any:
        with jax.named_scope("first"):
            h = jnp.tanh(x @ w)
        with jax.named_scope("second"):
            h = jnp.exp(h) * jnp.cos(x)
        with jax.named_scope("third"):
            h = jax.nn.relu(h @ w.T)
        with jax.named_scope("fourth"):
            return jnp.sum(jnp.sin(h), axis=0)

    session, trace = recorded(scoped, X, X)
    graph, overlay = seen(session, trace)
    scopes = ["first", "second", "third", "fourth"]
    truth = scopes_of_kernels(scoped.lower(X, X).compile().as_text(), scopes)
    assert all(truth.values())
    names = [kernel.name for kernel in overlay.kernels]
    assert len(set(names)) == len(names)
    ours = {scope: {names[place] for place in of(graph, scope).kernels} for scope in scopes}
    assert ours == truth
    assert re.fullmatch(rf"\d+ equations → {len(names)} kernels", overlay.summary)
    assert overlay.flops is None or overlay.flops > 0


def test_of_many_kernels_the_first_are_told_by_their_numbers() -> None:
    @jax.jit
    def sorts(x: Any) -> Any:
        for place in range(20):
            x = jnp.sort(x, axis=place % 2)
        return x

    session, trace = recorded(sorts, X)
    _, overlay = seen(session, trace)
    (program,) = session.document().programs
    many = max(overlay.boxes, key=lambda box: box.more)
    assert len(many.kernels) == 12
    assert overlay.holding == 12 + many.more >= 20
    assert len(overlay.kernels) < len(program.kernels)
    numbers = [note.number for note in overlay.kernels]
    assert numbers == sorted(set(numbers))
    assert [program.kernels[number - 1].name for number in numbers] == [note.name for note in overlay.kernels]


def test_the_counts_of_a_box_add_up_to_its_equations() -> None:
    @jax.jit
    def summed(x: Any) -> Any:
        dead = jnp.sin(x)
        del dead
        constant = jnp.zeros(8) + 1.0

        def step(carry: Any, row: Any) -> Any:
            return carry + jnp.tanh(row) * 2.0, jnp.exp(row)

        carry, rows = jax.lax.scan(step, jnp.zeros(8), x)
        return jax.lax.cond(carry.sum() > 0, jnp.cos, jnp.tan, carry) + constant, rows

    session, trace = recorded(summed, X)
    graph, overlay = seen(session, trace)
    tops = [one for one, box in zip(overlay.boxes, graph.boxes, strict=True) if box.parent is None]
    total = sum(one.placed + one.alike + one.dead + one.constant + one.unknown for one in tops)
    assert overlay.summary.startswith(f"{total} equations")
    assert sum(one.placed + one.alike for one in tops) >= total / 2
    loop = next(o for o, box in zip(overlay.boxes, graph.boxes, strict=True) if box.label.startswith("scan"))
    assert loop.kernels
    assert all(overlay.kernels[place].inside.startswith("while") for place in loop.kernels[:1])


def test_what_reads_the_same_is_said_to_be_one_of_several() -> None:
    @jax.jit
    def twice(x: Any) -> Any:
        for _ in range(2):
            x = jnp.tanh(x) @ x  # the same line, twice
        return x

    session, trace = recorded(twice, X)
    _, overlay = seen(session, trace)
    alike, placed = (sum(getattr(one, what) for one in overlay.boxes) for what in ("alike", "placed"))
    assert alike >= 2
    assert placed == 0


def test_looking_compiles_nothing() -> None:
    @jax.jit
    def quiet(x: Any) -> Any:
        return jnp.tanh(x) * 2.0

    session, trace = recorded(quiet, X)
    events = Counter[str]()

    def listen(event: str, _seconds: float, **_details: Any) -> None:
        events[event] += 1

    monitoring.register_event_duration_secs_listener(listen)  # stays: JAX 0.6 cannot take it back
    seen(session, trace)
    assert not events


def leave_behind() -> tuple[RecordedSession, str]:
    """What `recorded` returns for a function that is gone by now, with its executable."""

    @jax.jit
    def gone(x: Any) -> Any:
        return jnp.sinh(x) + 3.0

    found = recorded(gone, X)
    del gone
    jax.clear_caches()
    gc.collect()
    return found


def test_small_programs_outlive_their_executables() -> None:
    _, overlay = seen(*leave_behind())
    assert re.match(r"2 equations → \d+ kernels?", overlay.summary)


def test_an_executable_is_not_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_SMALL", 0)
    graph, overlay = seen(*leave_behind())
    assert "no longer held" in overlay.note
    assert (overlay.summary, overlay.boxes, overlay.kernels) == ("", [], [])
    assert graph.boxes


def test_texts_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_ROOM", 1)
    _, overlay = seen(*leave_behind())
    assert "no longer held" in overlay.note


def test_a_trace_that_was_compiled_with_its_caller_says_so() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return jnp.tanh(x)

    @jax.jit
    def outer(x: Any) -> Any:
        return inner(x) * 2.0

    session, _ = recorded(outer, X)
    function = next(one.id for one in session.functions if one.name == "inner")
    trace = next(one.id for one in session.traces if one.function == function)
    _, overlay = seen(session, trace)
    assert "not compiled by itself" in overlay.note


def test_a_saved_session_holds_what_was_looked_at(tmp_path: pathlib.Path) -> None:
    @jax.jit
    def saved(x: Any) -> Any:
        return jnp.tanh(x) @ x

    session, trace = recorded(saved, X)
    session.save(tmp_path / "session.json")
    document = jax_trace_viz.load(tmp_path / "session.json").document()
    _, overlay = seen(session, trace)
    assert overlaid(document, trace, xla=True).overlay == overlay
    bare = replace(document, programs=[])
    assert "not recorded with this session" in overlaid(bare, trace, xla=True).overlay.note  # type: ignore[union-attr]


PROGRAM = """
import jax, jax.numpy as jnp, jax_trace_viz
from jax_trace_viz.session.front_end import view
jax.config.update("jax_compilation_cache_dir", {cache!r})
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
{space}
@jax.jit
def cached(x):
    return jnp.tanh(x) @ jnp.cos(x)
with jax_trace_viz.trace() as session:
    cached(jnp.ones((8, 8)))
function = next(one.id for one in session.functions if one.name == "cached")
trace = next(one.id for one in session.traces if one.function == function)
compilation = next(one for one in session.compilations if one.trace == trace)
overlay = view.graph(session, trace, overlay=True).overlay
print(compilation.persistent_cache, sum(b.placed for b in overlay.boxes), sum(b.alike for b in overlay.boxes))
print(overlay.note)
"""


def test_what_the_persistent_cache_delivers_may_tell_of_old_lines(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "program.py"

    def run(space: str) -> list[str]:
        file.write_text(textwrap.dedent(PROGRAM).format(cache=str(tmp_path / "cache"), space=space))
        done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert run("")[0] == "miss 3 0"
    assert run("")[0] == "hit 3 0"
    moved = run("# the source has moved\n" * 7)
    assert moved[0] == "hit 0 3"
    assert "persistent cache" in moved[1]
