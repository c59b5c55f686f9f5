"""What README.md shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from jax_trace_viz.cli import _parser, _why_parser
from jax_trace_viz.jupyter.options import HELP

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


def options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


def section(heading: str) -> str:
    (found,) = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return found


@pytest.mark.kernel
def test_the_first_cell_says_what_the_page_quotes(tmp_path):
    load, first = PYTHON[:2]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (load, first)])
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    (ours,) = [o.data for o in notebook.cells[1].outputs if "text/html" in o.get("data", {})]
    said = ours["text/plain"].splitlines()[0]
    (quoted,) = re.findall(r"^> (.*)$", README, re.MULTILINE)
    seconds = r"[\d.]+ m?s"
    assert re.sub(seconds, "…", said) == re.sub(seconds, "…", quoted)


def test_the_python_example_runs(tmp_path):
    (example,) = [block for block in PYTHON if "jax_trace_viz.trace()" in block]
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=120
    )
    assert [line.split(" ", 1)[1] for line in done.stdout.splitlines()] == [
        "jit 10 ['first_call']",
        "jit 11 ['new_shape']",
    ]
    assert done.stderr == ""
    assert (tmp_path / "session.json").stat().st_size > 0
    assert (tmp_path / "mean.svg").read_text(encoding="utf-8").startswith("<")


def test_all_options_are_told():
    table = section("The first cell")
    assert options(table) == options(HELP)
    told = options(section("Without a notebook"))
    actions = [*_parser()._actions, *_why_parser()._actions]
    assert told == {name for action in actions for name in action.option_strings} - {"-h", "--help"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_repository_lead_somewhere(page):
    prose = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        path = target.partition("#")[0]
        if path and "://" not in path:
            assert (page.parent / path).exists(), target
