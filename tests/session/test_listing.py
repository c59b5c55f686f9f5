"""A recorded jaxpr as text."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr, SubJaxpr
from jax_trace_viz.session import listing as module
from jax_trace_viz.session.listing import letters, listing, user_place


def jaxpr(identifier: str, *equations: Equation, count: int = 2, **more: object) -> Jaxpr:
    plain = {"inputs": [0], "outputs": [count - 1], "constants": [], "types": ["f32[3]"] * count}
    return Jaxpr(id=identifier, equations=list(equations), **{**plain, **more})


def equation(primitive: str = "sin", *, inside: tuple[str, ...] = (), **more: object) -> Equation:
    subs = [SubJaxpr(parameter=f"branches[{i}]" if len(inside) > 1 else "jaxpr", jaxpr=j) for i, j in enumerate(inside)]
    return Equation(**{"primitive": primitive, "inputs": [0], "outputs": [1], "jaxprs": subs, **more})


def frame(line: int, origin: str, parent: int | None) -> Frame:
    place = {"file": "main.py", "function": "f", "line": line, "end_line": line, "column": 0, "end_column": 1}
    return Frame(**place, parent=parent, origin=origin)


def text(main: str, *jaxprs: Jaxpr) -> list[str]:
    lines = listing("f1#1", main, {each.id: each for each in jaxprs}, []).lines
    return ["  " * line.depth + line.text for line in lines]


def test_a_flat_one() -> None:
    one = jaxpr(
        "j1",
        equation(parameters={"accuracy": "None"}),
        equation("mul", inputs=[1, "2.0:f32[]"], outputs=[2], parameters={"axis": "0"}),
        count=3,
        outputs=[2, "1:i32[]"],
    )
    assert text("j1", one) == [
        "{ lambda ; a:f32[3]. let",
        "  b:f32[3] = sin a",
        "  c:f32[3] = mul[axis=0] b 2.0:f32[]",
        "in (c, 1:i32[]) }",
    ]


def test_constants_stand_before_the_inputs() -> None:
    assert text("j1", jaxpr("j1", constants=[1], outputs=[0]))[0] == "{ lambda a:f32[3]; b:f32[3]. let"


def test_inner_jaxprs_are_indented() -> None:
    scan = equation("scan", inside=("j2",), parameters={"length": "3"})
    assert text("j1", jaxpr("j1", scan), jaxpr("j2", equation("exp"))) == [
        "{ lambda ; a:f32[3]. let",
        "  b:f32[3] = scan[",
        "    length=3",
        "    jaxpr={ lambda ; c:f32[3]. let",
        "      d:f32[3] = exp c",
        "    in (d,) }",
        "  ] a",
        "in (b,) }",
    ]


def test_calls_show_their_name_and_what_they_donate() -> None:
    def call(donated: str) -> Equation:
        parameters = {"name": "g", "inline": "False", "donated_invars": donated, "ctx_mesh": "Mesh"}
        return equation("jit", inside=("j2",), parameters=parameters)

    shown = text("j1", jaxpr("j1", call("(False,)"), call("(True,)")), jaxpr("j2", equation()))
    assert shown[1:3] == [
        "  b:f32[3] = jit[name=g jaxpr=g] a",
        "  b:f32[3] = jit[name=g donated_invars=(True,) jaxpr=g] a",
    ]


def test_a_jaxpr_used_twice_is_written_once_after_the_main_one() -> None:
    shown = text(
        "j1", jaxpr("j1", equation("jit", inside=("j2",)), equation("jit", inside=("j2",))), jaxpr("j2", equation())
    )
    assert shown[-3:] == ["jit = { lambda ; c:f32[3]. let", "  d:f32[3] = sin c", "in (d,) }"]


def test_two_shared_jaxprs_of_one_name_are_told_apart() -> None:
    calls = [equation("jit", inside=(j,), parameters={"name": "g"}) for j in ("j2", "j3", "j2", "j3")]
    shown = text("j1", jaxpr("j1", *calls), jaxpr("j2", equation()), jaxpr("j3", equation("cos")))
    assert [line for line in shown if line.startswith("g")] == [
        "g = { lambda ; c:f32[3]. let",
        "g_2 = { lambda ; e:f32[3]. let",
    ]


def test_calls_that_multiply_stay_short() -> None:
    """Sixty levels of two calls each stand for more equations than could ever be written."""
    levels = 60
    jaxprs = [
        jaxpr(f"j{i}", *[equation("jit", inside=(f"j{i + 1}",), parameters={"name": f"g{i}"}) for _ in range(2)])
        for i in range(levels)
    ]
    result = listing("f1#1", "j0", {each.id: each for each in [*jaxprs, jaxpr(f"j{levels}", equation())]}, [])
    assert len(result.lines) == levels * 4 + 3
    assert result.dropped == 0


@pytest.mark.parametrize("cap", [1, 2, 3, 5, 8, 11, 100])
def test_lines_beyond_the_cap_are_counted(monkeypatch: pytest.MonkeyPatch, cap: int) -> None:
    program = {
        "j1": jaxpr(
            "j1",
            equation("cond", inside=("j2", "j3")),
            equation("jit", inside=("j4",)),
            equation("jit", inside=("j4",)),
        ),
        "j2": jaxpr("j2", equation("scan", inside=("j5",), parameters={"length": "3"}), dropped_equations=4),
        "j3": jaxpr("j3", equation(inside=("lost",))),
        "j4": jaxpr("j4", equation()),
        "j5": jaxpr("j5", equation()),
    }
    whole = listing("f1#1", "j1", program, [])
    monkeypatch.setattr(module, "LINES", cap)
    part = listing("f1#1", "j1", program, [])
    assert part.lines == whole.lines[:cap]
    assert len(part.lines) + part.dropped == len(whole.lines)


def test_what_was_not_recorded_is_said() -> None:
    shown = text("j1", jaxpr("j1", equation(inside=("lost",)), dropped_equations=12))
    assert "    jaxpr={ not recorded }" in shown
    assert "  … 12 more equations, not recorded" in shown
    assert text("lost") == []


def test_many_variables_are_counted() -> None:
    many = jaxpr("j1", count=60, inputs=list(range(60)), outputs=[0])
    assert text("j1", many)[0].endswith("o:f32[3] p:f32[3] … 44 more. let")


def test_lines_name_the_users_place_and_count_the_equations() -> None:
    frames = [frame(3, "user", None), frame(900, "library", 0), frame(7, "library", None)]
    main = jaxpr("j1", equation(frame=1), equation("jit", inside=("j2",), frame=2), equation("cos"))
    lines = listing("f1#1", "j1", {"j1": main, "j2": jaxpr("j2", equation(frame=0))}, frames).lines
    numbered = [(line.equation, line.place and line.place.line) for line in lines if line.equation is not None]
    assert numbered == [(0, 3), (1, None), (2, 3), (3, None)]


def test_a_frame_that_was_dropped_has_no_place() -> None:
    assert user_place(5, []) is None
    assert user_place(None, []) is None


def test_names_go_on_as_in_jax() -> None:
    assert [letters(n) for n in (0, 25, 26, 51, 52, 26 * 26)] == ["a", "z", "ba", "bz", "ca", "baa"]
