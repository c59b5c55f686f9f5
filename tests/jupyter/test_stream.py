"""What the kernel tells its clients while a cell runs, and what it answers."""

from __future__ import annotations

import json
import time

import msgspec
import pytest

from jax_trace_viz.contract.view import Answer, Hello, Update
from tests.jupyter.kernels import MIME

pytestmark = pytest.mark.kernel

JAX = "import time, jax, jax.numpy as jnp"

TWO_TRACES = f"""\
%%jaxtrace
{JAX}
@jax.jit
def first(x):
    return jnp.sin(x)
first(1.0)
print("first", flush=True)
time.sleep(1.5)
@jax.jit
def second(x):
    return jnp.cos(x)
second(1.0)
print("second", flush=True)
time.sleep(1.5)
"""


def names(update: Update) -> set[str]:
    return {function.name for function in update.functions}


@pytest.fixture(scope="module")
def two_traces(kernel):
    return kernel.run(TWO_TRACES, cell_id="cell-1")


def test_what_is_traced_is_told_while_the_cell_runs(two_traces):
    told = [(when, "stream", content["text"]) for when, kind, content, _ in two_traces.told if kind == "stream"]
    for when, kind, content, _ in two_traces.told:
        if kind == "comm_msg" and "jax_trace_viz" in content["data"]:
            update = msgspec.convert(content["data"]["jax_trace_viz"], Update)
            told += [(when, update.state, name) for name in names(update)]
    told.sort()
    first = next(when for when, state, name in told if (state, name) == ("running", "first"))
    assert first < next(when for when, _, text in told if text.startswith("second"))
    second = next(when for when, state, name in told if (state, name) == ("running", "second"))
    assert second < two_traces.ended - 0.5


def test_updates_are_numbered_and_the_last_is_complete(two_traces):
    updates = [msgspec.convert(update, Update) for update in two_traces.updates()]
    assert [update.number for update in updates] == list(range(1, len(updates) + 1))
    assert [update.state for update in updates] == ["running"] * (len(updates) - 1) + ["ok"]
    assert updates[0].complete
    assert not any(update.complete for update in updates[1:-1])
    assert {update.session for update in updates} == {updates[0].session}
    assert names(updates[-1]) >= {"first", "second"}
    assert {trace.status for trace in updates[-1].traces} == {"ok"}


def test_the_output_holds_the_last_update(two_traces):
    _, (kind, content) = two_traces.ours()
    assert kind == "update_display_data"
    assert content["data"][MIME] == two_traces.updates()[-1]
    assert set(content["data"]) == {MIME, "text/html", "text/plain"}
    assert "<script" not in content["data"]["text/html"]
    assert content["transient"]["display_id"] == content["data"][MIME]["session"]


def test_an_update_names_its_cell(two_traces):
    update = msgspec.convert(two_traces.updates()[-1], Update)
    assert update.cell.id == "cell-1"
    assert update.cell.execution_count == two_traces.reply["execution_count"]
    traced = {function.name: function for function in update.functions}
    assert traced["first"].file == update.cell.file
    assert traced["first"].source.startswith("@jax.jit\ndef first")
    assert [traced[name].line for name in ("first", "second")] == [3, 9]  # as in the cell, with the magic's line


def test_a_hundred_thousand_equations_lose_none_of_the_users_output(fresh_kernel):
    fresh_kernel.run(JAX)
    ran = fresh_kernel.run(
        """\
%%jaxtrace
def body(x):
    for i in range(50_000):
        x = x * 1.5 + 1.0
        if i % 100 == 0:
            print('step', i, flush=True)
    return x
jax.make_jaxpr(body)(1.0).jaxpr.eqns[-1].primitive.name
""",
        timeout=240,
    )
    assert ran.printed() == "".join(f"step {i}\n" for i in range(0, 50_000, 100))
    assert ran.contents("execute_result")[0]["data"]["text/plain"] == "'add'"
    assert_within_budget(ran)
    final = msgspec.convert(ran.updates()[-1], Update)
    assert [trace.equations.distinct for trace in final.traces] == [100_000]


