"""System packages, where the machine is Debian's and the user may install them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

OS_RELEASE = Path("/etc/os-release")


def can_install(env: Mapping[str, str]) -> bool:
    """Tell whether apt is there and this user may use it."""
    return shutil.which("apt-get", path=env.get("PATH")) is not None and os.geteuid() == 0


def is_debian(os_release: Path = OS_RELEASE) -> bool:
    """Tell Debian and its kin from Ubuntu and its kin, whose `chromium` only points to a snap."""
    if not os_release.is_file():
        return False
    lines = (line.partition("=") for line in os_release.read_text().splitlines())
    fields = {name: value.strip("\"'") for name, _, value in lines}
    family = [fields.get("ID", ""), *fields.get("ID_LIKE", "").split()]
    return "debian" in family and "ubuntu" not in family


def install(env: Mapping[str, str], *packages: str) -> bool:
    """Install system packages without a word; tell whether that went well."""
    # An update may fail for one source of many while the packages are to be had from another.
    _apt_get(env, "update")
    return _apt_get(env, "install", "--yes", "--no-install-recommends", *packages)


def _apt_get(env: Mapping[str, str], *arguments: str) -> bool:
    done = subprocess.run(
        ["apt-get", "-qq", *arguments],
        env={**env, "DEBIAN_FRONTEND": "noninteractive"},
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    return done.returncode == 0
