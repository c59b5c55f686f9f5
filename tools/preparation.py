"""Bringing the checkout to where a command can run; a second time it finds all done."""

from __future__ import annotations

import shutil

from tools.environment import Environment, own_interpreter, variables
from tools.node import build_frontend, check_node, install_node_packages
from tools.process import run_quietly
from tools.project import LABEXTENSION, ROOT
from tools.requirements import requirements
from tools.stamps import Step, content_hash


def install_packages() -> Environment:
    """Make `.venv`, and install all packages that the project uses but not the project."""
    # Before the minutes that the rest takes.
    check_node(variables())
    environment = Environment()
    environment.ensure(own_interpreter())
    environment.install(requirements("dev"), "Installing the Python packages (the first time takes a minute or two)")
    install_node_packages(environment)
    return environment


def prepare() -> Environment:
    """Make `.venv` and install this checkout into it, with the built frontend."""
    environment = install_packages()
    build_frontend(environment)
    _install_checkout(environment)
    return environment


def _install_checkout(environment: Environment) -> None:
    link = environment.folder / "share" / "jupyter" / "labextensions" / "jax-trace-viz"

    def install() -> None:
        if link.is_symlink():
            link.unlink()
        run_quietly(
            [environment.python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "-e", ROOT],
            # The frontend stands built already.
            variables(environment) | {"SKIP_JUPYTER_BUILDER": "1"},
            "pip could not install the checkout: its words stand above.",
        )
        # pip has copied the labextension; a link shows each later build too.
        shutil.rmtree(link, ignore_errors=True)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(LABEXTENSION, target_is_directory=True)

    Step(
        stamp=environment.stamp("checkout"),
        key=content_hash(ROOT, ("pyproject.toml", "package.json", "install.json")),
        outputs=(link, environment.scripts / "jax-trace-viz"),
        title="Installing this checkout into .venv",
        action=install,
    ).ensure()
