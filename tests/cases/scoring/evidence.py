"""All that a score is based on: the truth, the program's text and output, and the session document, indexed."""

from __future__ import annotations

import collections
import dataclasses
import functools
import json
import pathlib
from typing import Any

Json = dict[str, Any]


def load_truth(case: pathlib.Path, jax_version: str) -> Json:
    """The truth of a case for one version of JAX."""
    truth = json.loads((case / "truth.json").read_text(encoding="utf-8"))
    return _merged(truth, truth.get("per_version", {}).get(jax_version, {}))


def _merged(base: Json, override: Json) -> Json:
    merged = dict(base)
    for key, value in override.items():
        nested = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merged(base[key], value) if nested else value
    return merged


def decisive(entry: Json) -> str | None:
    """The first reason of a trace or compilation, None where it has none."""
    return entry["reasons"][0]["kind"] if entry["reasons"] else None


def is_helper(trace: Json) -> bool:
    """Whether plain Python called this body: JAX did not cause its run."""
    return trace.get("kind") == "call" or decisive(trace) == "called_by_traced_function"


def reason_and_line(entry: Json) -> tuple[str | None, int | None]:
    """The first reason and the line of the call that caused a trace or compilation."""
    return decisive(entry), (entry.get("call_site") or {}).get("line")


def in_case(entry: Json) -> bool:
    """Whether something of the document lies in the case's own file."""
    return pathlib.PurePath(entry.get("file") or "").name == "case.py"


def expected_kinds(reason: Json, *more: str) -> set[str]:
    """The reason words that are right for one entry of `trace_reasons`."""
    return {reason["reason"], *(word for key in ("accept", *more) for word in reason.get(key, ()))}


@dataclasses.dataclass(frozen=True)
class Evidence:
    """One finished run of a case."""

    truth: Json
    document: Json
    source: str
    stdout: str
    exit_status: int

    @functools.cached_property
    def qualname(self) -> dict[str, str]:
        """Function id → its qualified name as truths spell it."""
        functions = self.document["functions"]
        return {f["id"]: (f.get("qualname") or f["name"]).replace("<locals>.", "") for f in functions}

    @functools.cached_property
    def name(self) -> dict[str, str]:
        """Function id → its name."""
        return {f["id"]: f["name"] for f in self.document["functions"]}

    @functools.cached_property
    def own(self) -> set[str]:
        """Ids of the functions of the case's own file."""
        return {f["id"] for f in self.document["functions"] if in_case(f)}

    @functools.cached_property
    def runs(self) -> dict[str, list[Json]]:
        """Qualified name → all its runs, helpers too."""
        runs: dict[str, list[Json]] = collections.defaultdict(list)
        for trace in self.document["traces"]:
            runs[self.qualname.get(trace["function"], "?")].append(trace)
        return runs

    @functools.cached_property
    def traces(self) -> dict[str, list[Json]]:
        """Qualified name → its runs that JAX caused."""
        caused = {name: [run for run in runs if not is_helper(run)] for name, runs in self.runs.items()}
        return collections.defaultdict(list, caused)

    @functools.cached_property
    def trace_by_id(self) -> dict[str | None, Json]:
        """Id → trace."""
        return {trace["id"]: trace for trace in self.document["traces"]}

    @functools.cached_property
    def compiled(self) -> dict[str, list[Json]]:
        """Name of a function → its compilations."""
        compiled: dict[str, list[Json]] = collections.defaultdict(list)
        for entry in self.document["compilations"]:
            compiled[self.name.get(entry["function"], "?")].append(entry)
        return compiled

    @functools.cached_property
    def helpers(self) -> set[str]:
        """Functions with a run that the truth calls a plain helper's: whether it is listed is open."""
        reasons: Json = self.truth.get("trace_reasons", {})
        return {fn for fn, rs in reasons.items() if any(r["reason"] == "called_by_traced_function" for r in rs)}

    def expected_reasons(self, function: str) -> list[Json]:
        """One entry per trace of the function that JAX must have caused."""
        stated: list[Json] = self.truth.get("trace_reasons", {}).get(function, [])
        repeated = [reason for reason in stated for _ in range(reason.get("times", 1))]
        return [reason for reason in repeated if reason["reason"] != "called_by_traced_function"]
