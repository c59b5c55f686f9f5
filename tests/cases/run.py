"""Runs one case as a user would and gathers what its score is based on."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tests.cases.scoring import score
from tests.cases.scoring.evidence import Evidence, load_truth

SECONDS = 120


def run_case(case: pathlib.Path, jax_version: str) -> dict[str, list[str]]:
    """Field → what disagrees with the truth, for a case run under this interpreter.

    A run that gives no document, or one that is not of the agreed form, disagrees under `form`.
    """
    truth = load_truth(case, jax_version)
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder, "session.json")
        work = pathlib.Path(folder, "work")  # the program cannot see its truth
        work.mkdir()
        shutil.copy(case / "case.py", work)
        command = [sys.executable, "-m", "jax_trace_viz", "run", "case.py", "--session", str(saved)]
        try:
            done = subprocess.run(
                command,
                cwd=work,
                env=_environment(truth.get("env", {})),
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"form": [f"no answer in {SECONDS} s"]}
        if not saved.exists():
            return {"form": [f"no session document (exit status {done.returncode}): {done.stderr.strip()[-2000:]}"]}
        document = saved.read_text(encoding="utf-8")
    try:
        return score(
            Evidence(
                truth=truth,
                document=json.loads(document),
                source=(case / "case.py").read_text(encoding="utf-8"),
                stdout=done.stdout,
                exit_status=done.returncode,
            )
        )
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        return {"form": [f"the session document is not of the agreed form: {error!r}"]}


def _environment(needed: dict[str, str]) -> dict[str, str]:
    """Ours without what would change JAX, with what the case needs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "XLA_"))}
    return kept | {"JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"} | needed
