"""Why a body ran, told of real programs."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import jax
import pytest

from tests.capture.told import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from tests.capture.told import Told


def kinds(told: Told, name: str) -> list[list[str]]:
    """The kinds of reasons of each trace of a function."""
    return [[reason.kind for reason in trace.reasons] for trace in told.traces(name)]


def test_a_module_that_is_reloaded_unchanged_defines_its_functions_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "import jax\n\n\n@jax.jit\ndef shift(x):\n    return x + 1\n\n\ndef made():\n    return jax.jit(lambda x: -x)\n"
    )
    (tmp_path / "reloaded_once.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with recorded() as told:
        module = importlib.import_module("reloaded_once")
        module.shift(1.0)
        module.made()(1.0)
        importlib.reload(module)
        for _ in range(2):
            module.shift(1.0)
        for _ in range(2):
            module.made()(1.0)
    assert kinds(told, "shift") == [["first_call"], ["function_redefined"]]
    assert kinds(told, "<lambda>") == [["first_call"], ["function_redefined"], ["new_function_object"]]
    assert [finding.kind for finding in told.document.findings] == ["new_function_object"]


def test_what_failed_is_traced_again_because_nothing_was_kept() -> None:
    ready = False

    @jax.jit
    def f(x):
        if not ready:
            raise KeyError
        return x

    with recorded() as told:
        with pytest.raises(KeyError):
            f(1.0)
        ready = True
        f(1.0)
    first, second = (trace.reasons for trace in told.traces("f"))
    assert (first[0].kind, first[0].before) == ("first_call", None)
    assert (second[0].kind, second[0].before) == ("first_call", "the trace before ended with KeyError")
