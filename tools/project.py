"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BUILD = ROOT / "build"
RESULTS = BUILD / "results"
DIST = ROOT / "dist"
UI_TESTS = ROOT / "ui-tests"

LABEXTENSION = ROOT / "jax_trace_viz" / "labextension"
WIDGET = ROOT / "jax_trace_viz" / "jupyter" / "static" / "widget.js"


def shown(path: Path) -> str:
    """Print a path as people in the checkout know it."""
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
