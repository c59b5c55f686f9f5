"""A step runs when what goes into it changes, and not otherwise."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tools.stamps import Step, content_hash

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    (folder / "src" / "views").mkdir(parents=True)
    (folder / "src" / "views" / "graph.ts").write_text("one")
    (folder / "src" / "graph.test.ts").write_text("test")
    (folder / "package.json").write_text("{}")
    return folder


def key(sources: Path) -> str:
    return content_hash(sources, ("package.json", "src/**/*"), (".test.ts",))


def test_the_hash_follows_contents_and_not_dates(sources: Path) -> None:
    before = key(sources)
    os.utime(sources / "package.json", (1, 1))
    assert key(sources) == before
    (sources / "src" / "views" / "graph.ts").write_text("two")
    assert key(sources) != before


@pytest.mark.parametrize("change", ["added", "renamed", "removed"])
def test_the_hash_follows_names(sources: Path, change: str) -> None:
    before = key(sources)
    if change == "added":
        (sources / "src" / "new.ts").write_text("")
    elif change == "renamed":
        (sources / "src" / "views" / "graph.ts").rename(sources / "src" / "views" / "picture.ts")
    else:
        (sources / "package.json").unlink()
    assert key(sources) != before


def test_the_hash_leaves_out_ignored_suffixes(sources: Path) -> None:
    before = key(sources)
    (sources / "src" / "graph.test.ts").write_text("another test")
    assert key(sources) == before


class Work:
    """A step that counts how often it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0

    def step(self, key: str) -> Step:
        return Step(self.folder / "stamps" / "work", key, (self.folder / "output",), "Working", self.run)

    def run(self) -> None:
        self.runs += 1
        (self.folder / "output").write_text(str(self.runs))


def test_a_step_runs_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = Work(tmp_path)
    assert work.step("a").ensure()
    assert capsys.readouterr().out == "→ Working\n"
    assert not work.step("a").ensure()
    assert capsys.readouterr().out == ""
    assert work.runs == 1


def test_a_step_runs_again_for_another_key_or_a_lost_output(tmp_path: Path) -> None:
    work = Work(tmp_path)
    work.step("a").ensure()
    assert work.step("b").ensure()
    (tmp_path / "output").unlink()
    assert work.step("b").ensure()
    assert work.runs == 3


def test_a_step_that_fails_runs_again(tmp_path: Path) -> None:
    work = Work(tmp_path)
    work.step("a").ensure()

    def fail() -> None:
        raise RuntimeError

    stamp, outputs = tmp_path / "stamps" / "work", (tmp_path / "output",)
    with pytest.raises(RuntimeError):
        Step(stamp, "b", outputs, "Failing", fail).ensure()
    # Its output may be half of the new and half of the old: not even the old key vouches for it.
    assert work.step("a").ensure()
