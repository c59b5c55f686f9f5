"""R12: the linter refuses whatever would turn a text of the program into markup, a link or code."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tools.project import ROOT

ESLINT = ROOT / "node_modules" / ".bin" / "eslint"
SINKS = """\
node.innerHTML = text;
node.outerHTML = text;
node.insertAdjacentHTML('beforeend', text);
node.setHTMLUnsafe(text);
range.createContextualFragment(text);
frame.srcdoc = text;
document.write(text);
document.writeln(text);
new DOMParser().parseFromString(text, 'text/html');
eval(text);
new Function(text);
link.href = text;
image.src = text;
node.setAttribute('href', text);
node.setAttribute('xlink:href', text);
node.setAttribute('srcdoc', text);
node.setAttribute('onclick', text);
void (<a href={text} />);
void (<img src={text} />);
void (<p dangerouslySetInnerHTML={{ __html: text }} />);
"""
HARMLESS = "node.textContent = text;\nvoid (<p title={text}>{text}</p>);\n"


def refused(code: str) -> set[int]:
    """The lines that a rule about sinks refuses, read as if they stood in a view."""
    command = [ESLINT, "--stdin", "--stdin-filename", "src/views/mount.tsx", "--format", "json"]
    run = subprocess.run(command, input=code, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    (file,) = json.loads(run.stdout)
    return {said["line"] for said in file["messages"] if (said["ruleId"] or "").startswith("no-restricted-")}


@pytest.mark.skipif(not ESLINT.exists() or shutil.which("node") is None, reason="the front end's tools are missing")
def test_every_sink_is_refused() -> None:
    lines = len(SINKS.splitlines())
    assert refused(SINKS + HARMLESS) == set(range(1, lines + 1))
