"""A recorded cell behaves exactly as without the magic: two kernels, one without us, run the same cells."""

from __future__ import annotations

import re

import pytest

from tests.jupyter.kernels import MIME, Kernel, Ran

pytestmark = pytest.mark.kernel

SETUP = """\
import asyncio, sys, time
from IPython.display import clear_output, display, HTML, update_display
"""

CELLS = {
    "value": "1 + 1",
    "no value": "x = 3",
    "value hushed": "x = 3\nx;",
    "nothing": "",
    "only a comment": "# nothing",
    "prints": "print('a')\nprint('b', file=sys.stderr)\nprint('c')",
    "prints without end": "sys.stdout.write('a')",
    "await": "await asyncio.sleep(0.01)\n5",
    "await that fails": "await asyncio.sleep(0.01)\n1 / 0",
    "async for": "async def count():\n    yield 1\n    yield 2\n[i async for i in count()]",
    "error": "def f():\n    return 1 / 0\nf()",
    "error with a cause": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('so') from e",
    "syntax error": "x = (1,\ny = 2",
    "indentation error": "def f():\nreturn 1",
    "unknown name": "unknown_name",
    "exit": "raise SystemExit(3)",
    "keyboard interrupt": "raise KeyboardInterrupt",
    "shell": "!echo hello",
    "shell captured": "lines = !echo hello\nlines",
    "question mark": "len?",
    "timeit line": "%timeit -n1 -r1 pass",
    "time below": "%%time\nx = 1\nx + 1",
    "time below with error": "%%time\n1 / 0",
    "capture below": "%%capture captured\nprint('hidden')\n1 + 1",
    "bash below": "%%bash\necho from bash",
    "html below": "%%html\n<b>x</b>",
    "unknown magic below": "%%no_such_magic\nx",
    "future": "from __future__ import annotations\ndef f(x: nothing): return x\nf(4)",
    "display": "display(HTML('<i>y</i>'))\n7",
    "display updated": "h = display(1, display_id='h')\nupdate_display(2, display_id='h')",
    "output cleared": "print('a')\nclear_output()\nprint('b')",
    "output cleared later": "print('a')\nclear_output(wait=True)\nprint('b')\n8",
    "nested cell": "get_ipython().run_cell('40 + 2')\nprint('after')",
    "nested blank cell": "get_ipython().run_cell('')\nprint('after')",
    "nested cell that fails": "get_ipython().run_cell('1 / 0')\nprint('after')",
    "nested cell with the magic": "get_ipython().run_cell('# %%jaxtrace\\n41 + 2')\n9",
    "line magic within": "%who_ls int\nprint('a')",
    "indented": "  x = 1\n  x + 1",
    "doctest prompts": ">>> 1 + 2",
    "thread": "import threading\nt = threading.Thread(target=print, args=('from a thread',))\nt.start(); t.join()",
    "unicode": "print('naïve ∂ \U0001f40d')",
    "last value kept": "_ , 11",
    "jax": "import jax, jax.numpy as jnp\njax.jit(lambda x: jnp.sin(x) * 2)(jnp.ones(3))",
    "jax error": "import jax\ndef f(x):\n    if x > 0:\n        return x\njax.jit(f)(1.0)",
    "jax prints": "import jax\n@jax.jit\ndef g(x):\n    print('tracing', x.shape)\n    return x\ng(1.0)",
}


@pytest.fixture(scope="module")
def plain():
    kernel = Kernel(SETUP)
    yield kernel
    kernel.stop()


@pytest.fixture(scope="module")
def ours():
    kernel = Kernel(SETUP)
    kernel.client.execute("%load_ext jax_trace_viz", store_history=False)
    yield kernel
    kernel.stop()


def seen(ran: Ran) -> dict:
    """What the user has of a cell, without times and addresses, which differ from run to run."""
    reply = {name: ran.reply.get(name) for name in ("status", "execution_count", "ename", "evalue", "payload")}
    return {"reply": scrubbed(reply), "outputs": scrubbed(ran.outputs())}


def scrubbed(value: object) -> str:
    # Addresses, compiled cells, and frames that nobody sees (a hook adds its own).
    text = re.sub(r"0x[0-9a-f]+|ipykernel_\d+|\d+\.py|hidden \d+ frame", "…", repr(value))
    text = re.sub(r"((CPU times|Wall time|Compiler|Parser)[^\\]*\\n)+", "times", text)
    return re.sub(r"[\d.]+ (ns|µs|μs|us|ms|s) ± .* per loop", "…", text)


