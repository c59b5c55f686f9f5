"""The widget: the same picture where our front end cannot be."""

from __future__ import annotations

import jax
import msgspec
import pytest

import jax_trace_viz
from jax_trace_viz.contract.view import Answer, Update
from tests.jupyter.kernels import MIME

try:
    from jax_trace_viz.jupyter.widget import TraceWidget, bundle
except ImportError as not_built:
    pytest.skip(str(not_built), allow_module_level=True)

VIEW = "application/vnd.jupyter.widget-view+json"


def record(count: int):
    with jax_trace_viz.trace() as session:
        for size in range(1, count + 1):
            jax.jit(lambda x: x * 2).eval_shape(jax.ShapeDtypeStruct((size,), "float32"))
    return session


def test_it_holds_the_whole_session():
    session = record(2)
    update = msgspec.convert(TraceWidget(session).update, Update)
    assert update.complete
    assert update.session == session.name
    assert len(update.traces) == 2
    assert update.graphs


def test_it_grows_with_the_session():
    with jax_trace_viz.trace() as session:
        widget = TraceWidget(session)
        assert widget.update["traces"] == []
        jax.jit(lambda x: x * 2)(1.0)
        widget.refresh()
        assert widget.update["traces"] == []  # not twice within half a second
        widget.refresh(now=True)
        assert len(widget.update["traces"]) == 1
    assert widget.update["number"] == 2


def test_it_answers_what_a_view_asks(monkeypatch):
    session = record(1)
    widget = TraceWidget(session)
    sent = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: sent.append(content["answer"]))
    trace = widget.update["traces"][0]["id"]
    for request in (
        {"id": 1, "method": "graph", "session": session.name, "trace": trace},
        {"id": 2, "method": "hello"},
        {"id": 3, "method": "record", "record": True},
        {"id": 4, "method": "complete", "session": "another"},
    ):
        widget._handle_custom_msg({"request": request}, [])
    graph, hello, switched, unknown = (msgspec.convert(answer, Answer) for answer in sent)
    assert graph.graph.trace == trace
    assert hello.hello.updates[0].session == session.name
    assert "%jaxtrace on" in switched.error
    assert "another" in unknown.error


def test_without_its_javascript_it_says_what_to_do(tmp_path):
    with pytest.raises(ImportError, match="make build"):
        bundle(tmp_path / "widget.js")


@pytest.mark.kernel
def test_vs_code_gets_a_live_widget_beside_the_output(fresh_kernel):
    fresh_kernel.run("__vsc_ipynb_file__ = 'a.ipynb'\nimport jax, time")
    ran = fresh_kernel.run("%%jaxtrace\njax.jit(lambda x: x + 1)(1.0)\ntime.sleep(1)")
    views = [content["data"] for content in ran.contents("display_data") if VIEW in content["data"]]
    assert len(views) == 1
    assert not any(VIEW in content["data"] for _, content in ran.ours())
    states = [content["data"].get("state", {}) for content in ran.contents("comm_open", "comm_msg")]
    updates = [msgspec.convert(state["update"], Update) for state in states if state.get("update")]
    assert updates[0].state == "running"
    assert any(update.traces for update in updates if update.state == "running")
    assert updates[-1].state == "ok"
    assert MIME in ran.ours()[-1][1]["data"]


COLAB_OUTPUT = """
class _widgets:
    _installed_url = None

def enable_custom_widget_manager():
    _widgets._installed_url = "https://colab.example/manager.js"
"""


@pytest.mark.kernel
def test_colab_is_told_to_show_a_widget_that_is_not_its_own(fresh_kernel, tmp_path):
    colab = tmp_path / "google" / "colab"
    colab.mkdir(parents=True)
    (colab / "__init__.py").touch()
    (colab / "output.py").write_text(COLAB_OUTPUT)
    fresh_kernel.run(f"import sys, jax; sys.path.insert(0, {str(tmp_path)!r}); import google.colab")
    ran = fresh_kernel.run("%%jaxtrace\njax.jit(lambda x: x + 1)(1.0)")
    assert ran.reply["status"] == "ok"
    (view,) = [content for content in ran.contents("display_data") if VIEW in content["data"]]
    assert view["metadata"][VIEW]["colab"]["custom_widget_manager"]["url"] == "https://colab.example/manager.js"
    assert "jax_trace_viz" not in ran.printed("stderr")


@pytest.mark.kernel
def test_nobody_else_gets_one_unasked(kernel):
    ran = kernel.run("%%jaxtrace\n1 + 1")
    assert not any(VIEW in content.get("data", {}) for content in ran.contents("display_data", "update_display_data"))
