"""Findings say what is certain, and nothing about programs in which nothing is wrong."""

from __future__ import annotations

import msgspec
import pytest

from jax_trace_viz.contract.document import Constant, EquationCount, Place
from jax_trace_viz.contract.events import RunStaged
from jax_trace_viz.session.verdict import verdict
from tests.session.events import Program, key, leaf, static

X2 = key(leaf("x", 2))


def test_three_shapes_are_a_pattern_two_are_not(program: Program) -> None:
    program.call(X2)
    program.call(key(leaf("x", 3)))
    assert program.session.findings == []
    program.call(key(leaf("x", 4)))
    finding = program.finding()
    assert (finding.kind, finding.function, finding.trace) == ("changing_shapes", "f1", "f1#3")
    assert "2 more times because x changed shape f32[2] → f32[3] → f32[4]" in finding.text
    assert finding.seconds == pytest.approx(2 * (0.5 + 0.25 + 2.0))
    assert finding.fix is not None
    assert "`x`" in finding.fix


def test_a_shape_and_a_value_are_a_pattern_as_two_shapes_are(program: Program) -> None:
    for size, rate in ((2, 0.1), (3, 0.1), (3, 0.2)):
        program.call(key(leaf("x", size), statics=(static("lr", rate),)))
    finding = program.finding()
    assert finding.text == (
        "`f` was traced 2 more times: x changed shape f32[2] → f32[3]; static value lr changed 0.1 → 0.2."
    )
    assert "Pad `x`" in (finding.fix or "")
    assert ". Every value of `lr`" in (finding.fix or "")
    assert finding.seconds == pytest.approx(2 * (0.5 + 0.25 + 2.0))
    assert (finding.function, finding.trace, finding.place) == ("f1", "f1#2", Place(file="main.py", line=100))


def test_what_is_told_of_one_retrace_is_not_told_again_of_the_next(program: Program) -> None:
    for size, rate in ((2, 0.1), (3, 0.2), (3, 0.3)):
        program.call(key(leaf("x", size), statics=(static("lr", rate),)))
    finding = program.finding()
    assert finding.text == (
        "`f` was traced 2 more times: x changed shape f32[2] → f32[3] and static value lr changed 0.1 → 0.2."
    )
    assert (finding.fix or "").count("Every value of `lr`") == 1


def test_each_functions_retraces_are_counted_apart(program: Program) -> None:
    program.define(2, "g")
    for function in (1, 2):
        program.call(X2, function)
        program.call(key(leaf("x", 3)), function)
    assert program.session.findings == []


def test_shapes_inside_one_trace_are_no_fault(program: Program) -> None:
    program.define(2, "outer")
    outer = program.begin(X2, 2)
    for size in range(4):
        program.trace(key(leaf("x", size)), parent=outer.run)
    program.end(outer)
    assert program.session.findings == []


@pytest.mark.parametrize(
    ("first", "second", "kind", "words"),
    [
        (key(leaf(weak=True)), key(leaf()), "weak_type", "jnp.asarray(value, jnp.float32)"),
        (key(leaf(dtype="bf16", weak=True)), key(leaf(dtype="bf16")), "weak_type", "jnp.bfloat16"),
        (X2, key(leaf("x", 2), keywords=("x",), positional=0), "kwargs_spelling", "the same way"),
        (X2, key(leaf("x", 2), context={"jax_enable_x64": "True"}), "context_toggle", "`jax_enable_x64`"),
    ],
)
def test_once_is_enough_where_it_is_certainly_a_waste(
    program: Program, first: object, second: object, kind: str, words: str
) -> None:
    program.call(first)
    program.call(second)
    finding = program.finding()
    assert finding.kind == kind
    assert finding.fix is not None
    assert words in finding.fix


def test_objects_that_are_kept_or_were_of_use_are_no_waste(program: Program) -> None:
    program.call(X2)
    program.call(key(leaf("x", 2), callable=2))
    assert program.reasons() == ["new_function_object"]
    program.let_go(1, calls=50)
    program.call(key(leaf("x", 2), callable=3))
    assert program.session.findings == []
    assert "each time" not in verdict(program.session.document(), "ok")
    program.let_go(3)
    program.call(key(leaf("x", 2), callable=4))
    assert "traced again because a new `f` was made each time" in program.finding().text


def test_static_values_from_the_third_on(program: Program) -> None:
    for value in (0.1, 0.2):
        program.call(key(statics=(static("lr", value),), positional=1))
    assert program.session.findings == []
    program.call(key(statics=(static("lr", 0.3),), positional=1))
    assert program.finding().kind == "varying_static"
    assert "0.1 → 0.2 → 0.3" in program.finding().text


