"""HTML without script and network, whatever stands in the user's program."""

from __future__ import annotations

import base64
import html.parser
import re
import xml.etree.ElementTree as ET

import pytest

from jax_trace_viz.contract.document import EquationCount, TraceError
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.events import JaxprSeen, RunStaged
from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
from jax_trace_viz.exports import html as exported
from jax_trace_viz.exports.html import fallback, page
from jax_trace_viz.session.front_end.view import update
from tests.session.events import Program, key, leaf

HOSTILE = "<script>alert(1)</script>\"'&\x07\x1b[31m</td></table>"


class Reader(html.parser.HTMLParser):
    """Collects tags, attributes and text, and checks that every element is closed."""

    VOID = frozenset({"br", "img", "meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def program(name: str = "step") -> Program:
    program = Program()
    program.define(name=name, source=f"def {name}(x):\n    return x\n")
    for size in (8, 9, 10):
        began = program.trace(key(leaf(name, size)))
        equation = Equation(primitive="sin", inputs=[0], outputs=[1], parameters={"name": name})
        jaxpr = Jaxpr(id=f"j{size}", inputs=[0], outputs=[1], constants=[], types=["f32[8]"] * 2, equations=[equation])
        program.session.apply(JaxprSeen(jaxpr=jaxpr, frames=[], first_frame=0))
        count = EquationCount(distinct=1, expanded=1)
        program.session.apply(RunStaged(run=began.run, jaxpr=jaxpr.id, equations=count, constants=[]))
        program.compile(began)
    program.session.finish(Outcome())
    return program


def both(program: Program) -> list[str]:
    return [fallback(update(program.session)), page(program.session.document())]


def pictures(text: str) -> list[str]:
    return [base64.b64decode(data).decode() for data in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', text)]


@pytest.mark.parametrize("place", [0, 1])
def test_verdict_findings_functions_and_graph(place: int) -> None:
    reader = Reader(both(program())[place])
    assert "step was traced 3" in reader.text
    assert "What usually helps:" in reader.text
    assert ("alt", "Computation graph of step") in reader.attributes
    assert {"table", "ul", "img", "code"} <= set(reader.tags)


def test_a_page_has_headings_and_a_notebook_keeps_its_own() -> None:
    in_notebook, own = map(Reader, both(program()))
    assert not {"h1", "h2", "h3"} & set(in_notebook.tags)
    assert [tag for tag in own.tags if tag in {"h1", "h2", "h3"}] == ["h1"] + 6 * ["h2"]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("name", ["step", HOSTILE])
def test_nothing_runs_and_nothing_is_fetched(place: int, name: str) -> None:
    failing = program(name)
    failing.end(failing.begin(key(leaf("x", 2))), error=TraceError(type=name, message=name, file=name, line=1))
    text = both(failing)[place]
    reader = Reader(text)
    assert not {"script", "iframe", "object", "embed", "link", "form", "a"} & set(reader.tags)
    for attribute, value in reader.attributes:
        assert not attribute.startswith("on")
        assert attribute in {"alt", "src", "charset", "lang", "aria-label"}
        assert attribute != "src" or (value or "").startswith("data:image/svg+xml;base64,")
    assert "http" not in text
    assert "\x07" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize("name", ["step", HOSTILE])
def test_the_pictures_are_well_formed(name: str) -> None:
    for text in both(program(name)):
        (picture,) = pictures(text)
        assert ET.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_picture_too_large_for_a_notebook_is_left_out_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exported, "FALLBACK_BYTES", 3000)
    text = fallback(update(program().session))
    assert pictures(text) == []
    assert "Computation graph of step: too large for this view." in text
    assert len(text) < 3000


def test_the_line_of_an_unasked_recording() -> None:
    reader = Reader(exported.verdict(update(program().session)))
    assert reader.text.startswith("step was traced 3")
    assert reader.tags == ["div", "p"]


def test_helpers_have_no_row_of_zeros() -> None:
    watched = program()
    watched.define(2, "helper")
    for made in both(watched):
        assert "<td>step</td>" in made
        assert "<td>helper</td>" not in made


def test_many_functions_are_counted() -> None:
    many = Program()
    for number in range(1, exported.FUNCTIONS + 4):
        many.define(number, f"f{number}")
        many.trace(key(leaf()), number)
    assert "and 3 more functions" in fallback(update(many.session))
