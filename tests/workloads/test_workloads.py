"""Eight real programs: recording changes nothing about them, and the document holds what JAX holds.

Each program runs three times, in processes of its own: plainly, under `run`, and with JAX asked by public means.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import importlib.metadata
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import msgspec
import pytest

from jax_trace_viz.contract.document import Document
from tests.selecting import needing, selected
from tests.workloads.needed import NEEDED

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = pathlib.Path(__file__).parent
SCHEMA = HERE.parents[1] / "docs" / "session-document.schema.json"
OLDEST_JAX = (0, 10)
"""The libraries' newest versions want at least this."""

PLACES = re.compile(r'^#loc.*\n| loc\((?:"[^"]*"|[^()"]|\([^()]*\))*\)', re.MULTILINE)
"""What MLIR's texts say of where operations come from."""

JITTED = {
    "equinox_mlp": {"step"},
    "flax_transformer": {"step", "<lambda>"},
    "diffrax_neural_ode": {"loss"},
    "numpyro_nuts": set[str](),
    "haiku_lstm": {"loss"},
    "jraph_graphs": {"<lambda>"},
    "blackjax_nuts": {"sample"},
    "optimistix_fit": {"fit"},
}
"""Program → the functions of its own that are jitted, by the library or by itself."""

pytestmark = [
    pytest.mark.timeout(900),  # the first test of a program waits for its three runs
    pytest.mark.skipif(
        tuple(int(part) for part in importlib.metadata.version("jax").split(".")[:2]) < OLDEST_JAX,
        reason="the libraries want a newer JAX",
    ),
]


@dataclasses.dataclass(frozen=True)
class Runs:
    """What the three runs of a program printed and wrote."""

    plain: dict[str, Any]
    recorded: dict[str, Any]
    asked: dict[str, Any]
    document: bytes
    held: dict[str, Any]
    """What JAX holds, see `own_jaxprs`."""
    programs: tuple[list[str], list[str]]
    """What JAX gave to XLA, plainly and recorded."""

    @functools.cached_property
    def told(self) -> Document:
        """The session document, by the contract's types."""
        return msgspec.json.decode(self.document, type=Document)


Started = dict[str, "concurrent.futures.Future[Runs]"]


def run_all(program: str, folder: pathlib.Path) -> Runs:
    """Runs a program three times."""
    folder.mkdir()
    script = str(HERE / "programs" / f"{program}.py")
    session, own = folder / "session.json", folder / "own.json"
    plain = printed([script], JAX_DUMP_IR_TO=str(folder / "plain"))
    command = ["-m", "jax_trace_viz", "run", script, "--session", str(session)]
    recorded = printed(command, JAX_DUMP_IR_TO=str(folder / "recorded"))
    asked = printed(["-m", "tests.workloads.own_jaxprs", script, str(own)])
    held = json.loads(own.read_text(encoding="utf-8"))
    return Runs(
        plain, recorded, asked, session.read_bytes(), held, (dumped(folder / "plain"), dumped(folder / "recorded"))
    )


def dumped(folder: pathlib.Path) -> list[str]:
    """The programs that JAX wrote there, without the places they came from: `run` is among those."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())]
    return [PLACES.sub("", text) for text in texts]


def printed(arguments: list[str], **settings: str) -> dict[str, Any]:
    """The one line of JSON that a program prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        env=os.environ | settings,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """All selected programs, two at a time: the next one is under way while one is looked at."""
    folder = tmp_path_factory.mktemp("workloads")
    pool = concurrent.futures.ThreadPoolExecutor(2)
    yield {name: pool.submit(run_all, name, folder / name) for name in selected(request, "program")}
    pool.shutdown(cancel_futures=True)


@pytest.fixture
def runs(program: str, started: Started) -> Runs:
    """The three runs of one program."""
    return started[program].result()


every_program = pytest.mark.parametrize(
    "program", [needing(name, packages, id=name) for name, packages in NEEDED.items()]
)


@every_program
def test_the_result_and_the_numbers_of_traces_compilations_and_questions_stay_the_same(runs: Runs) -> None:
    assert runs.recorded == runs.plain
    assert runs.told.outcome.status == "ok"


@every_program
def test_xla_gets_the_same_programs_to_the_letter(runs: Runs) -> None:
    plain, recorded = runs.programs
    assert recorded == plain
    assert len(plain) >= runs.plain["compiles"] > 0


@every_program
def test_nothing_is_missing_from_the_document(runs: Runs) -> None:
    assert runs.told.faults == []
    assert runs.told.environment.limited == []
    assert runs.told.dropped.events == 0
    assert [jaxpr.id for jaxpr in runs.told.jaxprs if jaxpr.dropped_equations] == []


@every_program
def test_the_document_is_valid_by_the_published_schema(runs: Runs) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(runs.document))]
    assert errors == []


@every_program
def test_every_compilation_that_jax_reports_is_told(runs: Runs) -> None:
    assert len(runs.told.compilations) == runs.held["compilations"]


@every_program
def test_the_equations_of_each_jitted_function_are_those_that_jax_holds(program: str, runs: Runs) -> None:
    assert runs.asked["value"] == runs.plain["value"], "asking JAX has changed the program"
    jitted = JITTED[program]
    held = {name: [jaxpr for own, jaxpr in runs.held["jaxprs"] if own == name] for name in jitted}
    assert {name: told_jaxprs(runs.told, name) for name in jitted} == held


def told_jaxprs(document: Document, name: str) -> list[Any]:
    """The jaxprs of a jitted function of the user, in the form of `own_jaxprs`."""
    jaxprs = {jaxpr.id: jaxpr for jaxpr in document.jaxprs}
    functions = {f.id for f in document.functions if f.name == name and f.origin == "user" and f.calls}

    @functools.cache
    def primitives(jaxpr: str) -> list[Any]:
        return [[e.primitive, [primitives(inner.jaxpr) for inner in e.jaxprs]] for e in jaxprs[jaxpr].equations]

    traces = [trace for trace in document.traces if trace.function in functions and trace.kind == "jit"]
    assert all(trace.jaxpr for trace in traces)
    return [primitives(trace.jaxpr) for trace in traces if trace.jaxpr]