def test_static_objects_without_equality_at_once(program: Program) -> None:
    for token in "ab":
        settings = msgspec.structs.replace(static("cfg", None), type="Cfg", value=None, token=token, identity=True)
        program.call(key(statics=(settings,), positional=1))
    finding = program.finding()
    assert finding.kind == "varying_static"
    assert finding.fix is not None
    assert "@dataclass(frozen=True)" in finding.fix


def test_structures_from_the_third_on(program: Program) -> None:
    for size in range(3):
        program.call(key(structures={"x": f"[{'*, ' * size}]"}, positional=1))
    assert program.finding().kind == "growing_pytree"


def test_findings_are_ranked_by_cost(program: Program) -> None:
    program.define(2, "g")
    program.call(key(leaf(weak=True)))
    program.call(key(leaf()))
    program.call(key(leaf("x", 2), callable=2), 2)
    program.let_go(2)
    program.compile(program.trace(key(leaf("x", 2), callable=3), 2, seconds=30.0), 2)
    assert [finding.kind for finding in program.session.findings] == ["new_function_object", "weak_type"]


def staged(program: Program, function: int, *constants: Constant, parent: int | None = None) -> int:
    began = program.begin(X2, function, parent=parent)
    program.session.apply(RunStaged(run=began.run, jaxpr=None, equations=EquationCount(), constants=list(constants)))
    return began.run


def test_large_constants_are_told_once_where_their_name_is_known(program: Program) -> None:
    program.define(2, "g")
    big = Constant(name=None, source="unknown", type="f32[1024,1024]", bytes=2**22)
    outer = staged(program, 1, big)
    staged(program, 2, msgspec.structs.replace(big, name="table", source="global"), parent=outer)
    finding = program.finding()
    assert (finding.kind, finding.function) == ("large_constant", "f2")
    assert "`table` (f32[1024,1024], 4.19 MB, a global)" in finding.text
    assert finding.fix == "Pass `table` as an argument."


def test_small_constants_and_those_of_libraries_are_no_finding(program: Program) -> None:
    program.define(2, "library", origin="library")
    staged(program, 1, Constant(name="w", source="global", type="f32[4]", bytes=16))
    staged(program, 2, Constant(name="w", source="global", type="f32[4]", bytes=2**30))
    assert program.session.findings == []


def test_another_transformation_and_redefinition_are_no_finding(program: Program) -> None:
    program.call(X2)
    program.trace(X2, kind="vmap")
    program.trace(X2, kind="vmap")
    program.trace(X2, entry="make_jaxpr")
    assert program.session.findings == []


def test_values_that_did_not_grow_out_of_each_other_are_no_chain(program: Program) -> None:
    for dtype, size in (("f32", 1), ("f32", 2), ("i32", 2), ("i32", 3)):
        program.call(key(leaf("x", size, dtype=dtype)))
    assert "because x changed shape f32[1] → f32[2]; i32[2] → i32[3]." in program.finding().text


def test_the_middle_of_a_long_chain_is_left_out(program: Program) -> None:
    for size in range(7):
        program.call(key(leaf("x", size)))
    assert "x changed shape f32[0] → f32[1] → f32[2] → … (3 more) → f32[6]." in program.finding().text


@pytest.mark.parametrize("entry", ["make_jaxpr", "eval_shape", "aot_lower"])
def test_traces_that_were_asked_for_are_no_retraces(program: Program, entry: str) -> None:
    program.call(X2)
    for size in (3, 4, 5):
        program.trace(key(leaf("x", size)), entry=entry)
    assert program.session.findings == []
    program.call(key(leaf("x", 6)))
    program.call(key(leaf("x", 7)))
    assert "was traced 2 more times because x changed shape" in program.finding().text


def test_the_first_call_after_traces_that_were_asked_for_is_no_retrace(program: Program) -> None:
    program.trace(key(leaf("x", 2, weak=True)), entry="eval_shape")
    program.call(X2)
    assert program.reasons() == ["weak_type"], "it is true of the trace"
    assert program.session.findings == [], "but nobody called with another type"
    program.let_go(1)
    program.call(key(leaf("x", 2, weak=True), callable=2))
    assert program.finding().kind == "new_function_object"


def test_a_finding_on_several_parts_says_how_many_traces_its_cause_explains(program: Program) -> None:
    sizes = (("a", 1), ("b", 1)), (("a", 2), ("b", 1)), (("a", 3), ("b", 1)), (("a", 3), ("b", 2))
    for pair in sizes:
        program.call(key(statics=tuple(static(name, value) for name, value in pair), positional=2))
    assert program.finding().text == "`f` was traced 3 more times, 2 of them because static value a changed 1 → 2 → 3."
