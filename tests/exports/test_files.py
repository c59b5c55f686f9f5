"""Files are written whole or not at all."""

from __future__ import annotations

import os
import resource
import signal
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.exports.files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def little_room() -> Iterator[None]:
    """Files that outgrow 1,024 bytes fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_024, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("little_room")
def test_a_full_disk_leaves_what_stood_there_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    write_text(path, "good")
    with pytest.raises(OSError, match="File too large"):
        write_text(path, "x" * 10_000)
    assert path.read_text() == "good"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    usual, new, old = tmp_path / "usual", tmp_path / "new", tmp_path / "old"
    usual.write_text("")
    old.write_text("")
    old.chmod(0o640)
    for path in (new, old):
        write_text(path, "↻")
        assert path.read_text(encoding="utf-8") == "↻"
    assert new.stat().st_mode == usual.stat().st_mode
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("target")
    write_text(link, "text")
    assert link.is_symlink()
    assert (tmp_path / "target").read_text() == "text"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "text")
    reader.join(10)
    assert read == ["text"]
