"""R8: an interrupt leaves JAX healthy and no hook behind.

Figures: after each of 6 (`make soak`: 60) interrupts at seeded random places, half of them signals, half inside the
capture's own functions, also while hooks are put in or taken out: JAX traces, transforms and computes as ever, every
hook is taken out by identity, and the session can be written and says how the program ended. The traceback shows none
of our frames (`test_r08_tracebacks.py`). A handler may trace new functions at any moment, also while the thread that
it interrupts holds a lock of ours: nobody waits for itself, or in a ring. Of 60 exceptions that the handler of a timer
raises at random places, 0 are swallowed by a hook.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import pathlib

SEED = 20_261_130
ALARMS = 60
COMING_AND_GOING = (
    "patching.Patch.install",
    "patching.Patch.remove",
    "following.Followed.remove",
    "compiling.Compiling.remove",
)


def holds_after(number: int, names: tuple[str, ...], folder: pathlib.Path, timeout: float) -> None:
    """The promise's figures, after so many interrupts at random places and one in each function that is named."""
    command = [sys.executable, "-m", "tests.promises.interrupting", str(number), str(SEED), str(folder), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout)
    assert done.returncode == 0, done.stderr[-3000:]
    rounds: list[dict[str, Any]] = json.loads(done.stdout)["rounds"]
    assert len(rounds) == number + len(names)
    assert [one for one in rounds if one["hooks"] or not one["healthy"]] == []
    assert [one for one in rounds if "running" in one["written"]] == []
    assert [one["raised"] for one in rounds[number:]] == [[name] for name in names]
    # A signal may come before the first instruction of a hook, where nothing can be taken off its traceback.
    assert [one for one in rounds if one["raised"] and one["shown"]] == []
    # One that comes to the thread that formats, or to a callback of the garbage collector, ends no program.
    assert sum(one["where"] is not None for one in rounds) >= len(rounds) / 2


def test_a_few_interrupts(tmp_path: pathlib.Path) -> None:
    holds_after(6, COMING_AND_GOING, tmp_path, timeout=150)


def test_what_a_handler_of_a_signal_raises_reaches_the_program() -> None:
    command = [sys.executable, "-m", "tests.promises.alarming", str(ALARMS), str(SEED)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert told["gone_off"] == ALARMS
    # JAX itself catches one in fifty, as in a callback of the garbage collector; what we catch is a fault.
    assert told["heard"] >= ALARMS / 2
    assert (told["faults"], told["limited"]) == ([], [])


def test_a_handler_that_traces_waits_for_none_of_our_locks() -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.promises.locking"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert len(told["taken"]) > 5
    assert told["interrupted"] == told["taken"]
    assert (told["self"], told["rings"]) == ([], [])
    assert (told["faults"], told["limited"]) == ([], [])


@pytest.mark.soak
def test_sixty_interrupts(tmp_path: pathlib.Path) -> None:
    holds_after(60, COMING_AND_GOING, tmp_path, timeout=900)
