"""What the package asks of pip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.requirements import requirements

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = """
[project]
dependencies = ["jax>=0.6"]
[project.optional-dependencies]
test = ["pytest"]
lab = ["jupyterlab"]
dev = ["jax-trace-viz[lab, test]", "pytest", "ruff"]
"""


def test_extras_are_unfolded_without_repeats(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    assert requirements("dev", pyproject=tmp_path / "pyproject.toml") == ["jax>=0.6", "jupyterlab", "pytest", "ruff"]


def test_installing_never_changes_the_users_jax_and_brings_no_jupyterlab() -> None:
    needed = requirements()
    assert [requirement for requirement in needed if requirement.startswith("jax")] == ["jax>=0.6.2"]
    assert not [requirement for requirement in needed if requirement.startswith(("jupyterlab", "notebook"))]
