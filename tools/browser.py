"""Finding the browser for the browser tests."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from tools import apt
from tools.process import SetupError, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

VARIABLE = "JAX_TRACE_VIZ_BROWSER"

_NAMES = (
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
)
_MAC_APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")
_PLAYWRIGHT_EXECUTABLES = (
    "chrome-linux*/chrome",
    "chrome-mac*/*.app/Contents/MacOS/*",
    "chrome-win*/chrome.exe",
)
_SECONDS_TO_ANSWER = 30


def find_browser(env: Mapping[str, str]) -> Path:
    """Find the first browser that runs: named, installed, Playwright's own, or the system's package.

    Args:
        env: The environment variables to look with.

    Returns:
        The browser's executable.

    Raises:
        SetupError: There is none; the message says how to get one.
    """
    named = env.get(VARIABLE)
    if named:
        return named_browser(named, env)
    found = first_that_answers(candidates(env))
    if found is None and apt.can_install(env) and apt.is_debian():
        say("Installing the system's Chromium for the browser tests")
        apt.install(env, "chromium", "fonts-dejavu-core")
        found = first_that_answers(candidates(env))
    if found is None:
        message = (
            "The browser tests need Chrome, Chromium or Edge: install one, or run `npx playwright install chromium` "
            f"in ui-tests, or name an executable in {VARIABLE}."
        )
        raise SetupError(message)
    return found


def named_browser(named: str, env: Mapping[str, str]) -> Path:
    """Take the browser that the user names, and no other.

    Raises:
        SetupError: It does not run.
    """
    found = shutil.which(named, path=env.get("PATH"))
    if found is None or not answers(Path(found)):
        message = f"{VARIABLE} names {named}, which is no browser that runs here."
        raise SetupError(message)
    return Path(found)


def first_that_answers(browsers: Iterable[Path]) -> Path | None:
    """Find the first one that runs."""
    return next((browser for browser in browsers if answers(browser)), None)


def candidates(env: Mapping[str, str]) -> Iterator[Path]:
    """List what could be a browser, the most likely first."""
    for name in _NAMES:
        path = shutil.which(name, path=env.get("PATH"))
        if path is not None:
            yield Path(path)
    for name in _MAC_APPLICATIONS:
        application = Path("/Applications") / f"{name}.app" / "Contents" / "MacOS" / name
        if application.exists():
            yield application
    for store in _playwright_stores(env):
        for revision in sorted(store.glob("chromium-*"), key=_revision, reverse=True):
            for pattern in _PLAYWRIGHT_EXECUTABLES:
                yield from revision.glob(pattern)


def answers(browser: Path) -> bool:
    """Ask for its version: Ubuntu's `chromium-browser` is a script that only tells of a snap."""
    try:
        done = subprocess.run(
            [browser, "--version"], check=False, capture_output=True, text=True, timeout=_SECONDS_TO_ANSWER
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and re.search(r"(Chrom(e|ium)|Edge)\b.*\d", done.stdout) is not None


def _playwright_stores(env: Mapping[str, str]) -> list[Path]:
    named = env.get("PLAYWRIGHT_BROWSERS_PATH")
    if named:
        return [Path(named)]
    home = Path(env["HOME"]) if env.get("HOME") else Path("~").expanduser()
    return [home / ".cache" / "ms-playwright", home / "Library" / "Caches" / "ms-playwright"]


def _revision(folder: Path) -> int:
    number = folder.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1
