"""What `run` writes: the session document and the picture, also when the script fails."""

from __future__ import annotations

import json
import re
import subprocess
import sysconfig
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import JITTED

if TYPE_CHECKING:
    from tests.cli.conftest import Folder

SVG = "{http://www.w3.org/2000/svg}svg"


def test_the_document_is_written(folder: Folder) -> None:
    done = folder.recorded(folder.write("jitted.py", JITTED), "--session", "session.json")
    assert (done.stdout, done.stderr, done.returncode) == ("6.0\n", "", 0)
    document = folder.document()
    assert document["outcome"]["status"] == "ok"
    (step,) = [function for function in document["functions"] if function["name"] == "step"]
    assert (step["calls"], step["traces"], step["compiles"]) == (1, 1, 1)
    assert (step["file"], step["line"]) == ("jitted.py", 4)


def test_where_no_file_is_asked_for_a_summary_is_printed(folder: Folder) -> None:
    script = folder.write("again.py", JITTED + "    step(jax.numpy.ones(3))\n    step(jax.numpy.ones(4))\n")
    done = folder.recorded(script)
    assert (done.stdout, done.returncode) == ("6.0\n", 0)
    verdict, _, table = done.stderr.strip().partition("\n\n")
    assert verdict.startswith("step was traced 3×: ")
    assert [line.split()[:5] for line in table.splitlines()[-1:]] == [["step", "3", "3", "0", "3"]]


def test_the_document_of_a_script_without_jax_is_written(folder: Folder) -> None:
    folder.recorded(folder.write("plain.py", "print('out')\n"), "--session", "session.json")
    document = folder.document()
    assert (document["environment"]["jax"], document["traces"]) == (None, [])


def test_the_document_of_a_script_that_fails_is_written(folder: Folder) -> None:
    script = folder.write(
        "failing.py",
        """
        import jax

        @jax.jit
        def step(x):
            return 1 if x > 0 else 2

        def main():
            step(1.0)

        main()
        """,
    )
    done = folder.recorded(script, "--session", "session.json")
    assert done.returncode == 1
    document = folder.document()
    outcome = document["outcome"]
    assert (outcome["status"], outcome["type"]) == ("error", "TracerBoolConversionError")
    assert (outcome["file"], outcome["line"], outcome["call_line"]) == ("failing.py", 6, 11)
    assert [trace["status"] for trace in document["traces"]] == ["error"]


def test_the_document_of_a_script_that_leaves_early_is_written(folder: Folder) -> None:
    script = folder.write("leaving.py", JITTED + "    raise SystemExit(4)\n")
    done = folder.recorded(script, "--session", "session.json")
    assert done.returncode == 4
    document = folder.document()
    assert [f["traces"] for f in document["functions"] if f["name"] == "step"] == [1]


def test_the_picture_is_an_svg_that_stands_alone(folder: Folder) -> None:
    done = folder.recorded(folder.write("jitted.py", JITTED), "--svg", "step.svg")
    assert (done.stdout, done.stderr, done.returncode) == ("6.0\n", "", 0)
    root = ET.parse(folder.path / "step.svg").getroot()
    assert root.tag == SVG
    assert "mul" in "".join(root.itertext())
    assert not [name for element in root.iter() for name in element.attrib if name.endswith("href")]
    assert not [element.tag for element in root.iter() if element.tag.endswith(("script", "foreignObject"))]


def test_the_picture_shows_the_function_that_was_asked_for(folder: Folder) -> None:
    script = folder.write(
        "two.py",
        """
        import jax

        @jax.jit
        def sine(x):
            return jax.numpy.sin(x)

        @jax.jit
        def cosine(x):
            return jax.numpy.cos(x)

        sine(1.0), cosine(1.0)
        """,
    )
    for name, shown in (("sine", "sin"), ("cosine", "cos")):
        folder.recorded(script, "--svg", f"{name}.svg", "--function", name)
        text = set(ET.parse(folder.path / f"{name}.svg").getroot().itertext())
        assert {"sin", "cos"} & text == {shown}


def test_the_picture_shows_what_xla_made_of_it(folder: Folder) -> None:
    script = folder.write("jitted.py", JITTED)
    done = folder.recorded(script, "--svg", "step.svg", "--overlay", "xla", "--session", "session.json")
    assert (done.stdout, done.stderr, done.returncode) == ("6.0\n", "", 0)
    text = "".join(ET.parse(folder.path / "step.svg").getroot().itertext())
    assert re.search(r"XLA: \d+ equations? → \d+ kernel", text)
    (program,) = (one for one in folder.document()["programs"] if one["kernels"])
    assert {frame["file"] for frame in program["frames"]} >= {"jitted.py"}


def test_a_first_trace_is_compared_with_nothing(folder: Folder) -> None:
    done = folder.recorded(folder.write("jitted.py", JITTED), "--svg", "step.svg", "--overlay", "changes")
    assert (done.stdout, done.returncode) == ("6.0\n", 0)
    assert "nothing to compare" in done.stderr
    assert not (folder.path / "step.svg").exists()


NESTED = """
    import jax

    @jax.jit
    def inner(x):
        return jax.numpy.sin(x) + jax.numpy.cos(x)

    @jax.jit
    def outer(x):
        return inner(x) * 2

    outer(1.0)
"""


