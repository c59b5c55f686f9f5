"""Small graphs, written down by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from jax_trace_viz.contract.document import Argument, Constant, TraceError
from jax_trace_viz.session.graph import EVERYTHING, GraphOptions, TooManyBoxesError, build_graph
from tests.session.graph.checks import check_picture
from tests.session.graph.support import TRACE, Tape, arrows, box, function, jaxpr, tape, trace


def test_every_equation_argument_and_result_has_a_box() -> None:
    recording = tape(jaxpr("j1", 2, ["2 = add 0 1", "3 = sin 2"], [3, 2], input_names=["x", "y"]))
    graph = build_graph(recording, TRACE)
    check_picture(graph)
    assert arrows(graph) == {("x", "add"), ("y", "add"), ("add", "sin"), ("sin", "result[0]"), ("add", "result[1]")}
    assert (graph.name, graph.equations, graph.note) == ("f", 2, "")


def test_literals_are_in_the_label() -> None:
    graph = build_graph(tape(jaxpr("j1", 1, ["1 = mul 0.5:f32[] 0", "2 = add 1 1:i32[]"], [2])), TRACE)
    assert {"mul 0.5", "add 1"} <= {one.label for one in graph.boxes}


def test_leaves_of_an_argument_share_its_box() -> None:
    names = ["params['w']", "params['b']", "x"]
    recording = tape(jaxpr("j1", 3, ["3 = dot_general 0 2", "4 = add 3 1"], [4], input_names=names))
    graph = build_graph(recording, TRACE)
    assert box(graph, "params").detail == "2 arrays, 16 B"
    assert box(graph, "dot_general").notes == ("← params['w']",)
    assert box(graph, "add").notes == ("← params['b']",)


def test_many_unnamed_arguments_and_results_share_a_box() -> None:
    sums = [f"{195 + k} = add {k} {k + 1}" for k in range(100)]
    graph = build_graph(tape(jaxpr("j1", 195, sums, list(range(195, 295)))), TRACE)
    check_picture(graph)
    assert box(graph, "unnamed").detail == "195 arrays, 1.56 kB"
    assert box(graph, "result").detail == "100 arrays, 800 B"


def test_many_arguments_do_not_crowd_the_picture() -> None:
    names = [f"x{k}" for k in range(40)]
    graph = build_graph(tape(jaxpr("j1", 40, ["40 = concatenate 0 39"], [40], input_names=names)), TRACE)
    assert sum(one.kind == "argument" for one in graph.boxes) == 16
    assert box(graph, "25 more arguments").notes == ()


def test_a_gradient_says_so() -> None:
    lines = ["1 = sin 0 @jvp()", "2 = neg 1 @transpose(jvp())"]
    assert box(build_graph(tape(jaxpr("j1", 1, lines, [2])), TRACE), "result[0]").notes == ("gradient",)


def test_a_constant_result_says_its_value() -> None:
    assert box(build_graph(tape(jaxpr("j1", 1, [], ["1.0:f32[]"])), TRACE), "result[0]").notes == ("always 1.0",)


def test_donated_arguments_say_so() -> None:
    argument = Argument(path="x", role="donated", type="f32[2]")
    recording = tape(jaxpr("j1", 1, ["1 = sin 0"], [1], input_names=["x"]), arguments=[argument])
    assert box(build_graph(recording, TRACE), "x").notes == ("donated",)


def test_a_call_is_one_box_until_it_is_opened() -> None:
    inner = jaxpr("j1", 1, ["1 = sin 0", "2 = cos 1"], [2])
    outer = jaxpr("j2", 1, ["1 = jit:j1 0 name=layer", "2 = exp 1"], [2], input_names=["x"])
    recording = tape(inner, outer)
    closed = build_graph(recording, TRACE)
    call = box(closed, "layer")
    assert (call.kind, call.open, call.equations) == ("group", False, 3)
    assert arrows(closed) == {("x", "layer"), ("layer", "exp"), ("exp", "result[0]")}
    opened = build_graph(recording, TRACE, GraphOptions(open_boxes=frozenset({call.id})))
    check_picture(opened)
    assert box(opened, "layer").open
    assert arrows(opened) == {("x", "sin"), ("sin", "cos"), ("cos", "exp"), ("exp", "result[0]")}


def test_what_is_open_by_default_can_be_closed() -> None:
    lines = ["1 = sin 0 @layer", "2 = cos 1 @layer", "3 = exp 2"]
    recording = tape(jaxpr("j1", 1, lines, [3]))
    layer = box(build_graph(recording, TRACE), "layer")
    assert layer.open
    closed = build_graph(recording, TRACE, GraphOptions(open_boxes=frozenset({f"-{layer.id}"})))
    assert not box(closed, "layer").open
    assert box(closed, "layer").id == layer.id


def test_a_loop_has_ports() -> None:
    body = jaxpr("j1", 3, ["3 = mul 1 0", "4 = add 3 2"], [4, 3], input_names=["", "state", "x"])
    line = "3 4 = scan:j1 0 1 2 num_consts=1 num_carry=1 length=5"
    outer = jaxpr("j2", 3, [line], [3, 4], input_names=["w", "s", "xs"])
    recording = tape(body, outer)
    loop = box(build_graph(recording, TRACE), "scan ×5")
    graph = build_graph(recording, TRACE, GraphOptions(open_boxes=frozenset({loop.id})))
    check_picture(graph)
    assert arrows(graph) == {
        ("w", "mul"),
        ("s", "carry: state"),
        ("xs", "x of this step: x"),
        ("carry: state", "mul"),
        ("mul", "add"),
        ("x of this step: x", "add"),
        ("add", "next carry and outputs"),
        ("mul", "next carry and outputs"),
        ("next carry and outputs", "result[0]"),
        ("next carry and outputs", "result[1]"),
    }


def test_branches_join_and_one_may_pass_its_inputs_on() -> None:
    one, other = jaxpr("j1", 1, ["1 = neg 0"], [1]), jaxpr("j2", 1, [], [0])
    outer = jaxpr("j3", 2, ["2 = cond:j1:j2 0 1"], [2], input_names=["which", "x"])
    recording = tape(one, other, outer)
    cond = box(build_graph(recording, TRACE), "cond, 2 branches")
    graph = build_graph(recording, TRACE, GraphOptions(open_boxes=frozenset({cond.id})))
    check_picture(graph)
    join = "result of the branch taken"
    assert arrows(graph) == {
        ("which", join),
        ("x", "neg"),
        ("x", "branch 1"),
        ("neg", join),
        ("branch 1", join),
        (join, "result[0]"),
    }


def test_copies_are_folded_into_a_plate() -> None:
    lines = [f"{k + 1} = sin {k}" if k % 2 else f"{k + 1} = mul {k} 2.0:f32[]" for k in range(10)]
    recording = tape(jaxpr("j1", 1, lines, [10]))
    graph = build_graph(recording, TRACE)
    check_picture(graph)
    plate = next(one for one in graph.boxes if one.repeat > 1)
    assert (plate.repeat, plate.equations, plate.open) == (5, 10, True)
    assert box(graph, "mul 2").notes == ("↻ from the copy before",)
    assert ("sin", "result[0]") in arrows(graph)


def test_copies_that_differ_say_in_what() -> None:
    lines = [f"{k + 1} = mul {k} {k}.5:f32[]" for k in range(8)]
    graph = build_graph(tape(jaxpr("j1", 1, lines, [8])), TRACE)
    assert "(literals differ)" in next(one for one in graph.boxes if one.repeat == 8).detail


def test_what_the_copy_shown_gives_to_the_next_one_counts() -> None:
    recording = tape(jaxpr("j1", 1, [f"{k + 1} = mul {k} 2.0:f32[]" for k in range(8)], [8]))
    plate = next(one for one in build_graph(recording, TRACE).boxes if one.repeat == 8)
    for copy in range(8):
        graph = build_graph(recording, TRACE, GraphOptions(open_boxes=[plate.id, f"{plate.id}#{copy}"]))
        assert box(graph, "mul 2").bytes == 8 * 8, "seven go to the next copy, one is the result"


def test_another_copy_is_shown_when_asked_for() -> None:
    pairs = [(f"{2 * k + 1} = mul {2 * k} {k}.5:f32[] @l{k}", f"{2 * k + 2} = sin {2 * k + 1} @l{k}") for k in range(4)]
    lines = [line for pair in pairs for line in pair]
    recording = tape(jaxpr("j1", 1, lines, [8]))
    plate = next(one for one in build_graph(recording, TRACE).boxes if one.repeat == 4)
    assert (plate.shown, plate.copies) == (0, ("l0", "l1", "l2", "l3"))
    graph = build_graph(recording, TRACE, GraphOptions(open_boxes=[plate.id, f"{plate.id}#2"]))
    check_picture(graph)
    shown = next(one for one in graph.boxes if one.repeat == 4)
    assert (shown.shown, shown.detail.partition(",")[0]) == (2, "copy 3 shown: l2")
    assert "2 equations each (literals differ)" in shown.title
    assert "copy 1 → copy 3:\nmul: 0.5:f32[] → 2.5:f32[]" in shown.title
    assert box(graph, "mul 2.5").notes == ("↻ from the copy before",)


@pytest.mark.parametrize("wish", ["/nothing#3", "#", "x#y", "x#-1", "x#99999999999999", "-", ""])
def test_wishes_that_make_no_sense_change_nothing(wish: str) -> None:
    recording = tape(jaxpr("j1", 1, ["1 = sin 0"], [1]))
    assert build_graph(recording, TRACE, GraphOptions(open_boxes=[wish])) == build_graph(recording, TRACE)


def test_an_outer_group_can_be_closed_over_one_that_was_opened() -> None:
    lines = ["1 = sin 0 @a/b", "2 = cos 1 @a/b", "3 = exp 2 @a", "4 = neg 3"]
    recording = tape(jaxpr("j1", 1, lines, [4]))
    inner = next(one for one in build_graph(recording, TRACE).boxes if one.label == "b")
    assert inner.parent is not None
    graph = build_graph(recording, TRACE, GraphOptions(open_boxes=[inner.id, f"-{inner.parent}"]))
    assert not box(graph, "a").open


def test_links_say_what_uses_what_whatever_is_drawn() -> None:
    forward = ["1 = mul 0 2.0:f32[] @jvp()", "2 = sin 1 @jvp()"]
    lines = [*forward, "3 = cos 1 @transpose(jvp())", "4 = neg 3 @transpose(jvp())"]
    graph = build_graph(tape(jaxpr("j1", 1, lines, [2, 4], input_names=["x"])), TRACE)
    links = {(graph.boxes[link.source].label, graph.boxes[link.target].label, link.kind) for link in graph.links}
    assert links == {
        ("x", "mul 2", "value"),
        ("mul 2", "sin", "value"),
        ("mul 2", "cos", "saved"),
        ("cos", "neg", "value"),
        ("sin", "result[0]", "value"),
        ("neg", "result[1]", "value"),
    }
    assert not any(graph.boxes[link.source].open or graph.boxes[link.target].open for link in graph.links)


def test_all_groups_open_down_to_a_depth() -> None:
    inner = jaxpr("j1", 1, ["1 = sin 0", "2 = cos 1"], [2])
    middle = jaxpr("j2", 1, ["1 = jit:j1 0 name=inner", "2 = exp 1"], [2])
    recording = tape(inner, middle, jaxpr("j3", 1, ["1 = jit:j2 0 name=middle", "2 = neg 1"], [2]))
    opened = [
        [one.label for one in build_graph(recording, TRACE, GraphOptions(depth=depth)).boxes if one.open]
        for depth in range(4)
    ]
    assert opened == [[], ["middle"], ["middle", "inner"], ["middle", "inner"]]
    deepest = build_graph(recording, TRACE, GraphOptions(depth=2))
    assert build_graph(recording, TRACE, GraphOptions(depth=EVERYTHING)) == deepest


def test_what_nobody_could_read_is_refused() -> None:
    jaxprs = [jaxpr("j0", 1, ["1 = sin 0"], [1])]
    for depth in range(1, 41):
        inner = f"jit:j{depth - 1}"
        jaxprs.append(jaxpr(f"j{depth}", 1, [f"1 = {inner} 0", f"2 = {inner} 1"], [2]))
    with pytest.raises(TooManyBoxesError, match="more than 5,000 boxes"):
        build_graph(tape(*jaxprs), TRACE, GraphOptions(depth=EVERYTHING))


def test_constants_are_named_where_they_are_known() -> None:
    types = ["f32[2]", "f32[2]", "f32[512,512]"]
    known = [Constant(name="table", source="closure", type="f32[512,512]", bytes=1048576)]
    recording = tape(jaxpr("j1", 1, ["1 = add 0 2"], [1], constants=[2], types=types), constants=known)
    graph = build_graph(recording, TRACE)
    constant = box(graph, "table")
    assert (constant.kind, constant.detail) == ("constant", "f32[512,512], 1.05 MB")
    assert ("table", "add") in arrows(graph)


def test_effects_are_marked() -> None:
    recording = tape(jaxpr("j1", 1, ["1 = sin 0", " = debug_callback 1"], [1]))
    equations = recording.jaxprs["j1"].equations
    equations[1] = replace(equations[1], effects=["Debug"])
    assert box(build_graph(recording, TRACE), "debug_callback").notes == ("side effect",)


def test_a_failed_trace_shows_what_was_staged() -> None:
    part = jaxpr("j1", 1, ["1 = sin 0"], [], input_names=["x"])
    recording = tape(part, status="error", error=TraceError(type="ValueError", message="no"))
    graph = build_graph(recording, TRACE)
    assert arrows(graph) == {("x", "sin")}
    assert "failed after 1 equation" in graph.note


def test_a_trace_without_any_equation_shows_its_arguments() -> None:
    argument = Argument(path="x", role="traced", type="f32[2]")
    recording = Tape({}, [], [function()], [trace(None, status="running", arguments=[argument])])
    graph = build_graph(recording, TRACE)
    assert [one.label for one in graph.boxes] == ["x"]
    assert "Still tracing" in graph.note


def test_what_was_not_kept_is_said() -> None:
    graph = build_graph(tape(jaxpr("j1", 1, ["1 = sin 0"], [1], dropped_equations=7)), TRACE)
    assert graph.note == "7 equations beyond the recording cap are not shown."


def test_an_unknown_trace_is_an_error() -> None:
    with pytest.raises(KeyError):
        build_graph(tape(jaxpr("j1", 1, [], [0])), "f9#9")


def test_an_empty_program() -> None:
    graph = build_graph(tape(jaxpr("j1", 2, [], [0, "1.0:f32[]"], input_names=["x", "y"])), TRACE)
    check_picture(graph)
    assert arrows(graph) == {("x", "result[0]")}


@pytest.mark.parametrize("name", ["</svg><script>alert(1)</script>", "a\x00\x1b[31m\u202eb", "x" * 10_000, "\ud800"])
def test_hostile_names(name: str) -> None:
    recording = tape(jaxpr("j1", 1, ["1 = sin 0", "2 = cos 1"], [2], input_names=[name]))
    recording.jaxprs["j1"] = jaxpr("j1", 1, ["1 = sin 0", "2 = cos 1"], [2], input_names=[name])
    graph = build_graph(recording, TRACE)
    check_picture(graph)
    for one in graph.boxes:
        texts = [one.label, one.detail, one.name, *one.notes]
        assert all(len(text) <= 80 for text in texts)
        assert not any(sign in text for text in [*texts, one.title] for sign in "\x00\x1b\u202e\ud800")


def test_nested_calls_that_multiply_are_cheap() -> None:
    jaxprs = [jaxpr("j0", 1, ["1 = sin 0", "2 = sin 1"], [2])]
    for depth in range(1, 60):
        inner = f"jit:j{depth - 1}"
        jaxprs.append(jaxpr(f"j{depth}", 1, [f"1 = {inner} 0", f"2 = {inner} 1"], [2]))
    graph = build_graph(tape(*jaxprs), TRACE)
    check_picture(graph)
    assert graph.equations == 2**53 - 1
    assert len(graph.boxes) < 120
