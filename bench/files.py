"""Sizes of what is installed and sent, where it has been built."""

from __future__ import annotations

import pathlib

from bench.results import Result

ROOT = pathlib.Path(__file__).parent.parent
PACKAGE = ROOT / "jax_trace_viz"


def sizes() -> list[Result]:
    """The wheel, the widget's bundle, and the JupyterLab extension."""
    rows: list[Result] = []
    wheels = sorted((ROOT / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    if wheels:
        rows.append(Result("wheel", wheels[-1].stat().st_size / 1e6, "MB", 2))
    for words, folder, goal in (("widget bundle", PACKAGE / "jupyter" / "static", 250.0),):
        scripts = list(folder.glob("*.js"))
        if scripts:
            rows.append(Result(words, sum(path.stat().st_size for path in scripts) / 1e3, "kB", goal))
    scripts = list((PACKAGE / "labextension").rglob("*.js"))
    if scripts:
        rows.append(Result("JupyterLab extension, all scripts", sum(p.stat().st_size for p in scripts) / 1e3, "kB"))
    return rows