@pytest.mark.parametrize("name", CELLS)
def test_cell(name, plain, ours):
    cell = CELLS[name]
    # A comment stands for our line, so that line numbers agree. Where it cannot stand first, ours goes as well.
    first = "" if cell.startswith("%%") else "# %%jaxtrace\n"
    indent = re.match(" *", cell)[0]
    expected = plain.run(f"{indent}{first}{cell}")
    ran = ours.run(f"{indent}%%jaxtrace\n{cell}")

    assert seen(ran) == seen(expected)
    state = "[_, len(In), len(Out)]"
    assert seen(ours.run(state)) == seen(plain.run(state))
    assert ran.printed("stderr").count("jaxtrace") == expected.printed("stderr").count("jaxtrace")
    (begun, begun_content), (ended, ended_content) = ran.ours()
    assert begun_content["data"][MIME]["state"] == "running"
    assert ended_content["data"][MIME]["state"] == ("ok" if ran.reply["status"] == "ok" else "error")
    assert (begun, ended) == ("display_data", "display_data" if "clear_output" in cell else "update_display_data")
    assert begun_content["transient"] == ended_content["transient"]


ABOVE = {
    "time above": "%%time\n{line}x = 1\nx + 1",
    "capture above": "%%capture captured\n{line}print('hidden')\n1 + 1",
    "time and capture above": "%%time\n%%capture captured\n{line}print('hidden')",
    "timeit above": "%%timeit -n1 -r1\n{line}x = 1",
}


@pytest.mark.parametrize("name", ABOVE)
def test_another_magic_above(name, plain, ours):
    expected = plain.run(ABOVE[name].format(line="# %%jaxtrace\n"))
    ran = ours.run(ABOVE[name].format(line="%%jaxtrace\n"))
    assert seen(ran) == seen(expected)
    assert [kind for kind, _ in ran.ours()] == ["display_data", "update_display_data"]


def test_the_history_keeps_the_magic(ours):
    ours.run("%%jaxtrace\n12 + 1")
    raw = ours.run("get_ipython().history_manager.input_hist_raw[-2]").contents("execute_result")
    assert raw[0]["data"]["text/plain"] == repr("%%jaxtrace\n12 + 1")


def test_run_all_stops_at_a_cell_that_fails(ours):
    failing = ours.start("%%jaxtrace\n1 / 0")
    waiting = ours.start("%%jaxtrace\nprint('must not run')")
    failed, aborted = ours.finish(failing), ours.finish(waiting)
    assert (failed.reply["status"], aborted.reply["status"]) == ("error", "aborted")
    assert len(failed.contents("error")) == 1
    assert aborted.ours() == []


@pytest.mark.parametrize("wait", ["time.sleep(60)", "await asyncio.sleep(60)", "while True: pass"])
def test_interrupt(wait, ours):
    running = ours.start(f"%%jaxtrace\nprint('begun', flush=True)\n{wait}")
    while True:
        message = ours.client.get_iopub_msg(timeout=30)
        if message["content"].get("text") == "begun\n":
            break
    ours.manager.interrupt_kernel()
    ours.client.kernel_info()  # ipykernel's event loop sees an interrupt only when it wakes for something else
    ran = ours.finish(running)
    assert ran.reply["status"] == "error"
    assert ran.reply["ename"] in {"KeyboardInterrupt", "CancelledError"}
    assert len(ran.contents("error")) == 1
    assert [content["data"][MIME]["state"] for _, content in ran.ours()] == ["error"]
    assert ours.run("6 * 7").contents("execute_result")[0]["data"]["text/plain"] == "42"
    assert ours.run("%%jaxtrace\n6 * 8").reply["status"] == "ok"


@pytest.mark.parametrize("line", ["--nonsense", "--svg", "on"])
def test_a_wrong_line_is_said_and_nothing_runs(line, ours):
    ran = ours.run(f"%%jaxtrace {line}\nprint('must not run')")
    assert ran.reply["status"] == "error"
    assert ran.reply["ename"] == "UsageError"
    assert ran.printed() == ""
    assert ran.printed("stderr").startswith("UsageError: ")
    assert ran.ours() == []
