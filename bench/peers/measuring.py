"""What each tool makes of one program, and what a browser makes of that."""

from __future__ import annotations

import contextlib
import dataclasses
import socket
from typing import TYPE_CHECKING

from bench.peers.drawing import Drawn
from bench.peers.environments import FOLDER, Failed, started_server, work
from bench.peers.showing import Shown

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from tools.environment import Environment

PICTURES = FOLDER / "pictures"

_BUSY = "document.body.innerText.includes('Processing graph')"
DRAWN = {
    "ours": "document.querySelectorAll('svg g').length",
    "jaxviz": """document.querySelectorAll('svg [class^="node_"]').length""",
    "model-explorer": f"document.querySelector('canvas') && !{_BUSY} ? 1 : 0",
}
"""How a page tells that it is drawn."""

Made = dict[str, "Environment | Failed"]


@dataclasses.dataclass(frozen=True)
class Peer:
    """One tool on one program."""

    drawn: Drawn | Failed
    shown: Shown | Failed


def measure(tool: str, program: str, made: Made, browser: Path) -> Peer:
    """Lets the tool draw the program, and the browser show it."""
    folder = PICTURES / tool
    drawn = _model_explorer(program, made, folder) if tool == "model-explorer" else _worked(tool, tool, program, made)
    if isinstance(drawn, Failed):
        return Peer(drawn, drawn)
    with _address(tool, drawn, made) as address:
        return Peer(drawn, _shown(address, tool, made, browser, folder / f"{program}.png"))


def _worked(tool: str, kind: str, program: str, made: Made) -> Drawn | Failed:
    place = made["ours" if kind == "lower" else tool]
    if isinstance(place, Failed):
        return place
    done = work(place, "bench.peers.drawing", kind, program, str(PICTURES / tool))
    return done if isinstance(done, Failed) else Drawn(**done)


def _model_explorer(program: str, made: Made, folder: Path) -> Drawn | Failed:
    """It reads StableHLO, which JAX writes first; both take their time."""
    lowered = _worked("model-explorer", "lower", program, made)
    if isinstance(lowered, Failed):
        return Failed(f"JAX's lowering: {lowered.words}")
    converted = _worked("model-explorer", "convert", program, made)
    if isinstance(converted, Failed):
        return converted
    return dataclasses.replace(
        converted, seconds=lowered.seconds + converted.seconds, file=str(folder / f"{program}.mlir")
    )


@contextlib.contextmanager
def _address(tool: str, drawn: Drawn, made: Made) -> Generator[str]:
    place = made[tool]
    if tool != "model-explorer" or isinstance(place, Failed):
        yield f"file://{drawn.file}"
        return
    server, address = started_server(place, drawn.file, _free_port())
    try:
        yield address
    finally:
        server.kill()
        server.wait()


def _shown(address: str, tool: str, made: Made, browser: Path, picture: Path) -> Shown | Failed:
    place = made["browser"]
    if isinstance(place, Failed):
        return place
    if not address:
        return Failed("its server did not start")
    done = work(place, "bench.peers.showing", address, DRAWN[tool], str(browser), str(picture))
    return done if isinstance(done, Failed) else Shown(**done)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]
