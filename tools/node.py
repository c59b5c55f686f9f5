"""Node: JupyterLab's yarn (jlpm), and the two bundles built with it."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from tools.environment import variables
from tools.process import SetupError, run_quietly
from tools.project import LABEXTENSION, ROOT, WIDGET, shown
from tools.stamps import Step, content_hash

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tools.environment import Environment

FRONTEND_SOURCES = (
    "package.json",
    "schema/**/*",
    "src/**/*",
    "style/**/*",
    "tsconfig*.json",
    "yarn.lock",
)
TEST_SUFFIXES = (".test.ts", ".test.tsx")


def check_node(env: Mapping[str, str]) -> None:
    """Refuse a machine without a Node that the build tools run on.

    Raises:
        SetupError: There is none.
    """
    path = shutil.which("node", path=env.get("PATH"))
    if path is None:
        message = "Node.js 20 or newer is needed to build from source, and there is no `node` on the PATH."
        raise SetupError(message)
    shown = subprocess.run([path, "--version"], env=env, check=False, capture_output=True, text=True).stdout.strip()
    if not is_supported(shown):
        message = f"Node.js 20.19 or newer, or 22.12 or newer, is needed to build from source, and {path} is {shown}."
        raise SetupError(message)


def is_supported(shown: str) -> bool:
    """Tell whether a version like `v20.19.2` can load ES modules by `require`, which JupyterLab's bundler does."""
    match = re.fullmatch(r"v(\d+)\.(\d+)\..*", shown)
    if match is None:
        return False
    version = (int(match[1]), int(match[2]))
    return version >= (22, 12) or (20, 19) <= version < (21, 0)


def install_node_packages(environment: Environment, folder: Path = ROOT) -> None:
    """Install what the yarn.lock of `folder` names."""
    env = variables(environment) | {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
    where = "" if folder == ROOT else f" of {shown(folder)}"
    Step(
        stamp=folder / "node_modules" / ".jax-trace-viz-stamp",
        key=content_hash(folder, ("package.json", "yarn.lock", ".yarnrc.yml")),
        outputs=(folder / "node_modules" / ".yarn-state.yml",),
        title=f"Installing the Node packages{where}",
        action=lambda: run_quietly(
            [environment.scripts / "jlpm", "install", "--immutable"],
            env,
            f"jlpm could not install the packages{where}: its words stand above.",
            cwd=folder,
        ),
    ).ensure()


def build_frontend(environment: Environment) -> None:
    """Build the labextension and the widget, unless they stand built from just these sources."""
    Step(
        stamp=ROOT / "build" / "stamps" / "frontend",
        key=content_hash(ROOT, FRONTEND_SOURCES, TEST_SUFFIXES),
        outputs=(LABEXTENSION / "package.json", LABEXTENSION / "static" / "style.js", WIDGET),
        title="Building the JupyterLab extension and the widget",
        action=lambda: run_quietly(
            [environment.scripts / "jlpm", "build:prod"],
            variables(environment),
            "The frontend does not build: the words stand above.",
        ),
    ).ensure()
