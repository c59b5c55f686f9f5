"""Programs with nothing wrong: as scripts, as a cell, and as that cell run again they give no finding."""

from __future__ import annotations

import importlib.util
import pathlib
from typing import TYPE_CHECKING

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import jax_trace_viz
from jax_trace_viz.session.verdict import verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Document

PROGRAMS = sorted((pathlib.Path(__file__).parent / "programs").glob("*.py"))
NEEDS = "# needs: "


def source_of(program: pathlib.Path) -> str:
    """The text of a program whose libraries are there."""
    source = program.read_text(encoding="utf-8")
    for line in source.splitlines():
        if line.startswith(NEEDS):
            for package in line.removeprefix(NEEDS).split():
                if importlib.util.find_spec(package) is None:
                    pytest.skip(f"{package} is not installed")
    return source


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    """An IPython shell with the extension, that keeps no history on disk."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    jax_trace_viz.load_ipython_extension(shell)
    yield shell
    jax_trace_viz.unload_ipython_extension(shell)
    shell.reset()


def assert_clean(document: Document) -> None:
    """Something was recorded, and nothing is held against it."""
    assert any(function.traces for function in document.functions if function.origin == "user")
    assert [finding.text for finding in document.findings] == []
    assert "each time" not in verdict(document, document.outcome.status)
    assert document.faults == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_clean_script_has_no_finding(program: pathlib.Path) -> None:
    code = compile(source_of(program), program, "exec")
    with jax_trace_viz.trace() as session:
        exec(code, {"__name__": "__main__"})
    assert_clean(session.document())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_clean_cell_run_twice_has_no_finding(
    program: pathlib.Path, shell: InteractiveShell, tmp_path: pathlib.Path
) -> None:
    source = source_of(program)
    for number in (1, 2):
        saved = tmp_path / f"{number}.json"
        result = shell.run_cell(f"%%jaxtrace --save {saved}\n{source}")
        assert result.success
        assert_clean(jax_trace_viz.load(saved).document())