def test_the_picture_is_open_as_deep_as_asked_and_its_source_is_too(folder: Folder) -> None:
    script = folder.write("nested.py", NESTED)
    for option, is_open in (("--depth=0", False), ("--depth=1", True), ("--all", True)):
        folder.recorded(script, "--function", "outer", "--svg", "x.svg", "--dot", "x.gv", option)
        text = "".join(ET.parse(folder.path / "x.svg").getroot().itertext())
        source = (folder.path / "x.gv").read_text(encoding="utf-8")
        assert ('label="cos' in source, "subgraph" in source) == (is_open, is_open)
        assert ("▸ inner" in text) != is_open


def test_a_picture_that_nobody_could_read_is_refused_in_one_sentence(folder: Folder) -> None:
    script = folder.write(
        "bomb.py",
        """
        import jax

        f = jax.jit(lambda x: jax.numpy.sin(x))
        for _ in range(30):
            f = jax.jit(lambda x, f=f: f(f(x)))

        @jax.jit
        def top(x):
            return f(x)

        top.trace(1.0)
        """,
    )
    done = folder.recorded(script, "--svg", "x.svg", "--function", "top", "--all")
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert "more than 5,000 boxes" in done.stderr
    assert not (folder.path / "x.svg").exists()


def test_no_picture_is_drawn_of_a_function_that_is_not_there_and_one_sentence_says_so(folder: Folder) -> None:
    script = folder.write("jitted.py", JITTED)
    done = folder.recorded(script, "--svg", "x.svg", "--function", "missing")
    assert (done.stdout, done.returncode) == ("6.0\n", 0)
    assert done.stderr == "jax-trace-viz: x.svg is not written: No function named missing was traced; step was.\n"
    assert not (folder.path / "x.svg").exists()


def test_no_picture_is_drawn_where_nothing_was_traced_and_one_sentence_says_so(folder: Folder) -> None:
    done = folder.recorded(folder.write("plain.py", "print('out')\n"), "--svg", "x.svg")
    assert (done.stdout, done.returncode) == ("out\n", 0)
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_was_there_is_replaced_as_a_whole(folder: Folder) -> None:
    (folder.path / "session.json").write_text("x" * 1_000_000, encoding="utf-8")
    folder.recorded(folder.write("plain.py", "print('out')\n"), "--session", "session.json")
    assert folder.document()["outcome"]["status"] == "ok"


def test_the_installed_command_is_the_same(folder: Folder) -> None:
    command = f"{sysconfig.get_path('scripts')}/jax-trace-viz"
    script = folder.write("hello.py", "print('out')\n")
    try:
        done = subprocess.run([command, "run", script], cwd=folder.path, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("the package is not installed, only importable")
    assert (done.stdout, done.returncode) == ("out\n", 0)


def test_all_files_are_written_at_once(folder: Folder) -> None:
    names = ("session.json", "graph.svg", "page.html", "timeline.json")
    options = zip(("--session", "--svg", "--html", "--chrome-trace"), names, strict=True)
    folder.recorded(folder.write("jitted.py", JITTED), *(word for option in options for word in option))
    texts = [(folder.path / name).read_text(encoding="utf-8") for name in names]
    assert all("step" in text for text in texts)
    assert "<script" not in texts[2]
    assert {event["cat"] for event in json.loads(texts[3])["traceEvents"] if event["ph"] == "X"} >= {"trace", "compile"}


def test_what_threads_trace_after_the_script_has_ended_is_in_the_document(folder: Folder) -> None:
    script = folder.write(
        "threads.py",
        """
        import threading
        import time
        from concurrent.futures import ThreadPoolExecutor

        import jax

        @jax.jit
        def late(x):
            return x + 1

        one_line = threading.Lock()

        def work(value):
            time.sleep(0.5)
            with one_line:
                print(late(value))

        threading.Thread(target=work, args=(1.0,)).start()
        pool = ThreadPoolExecutor()
        pool.submit(work, 2)
        """,
    )
    plain, recorded = folder.plain(script), folder.recorded(script, "--session", "session.json")
    assert sorted(recorded.stdout.split()) == sorted(plain.stdout.split()) == ["2.0", "3"]
    assert (recorded.stderr, recorded.returncode) == (plain.stderr, plain.returncode) == ("", 0)
    (late,) = [function for function in folder.document()["functions"] if function["name"] == "late"]
    assert late["traces"] == 2


@pytest.mark.parametrize(("least", "write"), [(0, "written"), (1000, "too_fast")])
def test_a_miss_of_the_persistent_cache_says_whether_the_program_was_written(
    folder: Folder, least: int, write: str
) -> None:
    script = folder.write(
        "cached.py",
        f"""
        import jax

        jax.config.update("jax_compilation_cache_dir", "cache")
        jax.config.update("jax_persistent_cache_min_compile_time_secs", {least})
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)

        @jax.jit
        def step(x):
            return x * 2

        step(1.0)
        """,
    )
    states: list[tuple[str, str]] = []
    for _ in range(2):
        folder.recorded(script, "--session", "session.json")
        document = folder.document()
        (step,) = [function["id"] for function in document["functions"] if function["name"] == "step"]
        (one,) = [each for each in document["compilations"] if each["function"] == step]
        states.append((one["persistent_cache"], one["cache_write"]))
    again = ("hit", "none") if write == "written" else ("miss", write)
    assert states == [("miss", write), again]
