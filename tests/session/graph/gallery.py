"""The pictures of docs/gallery.md: `python -m tests.session.graph.gallery` draws them anew from what was recorded.

`--record` records the programs of `bench.programs` anew before, with the JAX that is installed.
"""

from __future__ import annotations

import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

import msgspec
from msgspec.structs import replace

from jax_trace_viz.contract.document import Document
from jax_trace_viz.exports.svg import svg
from jax_trace_viz.session.graph import build_graph

PROGRAMS = ("where", "newton", "conditional", "scan_gradient", "plain_mlp", "mlp_adam", "transformer")
RECORDINGS = pathlib.Path(__file__).parent / "gallery"
PICTURES = pathlib.Path(__file__).parents[3] / "docs/images/gallery"

_FOLDERS = re.compile(rb'"[^"]*?/(site-packages/|bench/|lib/python3)')


def recorded(name: str) -> tuple[Document, str]:
    """A program's recording, and the trace that stands for most equations."""
    data = gzip.decompress((RECORDINGS / f"{name}.json.gz").read_bytes())
    document = msgspec.json.decode(data, type=Document)
    return document, max((t for t in document.traces if t.jaxpr), key=lambda trace: trace.equations.expanded).id


def drawn(name: str) -> str:
    """A program's first picture, from its recording."""
    return svg(build_graph(*recorded(name)))


def record(name: str) -> None:
    """Records a program in a process of its own; the folders of this machine are left out."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "bench.pictures", name, "--folder", folder], check=True)
        data = (pathlib.Path(folder) / f"{name}.json").read_bytes()
    document = msgspec.json.decode(_FOLDERS.sub(rb'"\1', data), type=Document)
    document = replace(document, annotations=[], compilations=[])
    RECORDINGS.mkdir(exist_ok=True)
    packed = gzip.compress(msgspec.json.encode(document), mtime=0)
    (RECORDINGS / f"{name}.json.gz").write_bytes(packed)


def main() -> None:
    """Draws all; records before where asked."""
    PICTURES.mkdir(exist_ok=True)
    for name in PROGRAMS:
        if "--record" in sys.argv[1:]:
            record(name)
        (PICTURES / f"{name}.svg").write_text(drawn(name), encoding="utf-8")


if __name__ == "__main__":
    main()
