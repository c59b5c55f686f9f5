"""The magic's line: what is read from it, and the cell without it."""

from __future__ import annotations

import pytest
from IPython.core.error import UsageError
from IPython.core.inputtransformer2 import TransformerManager

from jax_trace_viz.jupyter.options import HELP, Options, asked, cell_options, drop_line, line_mode


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("", Options()),
        ("--function loss", Options(function="loss")),
        ("--svg a.svg --overlay xla", Options(svg="a.svg", overlay="xla")),
        ("--svg a.svg --save=b.json", Options(svg="a.svg", save="b.json")),
        ("--svg 'my graph.svg'", Options(svg="my graph.svg")),
        ('--svg "my graph.svg"', Options(svg="my graph.svg")),
    ],
)
def test_good_lines(line, options):
    assert cell_options(line) == options
    assert asked(f"%%jaxtrace {line}\nf(x)") == options


@pytest.mark.parametrize("line", ["--nonsense", "--svg", "on", "a b", "--svg 'a", "--function", "--overlay xla"])
def test_a_wrong_line_is_one_sentence_and_left_to_ipython(line):
    with pytest.raises(UsageError) as raised:
        cell_options(line)
    assert "\n" not in str(raised.value)
    assert asked(f"%%jaxtrace {line}\nf(x)") is None
    lines = [f"%%jaxtrace {line}\n", "f(x)\n"]
    assert drop_line(lines) == lines


def test_an_unknown_option_is_named():
    for line in ("--sgv x.svg", "--function step --sgv x.svg"):
        with pytest.raises(UsageError, match="--sgv"):
            cell_options(line)
    with pytest.raises(UsageError, match="`onn` is none of on, off, status, last"):
        line_mode("onn")


def test_modes():
    assert [line_mode(line) for line in ("on", " off ", "status", "last")] == ["on", "off", "status", "last"]
    assert line_mode("") == "status"
    for line in ("--svg a.svg", "onn", "on off", "f(x)"):
        with pytest.raises(UsageError):
            line_mode(line)


def test_the_help_names_everything():
    for word in ("%%jaxtrace", "%jaxtrace on|off|status|last", "--function", "--svg", "--save"):
        assert word in HELP


@pytest.mark.parametrize(
    "cell",
    [
        "%%jaxtrace\nf(x)",
        "%%jaxtrace",
        "\n  \n%%jaxtrace\nf(x)",
        "  %%jaxtrace\n  f(x)",
        "%%time\n%%jaxtrace\nf(x)",
        "%%time\n\n%%jaxtrace\nf(x)",
        "%%capture out\n%%time\n%%jaxtrace\nf(x)",
    ],
)
def test_cells_that_ask(cell):
    assert asked(cell) == Options()


@pytest.mark.parametrize(
    "cell",
    ["", "f(x)", "%%jaxtracer\nf(x)", "# a\n%%jaxtrace\nf(x)", "'''\n%%jaxtrace\n'''", "%jaxtrace on", "%%jaxtrace?"],
)
def test_cells_that_do_not_ask(cell):
    assert asked(cell) is None


def test_the_line_becomes_a_comment_so_that_line_numbers_stay():
    assert drop_line(["%%jaxtrace --function f\n", "f(x)\n"]) == ["# %%jaxtrace --function f\n", "f(x)\n"]


def test_another_cell_magic_below_takes_its_place():
    assert drop_line(["%%jaxtrace\n", "%%time\n", "f(x)\n"]) == ["%%time\n", "f(x)\n"]


@pytest.mark.parametrize("lines", [[], ["f(x)\n"], ["%%jaxtrace?\n"], ["%%time\n", "%%jaxtrace\n"]])
def test_other_cells_are_left_alone(lines):
    assert drop_line(lines) == lines


@pytest.mark.parametrize("body", ["f(x)", "for a in b:", "x = (1,", "def f():\n    return 1\n", "x = '''\n"])
def test_a_cell_is_complete_exactly_when_its_body_is(body):
    manager = TransformerManager()
    manager.cleanup_transforms.append(drop_line)
    assert manager.check_complete(f"%%jaxtrace\n{body}") == manager.check_complete(body)
