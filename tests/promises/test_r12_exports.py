"""R12: what is written down is text, whatever the program's names and errors are.

Figures: 285 texts that try to be markup, links, code, terminal commands or statements of Graphviz, by nine ways in
(function, file, comment, error and its type, scope, key of an argument, static value, global variable, axis). Every
export parses, holds no script, handler or address, and no control character. `ui-tests/tests/hostile.spec.ts` shows
the same in a browser.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

import jax_trace_viz
from jax_trace_viz.exports.html import fallback
from jax_trace_viz.exports.registry import EXPORTERS
from jax_trace_viz.exports.text import line, summary
from jax_trace_viz.exports.why_text import why
from jax_trace_viz.jupyter import wire
from jax_trace_viz.session.front_end.view import update
from tests.exports.test_html import Reader
from tests.promises import hostile

if TYPE_CHECKING:
    import pathlib

TEXTS = hostile.payloads()
DRAWN = 6
"""Of so many functions, one is drawn alone; `dense` has all texts in one picture."""
CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
UNSEEN = re.compile(f"[{CONTROLS}{DIRECTIONS}\ud800-\udfff\ufffe\uffff]")
ELEMENTS = {"svg", "title", "desc", "style", "rect", "path", "text", "tspan", "g", "circle", "line", "defs", "marker"}
FORBIDDEN = {"script", "iframe", "object", "embed", "link", "form", "a", "base", "video", "input", "svg", "math"}


@pytest.fixture(scope="module", params=["wide", "dense"])
def session(request: pytest.FixtureRequest) -> jax_trace_viz.Session:
    with jax_trace_viz.trace() as recorded:
        getattr(hostile, request.param)(TEXTS)
    document = recorded.document()
    assert document.environment.limited == []
    assert document.faults == []
    assert len(document.traces) >= {"wide": len(TEXTS), "dense": 3}[request.param]
    return recorded


def assert_harmless_picture(svg: str) -> None:
    root = ET.fromstring(svg)
    assert {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()} <= ELEMENTS
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name
            assert "url(" not in value or name in {"aria-label", "title"}
    assert not UNSEEN.search(svg)


def assert_harmless_page(page: str) -> None:
    reader = Reader(page)
    assert not FORBIDDEN & set(reader.tags)
    for name, value in reader.attributes:
        assert name in {"alt", "src", "charset", "lang", "aria-label", "name", "content"}, name
        assert name != "src" or (value or "").startswith("data:image/svg+xml;base64,")
    assert not UNSEEN.search(page)
    for picture in re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page):
        assert_harmless_picture(base64.b64decode(picture).decode())


def test_there_are_enough_of_them() -> None:
    assert len(set(TEXTS)) == len(TEXTS) >= 200


def test_pages_and_outputs_hold_no_markup_of_the_program(session: jax_trace_viz.Session) -> None:
    assert_harmless_page(session.to_html())
    assert_harmless_page(fallback(update(session)))


def test_pictures_are_well_formed(session: jax_trace_viz.Session) -> None:
    drawn = 0
    for function in sorted({function.name for function in session.document().functions})[::DRAWN]:
        try:
            picture = session.to_svg(function)
        except LookupError:  # its trace failed
            continue
        assert_harmless_picture(picture)
        drawn += 1
    assert drawn


def test_texts_hold_no_command_for_a_terminal(session: jax_trace_viz.Session) -> None:
    document = session.document()
    for text in (
        EXPORTERS["text"](document),
        why(document),
        summary(update(session)),
        line(update(session)),
        repr(session),
    ):
        assert not UNSEEN.search(text)
        assert "\r" not in text


def test_data_can_be_read_again(session: jax_trace_viz.Session, tmp_path: pathlib.Path) -> None:
    session.save(tmp_path / "session.json")
    assert len(jax_trace_viz.load(tmp_path / "session.json").document().traces) == len(session.document().traces)
    assert json.loads(session.to_chrome_trace().encode())["traceEvents"]
    assert json.dumps(wire.plain(update(session))).isascii()


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_no_statement_and_no_address(session: jax_trace_viz.Session) -> None:
    text = EXPORTERS["dot"](session.document())
    run = subprocess.run(["dot", "-Tdot_json"], input=text.encode(), capture_output=True, check=True, timeout=30)
    assert run.stderr == b""
    for item in (read := json.loads(run.stdout))["objects"] + read.get("edges", []):
        assert not {"URL", "href"} & set(item)
        assert item.get("name") != "evil"
