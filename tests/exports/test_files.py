"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from jax_trace_viz.exports.files import write_text

if TYPE_CHECKING:
    from pathlib import Path


FULL_DISK = """
import pathlib, resource, signal, sys
from jax_trace_viz.exports.files import write_text

path = pathlib.Path(sys.argv[1])
write_text(path, "good")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_024, resource.RLIM_INFINITY))
try:
    write_text(path, "x" * 10_000)
except OSError as error:
    print(error.strerror)
"""
"""In a process of its own, whose files may not grow beyond 1,024 bytes: as on a full disk."""


def test_a_full_disk_leaves_what_stood_there_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    done = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("File too large\n", "")
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
