"""The comparison with other tools: that what the docs say of us is so, and how a result becomes a row."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from bench.peers import page
from bench.peers.drawing import Drawn
from bench.peers.environments import Failed
from bench.peers.measuring import Peer
from bench.peers.retraces import RETRACES, names_the_cause
from bench.peers.showing import Shown


def test_each_known_cause_is_named() -> None:
    flags = "--xla_force_host_platform_device_count=2"
    command = [sys.executable, "-m", "bench.peers.retraces", "ours"]
    told = subprocess.check_output(command, env={**os.environ, "XLA_FLAGS": flags}, text=True)
    said: dict[str, str] = json.loads(told)
    assert [each.cause for each in RETRACES if not names_the_cause(said[each.run.__name__], each)] == []


def test_what_names_no_cause_is_no_explanation() -> None:
    for retrace in RETRACES:
        for words in ("", "cache miss explanation unavailable", "never seen function: f"):
            assert not names_the_cause(words, retrace)


DRAWN = Drawn(0.05, 12.3, "where.svg", nodes=7)


@pytest.mark.parametrize(
    ("peer", "text"),
    [
        (Peer(DRAWN, Shown(0.21, 30)), "0.05 s + 0.21 s · 12 kB · 7"),
        (Peer(Drawn(3.0, 2857.5, "where.html"), Shown(1.5, 1234)), "3.00 s + 1.50 s · 2.9 MB · 1,234"),
        (Peer(DRAWN, Shown(None, 0, "a|b")), "0.05 s, 12 kB, then no picture: a\\|b"),
        (Peer(DRAWN, Failed("not installed")), "0.05 s, 12 kB, then no picture: not installed"),
        (Peer(Failed("ValueError: *"), Failed("ValueError: *")), "no picture: ValueError: \\*"),
    ],
)
def test_a_result_becomes_a_cell(peer: Peer, text: str) -> None:
    assert page.row({"ours": peer})["ours"] == text


def test_answers_are_counted() -> None:
    said = {"jax": {each.run.__name__: "" for each in RETRACES}}
    *_, last = page.retrace_lines(said)
    assert last == f"| **names the cause** | 0 of {len(RETRACES)} |"
