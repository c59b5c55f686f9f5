"""Findings say what is certain, and nothing about programs in which nothing is wrong."""

from __future__ import annotations

import msgspec
import pytest

from jax_trace_viz.contract.document import Constant, EquationCount, Finding, Outcome, Place, TraceError
from jax_trace_viz.contract.events import RunStaged
from jax_trace_viz.session.verdict import verdict
from tests.session.events import Program, key, leaf, static

X2 = key(leaf("x", 2))


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(source="def f(x):\n    if x > 0:\n        return x\n")
    return program


def only(program: Program) -> Finding:
    (finding,) = program.session.findings
    return finding


def test_three_shapes_are_a_pattern_two_are_not(program: Program) -> None:
    program.call(X2)
    program.call(key(leaf("x", 3)))
    assert program.session.findings == []
    program.call(key(leaf("x", 4)))
    finding = only(program)
    assert (finding.kind, finding.function, finding.trace) == ("changing_shapes", "f1", "f1#3")
    assert "2 more times because x changed shape f32[2] → f32[3] → f32[4]" in finding.text
    assert finding.seconds == pytest.approx(2 * (0.5 + 0.25 + 2.0))
    assert finding.fix is not None
    assert "`x`" in finding.fix


def test_a_shape_and_a_value_are_a_pattern_as_two_shapes_are(program: Program) -> None:
    for size, rate in ((2, 0.1), (3, 0.1), (3, 0.2)):
        program.call(key(leaf("x", size), statics=(static("lr", rate),)))
    finding = only(program)
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
    finding = only(program)
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
    finding = only(program)
    assert finding.kind == kind
    assert finding.fix is not None
    assert words in finding.fix


@pytest.mark.parametrize(
    ("name", "qualname", "words"),
    [
        ("<lambda>", "<lambda>", "Make the lambda at line 10 once"),
        ("step", "train.<locals>.step", "Define `step` at line 10 outside of `train`"),
        ("step", "step", "functools.partial"),
    ],
)
def test_what_to_hoist_depends_on_where_the_object_is_made(name: str, qualname: str, words: str) -> None:
    program = Program()
    program.define(name=name, qualname=qualname)
    program.call(X2)
    program.let_go(1)
    program.call(key(leaf("x", 2), callable=2))
    finding = only(program)
    assert finding.fix is not None
    assert words in finding.fix
    assert finding.place is not None
    assert finding.place.line == 10


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
    assert "traced again because a new `f` was made each time" in only(program).text


def test_static_values_from_the_third_on(program: Program) -> None:
    for value in (0.1, 0.2):
        program.call(key(statics=(static("lr", value),), positional=1))
    assert program.session.findings == []
    program.call(key(statics=(static("lr", 0.3),), positional=1))
    assert only(program).kind == "varying_static"
    assert "0.1 → 0.2 → 0.3" in only(program).text


def test_static_objects_without_equality_at_once(program: Program) -> None:
    for token in "ab":
        settings = msgspec.structs.replace(static("cfg", None), type="Cfg", value=None, token=token, identity=True)
        program.call(key(statics=(settings,), positional=1))
    finding = only(program)
    assert finding.kind == "varying_static"
    assert finding.fix is not None
    assert "@dataclass(frozen=True)" in finding.fix


def test_structures_from_the_third_on(program: Program) -> None:
    for size in range(3):
        program.call(key(structures={"x": f"[{'*, ' * size}]"}, positional=1))
    assert only(program).kind == "growing_pytree"


def test_advice_on_a_structure_depends_on_whether_only_settings_changed(program: Program) -> None:
    for rate in (0.1, 0.2, 0.3):
        program.call(key(structures={"model": f"drop.rate={rate}"}, positional=1))
    fix = only(program).fix or ""
    assert "Every setting of `model` is a program of its own." in fix
    assert "same containers" not in fix
    other = Program()
    other.define(2, "g")
    for depth in range(3):
        other.call(key(structures={"model": f"Net[depth={depth}]({'*, ' * depth})"}, positional=1), 2)
    assert "the same containers and keys" in (only(other).fix or "")


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
    finding = only(program)
    assert (finding.kind, finding.function) == ("large_constant", "f2")
    assert "`table` (f32[1024,1024], 4.19 MB, a global)" in finding.text
    assert finding.fix == "Pass `table` as an argument."


def test_small_constants_and_those_of_libraries_are_no_finding(program: Program) -> None:
    program.define(2, "library", origin="library")
    staged(program, 1, Constant(name="w", source="global", type="f32[4]", bytes=16))
    staged(program, 2, Constant(name="w", source="global", type="f32[4]", bytes=2**30))
    assert program.session.findings == []


def test_an_error_is_told_once_at_the_innermost_trace(program: Program) -> None:
    program.define(2, "outer", line=50, end_line=60)
    error = TraceError(type="TracerBoolConversionError", message="Attempted …\nmore", file="main.py", line=11)
    outer = program.begin(X2, 2)
    inner = program.begin(X2, 1, kind="call", parent=outer.run)
    program.end(inner, error=error)
    program.end(outer, error=error)
    finding = only(program)
    assert (finding.kind, finding.function) == ("tracing_error", "f2")
    assert finding.text.startswith("Tracing `outer` stopped at line 11, `if x > 0` in `f`: ")
    assert finding.fix is not None
    assert "jnp.where" in finding.fix


