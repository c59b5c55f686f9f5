"""What is read of a function's source, with lines as in its file."""

from __future__ import annotations

import textwrap

import pytest

from jax_trace_viz.contract.document import Function
from jax_trace_viz.session.source.structure import Effect, Loop, Structure, structure_of


def read(source: str, qualname: str = "step", line: int | None = 1) -> Structure | None:
    """The structure of a function whose source begins on this line of its file."""
    return structure_of(
        Function(
            id="f1",
            name=qualname.rpartition(".")[2],
            qualname=qualname,
            file="main.py",
            line=line,
            end_line=None,
            origin="user",
            source=textwrap.dedent(source),
        )
    )


def of(source: str, qualname: str = "step", line: int = 1) -> Structure:
    """The same, of what can be read."""
    found = read(source, qualname, line)
    assert found is not None
    return found


LOOPS = """\
def step(x, n):
    for i in range(n):
        '''Silent.'''
        x = (x
             + i)
        while x.ndim < 3:
            x = x[None]
    for j in range(2): x = x + j
    while n: n = n - 1
    for k in range(3):
        if k:
            x = x - 1
    else:
        x = x * 2
    for _ in range(2):
        with context():
            x = x + 1
    return x
"""


def test_loops_have_a_head_a_first_statement_and_an_end() -> None:
    assert of(LOOPS, line=101).loops == [
        Loop(line=102, body=(104, 105), end_line=107, inner=((106, 107),), counts=True),
        Loop(line=106, body=(107, 107), end_line=107, inner=(), counts=True),
        Loop(line=108, body=(108, 108), end_line=108, inner=(), counts=True),
        Loop(line=109, body=(109, 109), end_line=109, inner=(), counts=False),
        Loop(line=110, body=(111, 111), end_line=112, inner=(), counts=True),
        Loop(line=115, body=(116, 117), end_line=117, inner=(), counts=False),
    ]


EFFECTS = """\
def step(x):
    seen.append(x)
    if x.ndim:
        print(
            x
        )
        return x
    print("late")
    y = x * 2

    def inner(z):
        print(z)
        return z

    return y
"""


def test_effects_are_certain_where_every_run_comes_by() -> None:
    assert of(EFFECTS, line=21).effects == [Effect(22, 22, True), Effect(24, 26, False), Effect(28, 28, False)]


@pytest.mark.parametrize("before", ["return x", "raise ValueError", "try: x\n    except E: pass", "if x: return x"])
def test_nothing_is_certain_after_what_may_end_the_run(before: str) -> None:
    (effect,) = of(f"def step(x):\n    {before}\n    print(x)\n").effects
    assert not effect.always


def test_changing_what_was_made_or_passed_is_computing() -> None:
    assert [effect.line for effect in of(OUTSIDE).effects] == [4, 5, 8]


OUTSIDE = """\
def step(x, out):
    global total
    own = []
    total = total + 1
    total.append(x)
    own.append(x)
    out.append(x)
    kept.append(x)
    return own
"""


def test_parameters_last_that_nothing_binds_anew() -> None:
    source = """\
    def step(
        plain, positional, /, bound, deleted, imported, module, rest, caught, matched, starred, defined, made, *, kw
    ):
        bound = 1
        del deleted
        import other as imported
        import module.part
        try:
            pass
        except E as caught:
            pass
        match plain:
            case {"a": 1, **rest}:
                pass
            case [matched, *starred]:
                pass

        def defined():
            nonlocal positional
            positional = 1

        class made:
            pass
    """
    assert of(source).lasting == {"plain", "kw"}


def test_rebound_names_and_branches_are_told_by_line() -> None:
    found = of("def step(x):\n    x = x + 1\n    x = x * 2\n    if x.ndim:\n        x = -x\n    return x\n", line=11)
    assert [bound.line for bound in found.rebound][:2] == [12, 13]
    ((body, orelse, repeated),) = [(branch.body, branch.orelse, branch.repeated) for branch in found.branches]
    assert (body, orelse, repeated) == ((15, 15), None, False)
    assert [statement.line for statement in found.body] == [12, 13, 14, 16]


def test_a_method_is_found_by_its_own_name_and_what_is_no_def_is_empty() -> None:
    method = "def step(self, x):\n    print(x)\n"
    assert of(method, "Model.fit.<locals>.step", 5).effects == [Effect(6, 6, True)]
    assert of(method, "Model.other") == Structure()
    assert of("step = lambda x: print(x)\n") == Structure()
    assert read(method, line=None) == Structure()
    assert read("def step(x:\n") is None
