"""The first browser found: named, installed, Playwright's own, the system's package; else a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tools.executables import make_browser, make_executable
from tools import apt
from tools.browser import VARIABLE, answers, find_browser
from tools.process import SetupError

if TYPE_CHECKING:
    from pathlib import Path

SNAP_STUB = "echo 'requires the chromium snap to be installed'; exit 1"


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A machine without any browser, whose user is not root."""
    monkeypatch.setattr("tools.browser._MAC_APPLICATIONS", ())
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    (tmp_path / "bin").mkdir(exist_ok=True)
    return {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}


def playwright_browser(tmp_path: Path, revision: int) -> Path:
    store = tmp_path / "home" / ".cache" / "ms-playwright"
    return store / f"chromium-{revision}" / "chrome-linux" / "chrome"


def test_the_variable_comes_first(tmp_path: Path, env: dict[str, str]) -> None:
    make_browser(tmp_path / "bin" / "google-chrome")
    mine = make_browser(tmp_path / "mine" / "browser", "Google Chrome 140.0")
    assert find_browser({**env, VARIABLE: str(mine)}) == mine


def test_the_variable_may_be_a_name_on_the_path(tmp_path: Path, env: dict[str, str]) -> None:
    edge = make_browser(tmp_path / "bin" / "edge-beta", "Microsoft Edge 140.0")
    assert find_browser({**env, VARIABLE: "edge-beta"}) == edge


def test_a_variable_that_names_no_browser_is_not_passed_over(tmp_path: Path, env: dict[str, str]) -> None:
    make_browser(tmp_path / "bin" / "chromium")
    with pytest.raises(SetupError, match=f"{VARIABLE} names /nowhere, which is no browser"):
        find_browser({**env, VARIABLE: "/nowhere"})


@pytest.mark.parametrize("name", ["google-chrome", "chromium", "microsoft-edge"])
def test_an_installed_one_comes_before_playwrights(tmp_path: Path, env: dict[str, str], name: str) -> None:
    make_browser(playwright_browser(tmp_path, 1200))
    installed = make_browser(tmp_path / "bin" / name)
    assert find_browser(env) == installed


def test_the_snap_stub_is_passed_over_for_playwrights_newest(tmp_path: Path, env: dict[str, str]) -> None:
    make_executable(tmp_path / "bin" / "chromium-browser", SNAP_STUB)
    make_browser(playwright_browser(tmp_path, 999))
    newest = make_browser(playwright_browser(tmp_path, 1200))
    assert find_browser(env) == newest


def test_playwrights_store_may_lie_elsewhere(tmp_path: Path, env: dict[str, str]) -> None:
    found = make_browser(tmp_path / "store" / "chromium-1200" / "chrome-linux64" / "chrome", "Google Chrome 140.0")
    assert find_browser({**env, "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "store")}) == found


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Debian's apt-get, which brings a Chromium; returns where that will be."""
    chromium = tmp_path / "bin" / "chromium"
    make_executable(
        tmp_path / "bin" / "apt-get",
        f'case "$*" in *chromium*) printf "#!/bin/sh\\necho Chromium 1" > {chromium}; /bin/chmod +x {chromium};; esac',
    )
    monkeypatch.setattr(apt, "is_debian", lambda: True)
    return chromium


def test_root_on_debian_gets_the_systems_package(
    debian: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert find_browser(env) == debian


@pytest.mark.usefixtures("debian")
def test_others_get_one_sentence(env: dict[str, str]) -> None:
    with pytest.raises(SetupError) as refused:
        find_browser(env)
    sentence = str(refused.value)
    assert sentence.startswith("The browser tests need Chrome, Chromium or Edge: install one")
    assert VARIABLE in sentence
    assert "\n" not in sentence


def test_a_browser_that_hangs_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.browser._SECONDS_TO_ANSWER", 0.2)
    assert not answers(make_executable(tmp_path / "chrome", "exec sleep 30"))
