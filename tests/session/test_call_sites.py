"""Call sites are ranked by all that their traces and compilations cost, nested ones not counted twice."""

from __future__ import annotations

from jax_trace_viz.session.call_sites import call_sites
from tests.session.events import Program, key, leaf


def test_the_costliest_line_comes_first_and_holds_what_is_nested_once() -> None:
    program = Program()
    program.define(1, "outer")
    program.define(2, "inner")
    program.define(3, "_where", origin="library")
    for size in (2, 3):
        outer = program.begin(key(leaf("x", size)), 1)
        program.trace(key(leaf("y", size)), 2, parent=outer.run)
        program.end(outer)
        program.compile(outer)
    program.call(key(leaf("x", 2)), 3)
    document = program.session.document()
    users = {"f1", "f2"}
    sites = call_sites(document.traces, document.compilations, users)
    outers = [trace for trace in document.traces if trace.function == "f1"]
    compiled = sum(one.seconds + one.lower_seconds for one in document.compilations if one.function == "f1")
    assert [(site.function, site.traces, site.compiles) for site in sites] == [("f1", 2, 2)]
    assert sites[0].seconds == sum(trace.seconds for trace in outers) + compiled
