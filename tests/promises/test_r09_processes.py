"""R9: threads, tasks and processes.

Figures: a script that is terminated ends by the signal as without us, and its document is written; a forked child dies
of the signal as ever; each of two processes of one `jax.distributed` program writes its own session. Threads, pools
and spawned children: `tests/capture/programs/concurrent.py`, `tests/cli/test_run.py`.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pathlib

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and fork are POSIX's")

WAITING = """
import os, signal, sys, time
import jax
@jax.jit
def step(x):
    return x * 2
step(1.0)
child = os.fork() if "fork" in sys.argv else None
if child == 0:
    time.sleep(60)
    os._exit(7)
if child:
    time.sleep(0.5)
    os.kill(child, signal.SIGTERM)
    print("child", os.waitpid(child, 0)[1], flush=True)
try:
    print("ready", flush=True)
    time.sleep(60)
finally:
    print("unwound", flush=True)
"""


def run(script: pathlib.Path, *options: str) -> list[str]:
    return [sys.executable, "-W", "ignore", "-m", "jax_trace_viz", "run", *options, str(script)]


def terminated(command: list[str]) -> tuple[int, str]:
    """The exit status and the output of a script that is terminated once it is ready."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        before = ""
        while "ready" not in before:
            line = process.stdout.readline()
            assert line, "it ended too early"
            before += line
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
        return process.wait(timeout=60), before + rest


def test_a_terminated_script_ends_by_the_signal_and_is_written(tmp_path: pathlib.Path) -> None:
    script, out = tmp_path / "waiting.py", tmp_path / "session.json"
    script.write_text(WAITING)
    status, printed = terminated(run(script, "--session", str(out)))
    assert status == -signal.SIGTERM
    assert "unwound" in printed
    document = json.loads(out.read_text())
    assert [f["traces"] for f in document["functions"] if f["name"] == "step"] == [1]
    assert (document["outcome"]["status"], document["outcome"]["type"]) == ("error", "SystemExit")


def test_a_forked_child_dies_of_the_signal(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "waiting.py"
    script.write_text(WAITING)
    _, printed = terminated([*run(script), "fork"])
    assert f"child {int(signal.SIGTERM)}" in printed


def test_a_script_that_handles_the_signal_keeps_its_handler(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "handling.py"
    script.write_text(
        textwrap.dedent("""
            import os, signal, sys, time
            signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"own"), sys.exit(3)))
            print("ready", flush=True)
            time.sleep(60)
        """)
    )
    status, printed = terminated(run(script))
    assert (status, printed.split()) == (3, ["ready", "own"])


def test_a_script_finds_the_default_handler_and_not_ours(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "asking.py"
    script.write_text(
        textwrap.dedent("""
            import signal
            own = lambda *_: None
            print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
            print(signal.signal(signal.SIGTERM, own) is signal.SIG_DFL)
            print(signal.getsignal(signal.SIGTERM) is own)
        """)
    )
    done = subprocess.run(run(script), capture_output=True, text=True, check=True)
    assert done.stdout == "True\nTrue\nTrue\n"


def test_each_process_of_a_distributed_program_writes_its_own_session(tmp_path: pathlib.Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    script = tmp_path / "distributed.py"
    script.write_text(
        textwrap.dedent("""
            import sys
            import jax
            jax.distributed.initialize(sys.argv[1], num_processes=2, process_id=int(sys.argv[2]))
            @jax.jit
            def step(x):
                return x * 2
            assert float(step(1.0)) == 2.0
            print(jax.process_index(), jax.process_count())
            jax.distributed.shutdown()
        """)
    )
    command = [*run(script, "--session", str(tmp_path / "session.json")), address]
    started = [subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(2)]
    printed = [process.communicate(timeout=120)[0] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert printed == ["0 2\n", "1 2\n"]
    for number in range(2):
        document = json.loads((tmp_path / f"session.p{number}.json").read_text())
        environment = document["environment"]
        assert (environment["process_index"], environment["process_count"]) == (number, 2)
        assert [f["traces"] for f in document["functions"] if f["name"] == "step"] == [1]