def test_hundreds_of_traces_lose_none_of_the_users_output(fresh_kernel):
    fresh_kernel.run(f"{JAX}\nimport numpy as np\nf = jax.jit(lambda x: x * 2)")
    ran = fresh_kernel.run(
        """\
%%jaxtrace
for i in range(1, 301):
    f.eval_shape(jax.ShapeDtypeStruct((i,), np.float32))
    print(i)
""",
        timeout=240,
    )
    assert ran.printed() == "".join(f"{i}\n" for i in range(1, 301))
    assert_within_budget(ran)
    final = msgspec.convert(ran.updates()[-1], Update)
    assert sum(f.traces for f in final.functions if f.name == "<lambda>") == 300


def assert_within_budget(ran):
    messages = ran.contents("comm_msg", "display_data", "update_display_data")
    assert len(messages) <= 5 + 11 * (ran.ended - ran.begun)
    assert max(len(json.dumps(content)) for content in ran.contents("comm_msg")) <= 1_001_000
    assert max(len(json.dumps(content)) for _, content in ran.ours()) <= 2_000_000


def test_nobody_is_told_of_cells_in_which_nothing_happened(kernel):
    kernel.run("%jaxtrace on")
    quiet = kernel.run("time.sleep(0.5)\n1 + 1")
    kernel.run("%jaxtrace off")
    assert quiet.updates() == []
    assert quiet.ours() == []


def test_loading_says_hello_and_unloading_bye(fresh_kernel):
    unloaded = fresh_kernel.run("%unload_ext jax_trace_viz")
    assert unloaded.comm_data("jax_trace_viz_bye") == [{}]
    loaded = fresh_kernel.run("%load_ext jax_trace_viz")
    (hello,) = loaded.comm_data("jax_trace_viz_hello")
    assert msgspec.convert(hello, Hello).updates == []
    assert loaded.contents("comm_open") == []
    again = fresh_kernel.run("%load_ext jax_trace_viz")
    assert "already loaded" in again.printed()
    assert again.comm_data("jax_trace_viz_hello") == []


def test_a_later_client_finds_out_that_we_are_here(fresh_kernel):
    def targets() -> list[str]:
        identity = fresh_kernel.client.comm_info("jax_trace_viz")
        while (reply := fresh_kernel.client.get_shell_msg(timeout=30))["parent_header"]["msg_id"] != identity:
            pass
        return [comm["target_name"] for comm in reply["content"]["comms"].values()]

    assert targets() == ["jax_trace_viz"]
    fresh_kernel.run("%unload_ext jax_trace_viz")
    assert targets() == []
    fresh_kernel.run("%load_ext jax_trace_viz")
    assert targets() == ["jax_trace_viz"]


def asked(kernel, request):
    comm = kernel.open_rpc()
    kernel.ask(comm, request)
    return msgspec.convert(kernel.answer(comm), Answer)


def test_a_later_client_gets_all_sessions(kernel, two_traces):
    answer = asked(kernel, {"id": 7, "method": "hello"})
    assert (answer.id, answer.error) == (7, None)
    last = answer.hello.updates[-1]
    assert last.complete
    assert msgspec.json.decode(msgspec.json.encode(last)) == two_traces.updates()[-1]


def test_a_client_asks_for_one_session_again(kernel, two_traces):
    session = two_traces.updates()[-1]["session"]
    answer = asked(kernel, {"id": 1, "method": "complete", "session": session})
    assert answer.update.session == session
    assert answer.update.number == len(two_traces.updates())


def test_a_client_asks_for_any_picture_and_what_changed(kernel):
    program = "g = jax.jit(lambda x: jnp.sin(x) * 2)\nfor n in range(1, 9):\n    g(jnp.ones(n))"
    update = kernel.run(f"%%jaxtrace\nimport jax, jax.numpy as jnp\n{program}").updates()[-1]
    function = update["selected"].partition("#")[0]
    first, second = (f"{function}#{number}" for number in (1, 2))
    assert first not in [graph["trace"] for graph in update["graphs"]], "that one need not be asked for"
    about = {"session": update["session"], "trace": first}
    pictured = asked(kernel, {"id": 1, "method": "picture", **about})
    assert (pictured.graph.trace, pictured.listing.trace) == (first, first)
    found = asked(kernel, {"id": 3, "method": "search", **about, "text": "sin f32[1]"}).found
    assert "sin" in [match.label for match in found.matches]
    opened = asked(kernel, {"id": 4, "method": "graph", **about, "open_boxes": []})
    assert (opened.id, opened.graph) == (4, pictured.graph), "of another question: the same picture"
    compared = asked(kernel, {"id": 2, "method": "compare", **about, "trace": second})
    assert (compared.diff.before, compared.diff.after) == (first, second)
    assert (compared.diff.added, compared.diff.removed, compared.diff.resized) == (0, 0, 2)


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("json", "{"), ("html", "<!doctype html>"), ("svg", "<svg"), ("chrome_trace", "{")],
)
def test_a_client_asks_for_a_file(kernel, two_traces, form, beginning):
    session = two_traces.updates()[-1]["session"]
    answer = asked(kernel, {"id": 1, "method": "export", "session": session, "format": form})
    assert answer.error is None
    assert beginning in answer.exported.lower()[:200]


