"""How the test suites are called."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from tools import cli
from tools.environment import Environment
from tools.process import SetupError, run_quietly
from tools.suites import free_port, hermetic_variables


def test_a_taken_port_is_not_handed_out() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = free_port()
        assert port != taken.getsockname()[1]
        with socket.socket() as server:
            server.bind(("127.0.0.1", port))


def test_tests_see_none_of_the_users_jupyter_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", "/home/somebody/.jupyter")
    monkeypatch.setenv("JAX_PLATFORMS", "tpu")
    env = hermetic_variables(Environment(Path(sys.prefix)))
    assert env["JAX_PLATFORMS"] == "cpu"
    assert "somebody" not in env["JUPYTER_CONFIG_DIR"]


def test_arguments_for_a_runner_need_its_name() -> None:
    with pytest.raises(SetupError, match=r"Arguments for a test runner \(-k scan\) need one suite before them"):
        cli.test(["-k", "scan"])


def test_a_command_is_quiet_unless_it_fails(capfd: pytest.CaptureFixture[str]) -> None:
    run_quietly([sys.executable, "-c", "print('chatter')"], {}, "unused", cwd=Path("/"))
    assert capfd.readouterr().out == ""
    with pytest.raises(SetupError, match="It failed"):
        run_quietly([sys.executable, "-c", "print('reason'); exit(3)"], {}, "It failed.", cwd=Path("/"))
    assert capfd.readouterr().out == "reason\n\n"
