"""Measures beside their goals: as a table to read, as a file to keep."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import platform
import statistics
import sys

HUNDRED = 100
"""From here on a figure is told without decimals."""

FOLDER = pathlib.Path(__file__).parent / "results"


@dataclasses.dataclass(frozen=True)
class Result:
    """One measured figure; `goal` is the most it should be."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""

    def row(self) -> str:
        """The line of the table."""
        goal = "" if self.goal is None else f"≤ {self.goal:g}"
        met = "" if self.goal is None else "ok" if self.value <= self.goal else "over"
        value = f"{self.value:.0f}" if self.value >= HUNDRED else f"{self.value:.3g}"
        return f"{self.what:<58} {value:>7} {self.unit:<3} {goal:>6}  {met:<5} {self.note}".rstrip()


def ratio(what: str, measured: list[float], base: list[float], goal: float | None = None) -> Result:
    """How much more than the base. Both were measured in turns; the fastest of each was disturbed the least."""
    by_round = statistics.median(m / b for m, b in zip(measured, base, strict=True))
    return Result(what, min(measured) / min(base), "×", goal, f"median of rounds {by_round:.3f}")


def load_average() -> float:
    """Processes that wanted to run during the last minute; 0 where the system does not tell."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0


def save(results: list[Result], load: list[float]) -> pathlib.Path:
    """Writes the file of this Python and JAX, replacing the one before; `load` is that before and after the run."""
    import jax

    versions = {"python": platform.python_version(), "jax": jax.__version__, "machine": platform.machine()}
    versions |= {"cores": os.cpu_count(), "load": load}
    name = f"python{sys.version_info.major}.{sys.version_info.minor}-jax{jax.__version__}.json"
    FOLDER.mkdir(exist_ok=True)
    rows = [{**dataclasses.asdict(result), "value": float(f"{result.value:.4g}")} for result in results]
    path = FOLDER / name
    path.write_text(json.dumps({**versions, "results": rows}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
