"""The front end must ask for no newer JupyterLab than it needs: the builder would ask for the one it was built with."""

from __future__ import annotations

import json

from tools.project import ROOT

_OF_JUPYTERLAB = ("@codemirror/", "@jupyterlab/", "@lumino/")


def test_each_package_of_jupyterlab_is_asked_for_as_the_dependencies_say():
    package = json.loads((ROOT / "package.json").read_text())
    wanted = {name: version for name, version in package["dependencies"].items() if name.startswith(_OF_JUPYTERLAB)}
    shared = package["jupyterlab"]["sharedPackages"]
    assert {name: options["requiredVersion"] for name, options in shared.items()} == wanted
