"""Which Node will do, and the sentence where none is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tools.executables import make_executable
from tools.node import check_node, is_supported
from tools.process import SetupError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2", "v22.12.0", "v23.1.0", "v24.0.0"])
def test_supported_versions(version: str) -> None:
    assert is_supported(version)


@pytest.mark.parametrize("version", ["v18.20.4", "v20.18.3", "v21.7.0", "v22.11.0", "", "node 20"])
def test_versions_that_will_not_do(version: str) -> None:
    assert not is_supported(version)


def test_a_machine_without_node_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        SetupError, match=r"^Node.js 20 or newer is needed to build from source, and there is no `node`"
    ):
        check_node({"PATH": str(tmp_path)})


def test_an_old_node_gets_one_sentence(tmp_path: Path) -> None:
    node = make_executable(tmp_path / "node", "echo v18.20.4")
    with pytest.raises(SetupError, match=f"and {node} is v18.20.4"):
        check_node({"PATH": str(tmp_path)})


def test_a_good_node_is_taken(tmp_path: Path) -> None:
    make_executable(tmp_path / "node", "echo v20.19.0")
    check_node({"PATH": str(tmp_path)})
