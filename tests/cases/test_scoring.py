"""The scorer itself: it accepts a true document and notices whatever is untrue in one."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from tests.cases.scoring import CHECKS, score
from tests.cases.scoring.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = """\
import jax, jax.numpy as jnp

table = jnp.arange(8.0)

@jax.jit
def scale(x, factor):
    wide = x * table[0]
    return wide / factor

scale(jnp.ones(3), 2.0)
scale(jnp.ones(4), 2.0)
scale(jnp.ones(4), 3.0)
print("done")
raise ValueError
"""

TRUTH: dict[str, Any] = {
    "outcome": {"status": "error", "type": "ValueError", "line": 14, "call_line": 14},
    "stdout": "done\n",
    "traced_runs": {"scale": 2},
    "trace_reasons": {"scale": [{"reason": "first_call", "line": 10}, {"reason": "new_shape", "line": 11}]},
    "calls": {"scale": 3},
    "compiles": {"scale": 2},
    "args": {"scale": {"x": "traced", "factor": "traced"}},
    "locals": {"scale": {"wide": "traced"}},
    "probes": [{"consts_include": [{"shape": [8], "dtype": "float32", "bytes": 32}]}],
    "persistent_cache": {"hits": 1, "of": {"scale": ["miss", "hit"]}},
}


def document() -> dict[str, Any]:
    """What a session document of that program says when all of it is true."""
    first = {"kind": "first_call", "path": None, "before": None, "after": None}
    shape = {"kind": "new_shape", "path": "x", "before": "f32[3]", "after": "f32[4]"}

    def trace(number: int, line: int, reason: dict[str, Any], kind: str) -> dict[str, Any]:
        return {
            "id": f"f1#{number}",
            "function": "f1",
            "parent": None,
            "kind": "jit",
            "status": "ok",
            "call_site": {"file": "case.py", "line": line},
            "reasons": [reason],
            "compared_with": None if number == 1 else "f1#1",
            "arguments": [{"path": "x", "role": "traced", "type": kind, "value": None}],
            "constants": [{"name": "table", "source": "global", "type": "f32[8]", "bytes": 32}],
        }

    def mark(name: str, binding: str, line: int) -> dict[str, Any]:
        place = {"function": "f1", "trace": "f1#1", "file": "case.py", "line": line}
        return {**place, "name": name, "binding": binding, "status": "traced"}

    def compilation(number: int, line: int, reason: dict[str, Any], cache: str) -> dict[str, Any]:
        site = {"file": "case.py", "line": line}
        named = {"function": "f1", "trace": f"f1#{number}", "call_site": site, "reasons": [reason]}
        return {**named, "persistent_cache": cache}

    function = {"id": "f1", "name": "scale", "qualname": "scale", "file": "case.py", "origin": "user"}
    return {
        "schema_version": 1,
        "environment": dict.fromkeys(("python", "jax", "jaxlib", "platform", "devices")),
        "outcome": {"status": "error", "type": "ValueError", "bases": ["Exception"], "line": 14, "call_line": 14},
        "functions": [{**function, "calls": 3, "traces": 2, "cache_hits": 1, "compiles": 2}],
        "traces": [trace(1, 10, first, "f32[3]"), trace(2, 11, shape, "f32[4]")],
        "compilations": [compilation(1, 10, first, "miss"), compilation(2, 11, shape, "hit")],
        "annotations": [mark("x", "parameter", 6), mark("factor", "parameter", 6), mark("wide", "local", 7)],
    }


def scored(document: dict[str, Any], *, stdout: str = "done\n", exit_status: int = 1) -> dict[str, list[str]]:
    return score(Evidence(TRUTH, document, SOURCE, stdout, exit_status))


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    """A change of the document: `path` leads to what becomes `value`."""

    def change(target: Any) -> None:
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = value

    return change


def forget_the_second_trace(document: dict[str, Any]) -> None:
    del document["traces"][1], document["compilations"][1]["trace"]


def invent_a_helper(document: dict[str, Any]) -> None:
    document["traces"].append({**document["traces"][0], "id": "f1#3", "kind": "call"})


UNTRUE: list[tuple[str, str, Callable[[dict[str, Any]], None]]] = [
    ("form", "no version", put("schema_version", value=None)),
    ("form", "no platform", put("environment", value={"python": "3.12"})),
    ("form", "an id used twice", put("traces", 1, "id", value="f1#1")),
    ("form", "a trace of no function", put("traces", 0, "function", value="f9")),
    ("form", "a parent that is no trace", put("traces", 0, "parent", value="f9#1")),
    ("form", "a total that is not the sum", put("functions", 0, "traces", value=3)),
    ("form", "a trace for no reason", put("traces", 0, "reasons", value=[])),
    ("form", "an unknown word", put("annotations", 0, "status", value="dynamic")),
    ("form", "a function without a name", put("functions", 0, "name", value=None)),
    ("outcome", "success", put("outcome", "status", value="ok")),
    ("outcome", "another exception", put("outcome", "type", value="KeyError")),
    ("outcome", "another line", put("outcome", "line", value=13)),
    ("traces", "a trace forgotten", forget_the_second_trace),
    ("traces", "a run made up", invent_a_helper),
    ("reasons", "another reason", put("traces", 1, "reasons", 0, "kind", value="new_dtype")),
    ("reasons", "another line", put("traces", 1, "call_site", "line", value=12)),
    ("reasons", "a library's file", put("traces", 1, "call_site", "file", value="optax.py")),
    ("reasons", "a change to the same", put("traces", 1, "reasons", 0, "after", value="f32[3]")),
    ("reasons", "a change of no part", put("traces", 1, "reasons", 0, "path", value=None)),
    ("reasons", "a change from no trace", put("traces", 1, "compared_with", value=None)),
    ("calls", "a hit too many", put("functions", 0, "cache_hits", value=2)),
    ("compiles", "a compilation forgotten", put("compilations", value=[])),
    ("compiles", "an untrue reason", put("compilations", 1, "reasons", value=[{"kind": "donation"}])),
    ("compiles", "a line apart from its trace", put("compilations", 1, "call_site", "line", value=12)),
    ("marks", "static", put("annotations", 0, "status", value="static")),
    ("marks", "a line that binds no such name", put("annotations", 2, "line", value=8)),
    ("marks", "a role against its mark", put("traces", 0, "arguments", 0, "role", value="static")),
    ("constants", "another type", put("traces", 0, "constants", 0, "type", value="f32[9]")),
    ("cache", "a miss", put("compilations", 1, "persistent_cache", value="miss")),
]


def test_a_true_document_is_accepted() -> None:
    assert scored(document()) == {field: [] for field in CHECKS}


@pytest.mark.parametrize(("field", "change"), [pytest.param(f, c, id=f"{f}: {name}") for f, name, c in UNTRUE])
def test_an_untrue_document_is_noticed(field: str, change: Callable[[dict[str, Any]], None]) -> None:
    untrue = copy.deepcopy(document())
    change(untrue)
    assert scored(untrue)[field]


def test_every_field_has_an_untrue_document_or_output() -> None:
    assert {field for field, _, _ in UNTRUE} | {"stdout"} == set(CHECKS)


def test_output_that_changed_is_noticed() -> None:
    assert scored(document(), stdout="done\nrecorded\n")["stdout"]


def test_an_exit_status_that_hides_the_error_is_noticed() -> None:
    assert scored(document(), exit_status=0)["outcome"]
