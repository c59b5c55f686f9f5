"""Each tool's own environment, and how work is started in it."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from typing import Any

from tools.compat import find_interpreter
from tools.environment import Environment, own_interpreter, variables
from tools.process import SetupError
from tools.project import BUILD, ROOT
from tools.requirements import requirements

FOLDER = BUILD / "peers"
PYTHONS = ("3.12", "3.13")
"""Where all of the tools install; the newest JAX wants no older one."""

LIBRARIES = ("flax>=0.10", "optax>=0.2", "diffrax>=0.7")
"""What the programs are written with."""

TOOLS: dict[str, list[str]] = {
    "ours": [*requirements(), *LIBRARIES],
    "jaxviz": ["jaxviz", *LIBRARIES],
    "model-explorer": ["ai-edge-model-explorer"],
    "browser": ["playwright"],
}
"""The environments, and what is installed in each. JAX's own explanation is asked for in ours."""

_SECONDS_BY_THE_CLOCK = 1200
"""Nothing that a tool gets to do should take longer, however busy the machine is."""

_VERSIONS = """
import importlib.metadata as m, json
print(json.dumps({d.name.lower(): d.version for d in m.distributions()}))
"""


@dataclasses.dataclass(frozen=True)
class Failed:
    """Why a tool gave nothing."""

    words: str


def environment(tool: str) -> Environment | Failed:
    """Makes the tool's environment, or brings it up to date; tells where it could not be installed."""
    made = Environment(FOLDER / tool)
    try:
        made.ensure(find_interpreter(PYTHONS, os.environ) or own_interpreter())
        made.install(TOOLS[tool], f"Installing what belongs to {tool}")
    except SetupError as error:
        return Failed(f"could not be installed: {error}".splitlines()[0])
    return made


def versions(made: Environment) -> dict[str, str]:
    """What is installed there."""
    shown = subprocess.check_output([made.python, "-c", _VERSIONS], env=variables(made), text=True)
    return json.loads(shown)


def work(made: Environment, module: str, *arguments: str, devices: int = 1) -> dict[str, Any] | Failed:
    """What a module of ours prints as JSON when it runs in that environment, in a fresh process on the CPU."""
    try:
        done = subprocess.run(
            [made.python, "-m", module, *arguments],
            cwd=ROOT,
            env=worker_variables(made, devices),
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS_BY_THE_CLOCK,
        )
    except subprocess.TimeoutExpired:
        return Failed(f"not done after {_SECONDS_BY_THE_CLOCK} s by the clock")
    printed = done.stdout.strip().splitlines()
    if printed and printed[-1].startswith("{"):
        return json.loads(printed[-1])
    return Failed(_why(done.returncode, done.stderr))


def worker_variables(made: Environment, devices: int = 1) -> dict[str, str]:
    """The variables for a process there: it sees this checkout, and so many devices of the CPU."""
    flags = f"--xla_force_host_platform_device_count={devices}"
    ours = {"PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags, "TF_CPP_MIN_LOG_LEVEL": "3"}
    return {**variables(made), **ours}


def _why(status: int, said: str) -> str:
    if status < 0:
        return "over the limit of time or memory"
    lines = [line for line in said.strip().splitlines() if line and not line.startswith(" ")]
    return lines[-1] if lines else f"ended with status {status}"


def started_server(made: Environment, file: str, port: int) -> tuple[subprocess.Popen[str], str]:
    """Starts Model Explorer on a file; its process and the page's address, empty where it gives none."""
    command = [made.scripts / "model-explorer", file, "--port", str(port)]
    command += ["--no_open_in_browser", "--skip_health_check"]
    server = subprocess.Popen(
        command, env=worker_variables(made), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("http"):
            return server, line.strip()
    return server, ""
