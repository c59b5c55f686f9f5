"""Where the system's package `chromium` is a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.apt import is_debian

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian', True),
        ("ID=raspbian\nID_LIKE=debian", True),
        ("ID=ubuntu\nID_LIKE=debian", False),
        ('ID=pop\nID_LIKE="ubuntu debian"', False),
        ("ID=fedora", False),
        ("", False),
    ],
)
def test_debian_is_told_from_ubuntu(tmp_path: Path, lines: str, expected: bool) -> None:
    release = tmp_path / "os-release"
    release.write_text(lines)
    assert is_debian(release) is expected


def test_a_system_without_os_release_is_not_debian(tmp_path: Path) -> None:
    assert not is_debian(tmp_path / "missing")
