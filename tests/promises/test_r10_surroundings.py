"""R10: what a program does to Python around us: it ends early, forks, stops the clock, replaces streams and modules.

Each runs in a process of its own, since it cannot be undone.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import textwrap

import jax
import pytest

import jax_trace_viz

BEFORE = """
import builtins, importlib, os, sys, time, warnings
import jax
import jax_trace_viz
from jax_trace_viz.api import start_recording

warnings.simplefilter("ignore")

def step(x):
    return x * 2

def calls():
    jitted = jax.jit(lambda x: step(x))
    for x in (1, 1.0, 1j):
        jitted.trace(x)

def counted(session):
    print([function.traces for function in session.functions if "lambda" in function.name], session.document().faults)
"""


def run(program: str) -> tuple[int, str, str]:
    """Exit status and output of a program."""
    command = [sys.executable, "-c", BEFORE + textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_a_process_that_ends_while_it_is_recorded_says_nothing() -> None:
    assert run("recording = start_recording(); calls()") == (0, "", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_that_leaves_the_recorded_block_says_nothing() -> None:
    program = """
        with jax_trace_viz.trace() as session:
            calls()
            child = os.fork()
            if child == 0:
                sys.exit(7)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        counted(session)
    """
    assert run(program) == (0, "7\n[3] []\n", "")


def test_a_clock_that_the_program_replaces_is_not_ours() -> None:
    program = """
        def broken():
            raise RuntimeError("no clock")
        with jax_trace_viz.trace() as session:
            time.perf_counter, time.thread_time = (lambda: 5.0), broken
            calls()
        counted(session)
        print(all(trace.seconds > 0 for trace in session.traces if trace.kind != "call"))
    """
    assert run(program) == (0, "[3] []\nTrue\n", "")


def test_no_hook_stays_where_the_program_removes_our_modules() -> None:
    program = """
        from jax._src import pjit
        before = dict(vars(pjit))
        with jax_trace_viz.trace() as session:
            calls()
            for name in [name for name in sys.modules if name.startswith("jax_trace_viz")]:
                del sys.modules[name]
        print(vars(pjit) == before)
    """
    assert run(program) == (0, "True\n", "")


def test_streams_and_functions_that_the_program_replaces_are_not_needed() -> None:
    program = """
        def broken(*_, **__):
            raise RuntimeError("replaced")
        class Stream:
            write = flush = broken
        kept = sys.stdout, sys.stderr, builtins.print, builtins.open
        with jax_trace_viz.trace() as session:
            sys.stdout = sys.stderr = Stream()
            builtins.print = builtins.open = broken
            calls()
        session.to_html()
        sys.stdout, sys.stderr, builtins.print, builtins.open = kept
        counted(session)
    """
    assert run(program) == (0, "[3] []\n", "")


def test_a_session_can_be_copied_and_pickled() -> None:
    with jax_trace_viz.trace() as session:
        jax.jit(lambda x: x + 1).trace(1.0)
        early = copy.deepcopy(session)
    for copied in (early, copy.copy(session), pickle.loads(pickle.dumps(session))):
        assert [trace.id for trace in copied.traces] == [trace.id for trace in session.traces]
    assert "<svg" in copy.deepcopy(session).to_svg()
