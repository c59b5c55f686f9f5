"""R3: the key of JAX's persistent cache is the same with and without us.

Figure: of the programs that a plain process has compiled and written, a process that records compiles none.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import msgspec

from jax_trace_viz.contract.document import Document

PROGRAM = """
import json, sys
import jax
from jax import monitoring
asked = {"cache_hits": 0, "cache_misses": 0, "compile_requests_use_cache": 0}
def count(event, **_):
    name = event.rpartition("/")[2]
    if name in asked:
        asked[name] += 1
monitoring.register_event_listener(count)
from tests.promises import small_program
small_program.main()
print(json.dumps(asked))
"""


def run(folder: pathlib.Path, *command: str) -> dict[str, int]:
    """What JAX tells of its cache in `folder`, asked by the program itself."""
    (folder / "program.py").write_text(PROGRAM)
    settings = {
        "JAX_COMPILATION_CACHE_DIR": str(folder / "cache"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(pathlib.Path.cwd()), os.environ.get("PYTHONPATH")])),
    }
    done = subprocess.run(
        [sys.executable, *command, str(folder / "program.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
        env=os.environ | settings,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_what_a_plain_process_has_written_is_found_by_one_that_records(tmp_path: pathlib.Path) -> None:
    plain = run(tmp_path)
    written = {file.name for file in (tmp_path / "cache").iterdir()}
    session = tmp_path / "session.json"
    watched = run(tmp_path, "-m", "jax_trace_viz", "run", "--session", str(session))

    assert plain["cache_misses"] > 5
    assert plain["compile_requests_use_cache"] == watched["compile_requests_use_cache"]
    assert (watched["cache_hits"], watched["cache_misses"]) == (plain["cache_hits"] + plain["cache_misses"], 0)
    assert {file.name for file in (tmp_path / "cache").iterdir() if not file.name.endswith("-atime")} <= written
    document = msgspec.json.decode(session.read_bytes(), type=Document)
    assert {one.persistent_cache for one in document.compilations} == {"hit"}
