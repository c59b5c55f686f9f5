"""Where our front end is missing, the source is still there with what the Source tab tells of each line."""

from __future__ import annotations

import html
import re
import sys
import tracemalloc
import types
from typing import TYPE_CHECKING

from msgspec import structs

import jax_trace_viz
from jax_trace_viz.exports import html as html_export
from jax_trace_viz.exports import source_html
from jax_trace_viz.exports.html import fallback
from jax_trace_viz.session.front_end.view import update

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from jax_trace_viz.session.session import Session

SOURCE = """\
import jax
import jax.numpy as jnp
import numpy as np
rate, W = 2.0, np.ones((500, 500), np.float32)
@jax.jit
def step(image, depth=3):
    height, width = image.shape
    print("tracing <step>")
    if height > 100:
        image = image * 2
    for _ in range(depth):
        image = jnp.tanh(image) * rate
    return image.sum() + W
def use(x):
    y = jnp.sin(x)
    return float(y)
step(jnp.ones((28, 4)))
step(jnp.ones((32, 4)))
rate = 5.0
step(jnp.ones((32, 4)))
jax.vmap(lambda x: x + 1)(jnp.ones(3))
try:
    jax.jit(use)(1.0)
except jax.errors.ConcretizationTypeError:
    pass
"""


REBOUND = """\
import jax
import jax.numpy as jnp
@jax.jit
def layer(x, w):
    x = x @ w
    x = jnp.tanh(x)
    return x.sum()
layer(jnp.ones((2, 3)), jnp.ones((3, 5)))
"""


def recorded(folder: Path, source: str = SOURCE) -> Session:
    file = folder / "main.py"
    file.write_text(source, encoding="utf-8")
    module = sys.modules["source_main"] = types.ModuleType("source_main")
    try:
        with jax_trace_viz.trace() as session:
            exec(compile(source, str(file), "exec"), vars(module))
    finally:
        del sys.modules["source_main"]
    return session


def rows(page: str) -> dict[int, str]:
    """What is told at the end of each line, by the line's number."""
    found = re.findall(
        r"^ *(\d+)  (?:.*?   <b>(.*?)</b>)?", "\n".join(re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)), re.M
    )
    return {int(number): html.unescape(told) for number, told in found if told}


def test_the_saved_fallback_and_the_page_show_the_marks(tmp_path: Path) -> None:
    session = recorded(tmp_path)
    for page in (fallback(update(session)), session.to_html()):
        told = rows(page)
        assert told[6] == "image ● f32[32,4]   depth ■ 3"
        assert told[7] == "height ■ 32   width ■ 4"
        assert told[8] == "ran 2×, at trace time only"
        assert "unrolled" in told[11]
        assert {"image ● f32[32,4]", "rate ■ 2.0", "! rate became 5.0"} <= set(told[12].split("   "))
        assert told[13] == "W ◆ 1 MB"
        assert "y ● f32[]" in told[15]
        assert told[16] == "✕ ConcretizationTypeError"
        assert "x ● f32[] · vmap axis 0 of 3" in told[21]
        assert "print(&quot;tracing &lt;step&gt;&quot;)" in page
        assert ("Not every line was seen" in page) == (sys.version_info < (3, 12))
        if sys.version_info >= (3, 12):
            assert told[10] == "not run"


def test_each_line_that_binds_a_name_tells_what_it_was_there(tmp_path: Path) -> None:
    told = rows(recorded(tmp_path, REBOUND).to_html())
    assert told == {4: "x ● f32[2,3]   w ● f32[3,5]", 5: "x ● f32[2,5]", 6: "x ● f32[2,5]"}


def test_a_large_constant_is_told_at_the_line_that_reads_it(tmp_path: Path) -> None:
    (finding,) = [one for one in recorded(tmp_path).findings if one.kind == "large_constant"]
    assert finding.place is not None
    assert SOURCE.splitlines()[finding.place.line - 1] == "    return image.sum() + W"


def test_a_mark_ends_with_the_function_whatever_a_file_says(tmp_path: Path) -> None:
    document = recorded(tmp_path).document()
    marks = [structs.replace(mark, kind="not_run", line=-(10**5), end_line=10**5) for mark in document.line_marks]
    tracemalloc.start()
    try:
        told = rows(html_export.page(structs.replace(document, line_marks=marks)))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert {number for number, what in told.items() if "not run" in what} == {*range(6, 14)}
    assert most < 10e6


def test_what_does_not_fit_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = recorded(tmp_path)
    monkeypatch.setattr(source_html, "FUNCTIONS", 1)
    monkeypatch.setattr(source_html, "LINES", 2)
    page = session.to_html()
    assert "and 7 more lines" in page
    assert "and the source of 2 more functions" in page
