"""Write the files that are generated from the contract, or check that they are up to date.

    python -m jax_trace_viz.contract [--check]

Run it in the root of the repository.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from jax_trace_viz.contract.schema import files


def main(arguments: list[str] | None = None, root: Path | None = None) -> int:
    """Write or check; the exit status is 1 when a check finds a difference."""
    parser = argparse.ArgumentParser(prog="python -m jax_trace_viz.contract", description="Generate the JSON schemas.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a file is not up to date")
    check = parser.parse_args(arguments).check
    base = root or Path.cwd()
    stale = {path: text for path, text in files().items() if _read(base / path) != text}
    if not check:
        for path, text in stale.items():
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).write_text(text, encoding="utf-8")
        return 0
    if stale:
        names = " and ".join(stale)
        sys.stderr.write(f"Not what the contract says: {names}. Run `python -m jax_trace_viz.contract`.\n")
    return 1 if stale else 0


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
