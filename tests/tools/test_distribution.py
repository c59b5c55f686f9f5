"""What users install: it is complete, and needs no Node."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.distribution import build_distributions
from tools.environment import Environment
from tools.project import LABEXTENSION, ROOT, WIDGET

EXTENSION = "share/jupyter/labextensions/jax-trace-viz/"
MEGABYTE = 1_000_000
COLOUR = re.compile(r"\x1b\[\d*m")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    built = build_distributions(Environment(Path(sys.prefix)), tmp_path_factory.mktemp("dist"))
    return {"wheel" if path.suffix == ".whl" else "sdist": path for path in built}


@pytest.fixture(scope="module")
def names(distributions: dict[str, Path]) -> list[str]:
    with zipfile.ZipFile(distributions["wheel"]) as wheel:
        return wheel.namelist()


def without_node(tmp_path: Path) -> dict[str, str]:
    """A PATH with Python's programs alone."""
    return {**os.environ, "PATH": str(Path(sys.prefix) / "bin"), "HOME": str(tmp_path)}


def test_the_wheel_holds_both_frontends_once(names: list[str]) -> None:
    assert WIDGET.relative_to(ROOT).as_posix() in names
    data = next(name for name in names if name.endswith(f"{EXTENSION}package.json")).removesuffix("package.json")
    shipped = {name.removeprefix(data) for name in names if name.startswith(data)}
    built = {path.relative_to(LABEXTENSION).as_posix() for path in LABEXTENSION.rglob("*") if path.is_file()}
    assert shipped == built | {"install.json"}
    assert not [name for name in names if name.startswith("jax_trace_viz/labextension")]


def test_the_wheel_holds_the_package_and_nothing_of_the_workshop(names: list[str]) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "jax_trace_viz").rglob("*.py")}
    assert modules <= set(names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"jax_trace_viz"}


def test_the_wheel_is_small(distributions: dict[str, Path]) -> None:
    assert distributions["wheel"].stat().st_size < 2 * MEGABYTE
    assert WIDGET.stat().st_size < MEGABYTE / 4


def test_the_source_distribution_installs_without_node(distributions: dict[str, Path], tmp_path: Path) -> None:
    with tarfile.open(distributions["sdist"]) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert not tops & {"node_modules", "ui-tests", "tests", ".venv", "build"}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", tmp_path]
    subprocess.run([*command, distributions["sdist"]], env=without_node(tmp_path), check=True)
    assert [path.name for path in tmp_path.glob("*.whl")] == [distributions["wheel"].name]


def test_jupyterlab_lists_the_installed_wheel(distributions: dict[str, Path], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--prefix", tmp_path]
    subprocess.run([*command, "--ignore-installed", distributions["wheel"]], check=True)
    env = without_node(tmp_path) | {"JUPYTER_PATH": str(tmp_path / "share" / "jupyter")}
    listing = subprocess.run(
        [sys.executable, "-m", "jupyter", "labextension", "list"], env=env, check=True, capture_output=True, text=True
    )
    version = json.loads((ROOT / "package.json").read_text())["version"]
    plain = COLOUR.sub("", listing.stdout + listing.stderr)
    _, _, ours = plain.partition(str(tmp_path / "share" / "jupyter" / "labextensions"))
    assert ours.split()[:4] == ["jax-trace-viz", f"v{version}", "enabled", "OK"]