def test_an_error_of_the_users_own_has_no_advice(program: Program) -> None:
    program.end(program.begin(X2), error=TraceError(type="ValueError", message="bad size"))
    assert only(program).fix is None
    assert "ValueError: bad size" in only(program).text


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (Outcome(status="error", type="UnexpectedTracerError", message="leak", line=3), "leaked_tracer"),
        (Outcome(status="error", type="KeyReuseError", message="reuse", line=3), "key_reuse"),
        (
            Outcome(
                status="error", type="ValueError", message="Non-hashable static arguments are used in a jit", line=3
            ),
            "unhashable_static",
        ),
    ],
)
def test_errors_outside_of_a_trace(program: Program, outcome: Outcome, kind: str) -> None:
    program.call(X2)
    program.session.finish(outcome)
    assert only(program).kind == kind


def test_other_errors_of_the_program_are_not_ours_to_explain(program: Program) -> None:
    program.call(X2)
    program.session.finish(Outcome(status="error", type="ZeroDivisionError", message="division by zero", line=3))
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
    assert "because x changed shape f32[1] → f32[2]; i32[2] → i32[3]." in only(program).text


def test_the_middle_of_a_long_chain_is_left_out(program: Program) -> None:
    for size in range(7):
        program.call(key(leaf("x", size)))
    assert "x changed shape f32[0] → f32[1] → f32[2] → … (3 more) → f32[6]." in only(program).text


@pytest.mark.parametrize("type", ["KeyboardInterrupt", "SystemExit"])
def test_an_end_that_was_meant_is_no_finding(program: Program, type: str) -> None:
    program.end(program.begin(X2), error=TraceError(type=type, message=""))
    assert program.session.findings == []


@pytest.mark.parametrize("entry", ["make_jaxpr", "eval_shape", "aot_lower"])
def test_traces_that_were_asked_for_are_no_retraces(program: Program, entry: str) -> None:
    program.call(X2)
    for size in (3, 4, 5):
        program.trace(key(leaf("x", size)), entry=entry)
    assert program.session.findings == []
    program.call(key(leaf("x", 6)))
    program.call(key(leaf("x", 7)))
    assert "was traced 2 more times because x changed shape" in only(program).text


def test_the_first_call_after_traces_that_were_asked_for_is_no_retrace(program: Program) -> None:
    program.trace(key(leaf("x", 2, weak=True)), entry="eval_shape")
    program.call(X2)
    assert program.reasons() == ["weak_type"], "it is true of the trace"
    assert program.session.findings == [], "but nobody called with another type"
    program.let_go(1)
    program.call(key(leaf("x", 2, weak=True), callable=2))
    assert only(program).kind == "new_function_object"


def test_keys_made_in_different_ways_are_not_to_be_padded(program: Program) -> None:
    raw, new, rbg = leaf("key", 2, dtype="u32"), leaf("key", dtype="key<fry>"), leaf("key", 4, dtype="u32")
    for one in (raw, new, rbg):
        program.call(key(one))
    assert "make `key` in one way everywhere" in (only(program).fix or "")


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ((1, ("a",)), (1, ("a", "b")), "Pass `b` in every call of `f`, or in none"),
        ((0, ("a",)), (0, ("a", "b")), "Pass `b` in every call of `f`, or in none"),
        ((0, ("a",)), (0, ("a", "b", "c")), "Pass the same keyword arguments in every call of `f`"),
        ((2, ()), (1, ("b",)), "what is positional once is positional always"),
        ((2, ()), (1, ()), "Every choice of arguments is a program of its own"),
    ],
)
def test_advice_on_spelling_fits_what_was_spelled(
    program: Program, first: tuple[int, tuple[str, ...]], second: tuple[int, tuple[str, ...]], words: str
) -> None:
    for positional, keywords in (first, second):
        program.call(key(leaf("a"), positional=positional, keywords=keywords))
    fix = only(program).fix
    assert fix is not None
    assert words in fix


def test_a_finding_on_several_parts_says_how_many_traces_its_cause_explains(program: Program) -> None:
    sizes = (("a", 1), ("b", 1)), (("a", 2), ("b", 1)), (("a", 3), ("b", 1)), (("a", 3), ("b", 2))
    for pair in sizes:
        program.call(key(statics=tuple(static(name, value) for name, value in pair), positional=2))
    assert only(program).text == "`f` was traced 3 more times, 2 of them because static value a changed 1 → 2 → 3."


def test_parts_that_changed_along_are_named_and_padded_together(program: Program) -> None:
    paths = ["g.nodes", "g.edges", "g.senders", "g.receivers", "mask"]
    for size in (2, 3, 4):
        leaves = [leaf(path, size) for path in paths]
        program.call(key(*leaves, structures={"g": "G(*, *, *, *)", "mask": "*"}, positional=2))
    finding = only(program)
    assert "(as did g.edges, g.senders, g.receivers and 1 more)" in finding.text
    assert finding.fix is not None
    assert "Pad `g` and `mask` to one shape" in finding.fix