def test_a_client_asks_for_a_drawing_of_nothing(kernel):
    session = kernel.run("%%jaxtrace\n1 + 1").updates()[-1]["session"]
    answer = asked(kernel, {"id": 1, "method": "export", "session": session, "format": "svg"})
    assert (answer.exported, "traced" in answer.error) == (None, True)


@pytest.mark.parametrize(
    ("request_", "identity"),
    [
        ({"id": 3, "method": "no such method"}, 3),
        ({"method": "hello"}, -1),
        ({"id": 4, "method": "complete", "session": "no such session"}, 4),
        ({"id": 5, "method": "graph", "session": None}, 5),
        ({"id": 6, "method": "compare", "session": "no such session", "trace": "f1#1"}, 6),
        ({"id": 7, "method": "search", "session": "no such session", "trace": "f1#1", "text": "mul"}, 7),
        ("nonsense", -1),
        (None, -1),
    ],
)
def test_a_request_that_makes_no_sense_gets_a_sentence(request_, identity, kernel):
    answer = asked(kernel, request_)
    assert answer.id == identity
    assert answer.error
    assert (answer.hello, answer.update, answer.graph) == (None, None, None)


@pytest.mark.parametrize("data", [[], {}, "text", 7, {"request": [1]}])
def test_a_message_of_another_form_gets_a_sentence_too(data, kernel):
    comm = kernel.open_rpc()
    kernel.send(kernel.client.session.msg("comm_msg", {"comm_id": comm, "data": data}))
    told = kernel.answer(comm)
    assert (told["id"], told["error"][:36]) == (-1, "This is no request of jax_trace_viz:")


def test_a_client_switches_recording(kernel):
    assert asked(kernel, {"id": 1, "method": "record", "record": True}).hello.recording
    assert kernel.run("%jaxtrace").printed().startswith("Every cell is recorded")
    assert not asked(kernel, {"id": 2, "method": "record", "record": False}).hello.recording
    assert kernel.run("%jaxtrace").printed().startswith("Only cells")


def test_a_client_is_answered_while_a_cell_runs(kernel):
    supported = kernel.client.kernel_info
    identity = supported()
    while (info := kernel.client.get_shell_msg(timeout=30))["parent_header"]["msg_id"] != identity:
        pass
    if "kernel subshells" not in info["content"].get("supported_features", []):
        pytest.skip("this ipykernel has no subshells")
    subshell = kernel.control("create_subshell_request")["subshell_id"]
    comm = kernel.open_rpc(subshell=subshell)
    # Sent before a front end knows of its subshell; it must not bind the later ones to the cell's shell.
    kernel.ask(comm, {"id": 1, "method": "hello"})
    assert kernel.answer(comm)["id"] == 1

    begun = time.monotonic()
    running = kernel.start(
        f"%%jaxtrace\n{JAX}\nf = jax.jit(lambda x: x + 1)\nf(1.)\ntime.sleep(4)\nf(1)\ntime.sleep(1)"
    )
    time.sleep(1)
    kernel.ask(comm, {"id": 2, "method": "hello"}, subshell=subshell)
    answer = msgspec.convert(kernel.answer(comm), Answer)
    assert time.monotonic() - begun < 3.5
    assert answer.hello.updates[-1].state == "running"
    # What is told after a request still belongs to the cell.
    ran = kernel.finish(running)
    assert [update["state"] for update in ran.updates()][-2:] == ["running", "ok"]


def test_every_client_hears_everything(kernel):
    other = kernel.connect()
    ran = kernel.run("%%jaxtrace\nf = jax.jit(lambda x: x + 1)\nf(1.)")
    heard = []
    while len(heard) < len(ran.updates()):
        data = other.get_iopub_msg(timeout=30)["content"].get("data", {})
        heard += [data["jax_trace_viz"]] if "jax_trace_viz" in data else []
    other.stop_channels()
    assert heard == ran.updates()
