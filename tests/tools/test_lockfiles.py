"""Lock files hold no address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.lockfiles import LOCK_FILES, main

if TYPE_CHECKING:
    from pathlib import Path

YARNS_WORD = "archiveUrl"  # put in below, so that no line here is one that the guard looks for


def test_ours_hold_none() -> None:
    assert all(lock_file.stat().st_size > 10_000 for lock_file in LOCK_FILES)
    assert main() == 0


@pytest.mark.parametrize(
    "line",
    [
        f'  resolution: "a@npm:1.0.0::__{YARNS_WORD}=https%3A%2F%2Fregistry.example%2Fa.tgz"',
        '  resolved "https://registry.example/a.tgz"',
        '  resolution: "a@git+ssh://git@example.org/a.git#commit=1"',
    ],
)
def test_an_address_is_shown_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str) -> None:
    (tmp_path / "yarn.lock").write_text(f'"a@npm:^1.0.0":\n{line}\n')
    assert main((tmp_path / "yarn.lock",)) == 1
    assert capsys.readouterr().out == f"yarn.lock:2: {line.strip()}\n"
