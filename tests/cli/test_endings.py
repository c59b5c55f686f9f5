"""However a script ends, whatever it has turned round in Python: it ends as without us, and its files are written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import JITTED
from tests.cli.test_run import same

if TYPE_CHECKING:
    from tests.cli.conftest import Folder

HOOK = """
    import sys

    def hook(kind, error, traceback):
        {does}

    sys.excepthook = {hook}
    raise {error}("wrong")
"""


@pytest.mark.parametrize(
    ("hook", "does", "error"),
    [
        ("hook", "raise KeyError('in the hook')", "ValueError"),
        ("hook", "raise SystemExit(5)", "ValueError"),
        ("hook", "sys.exit('in words')", "KeyboardInterrupt"),
        ("hook", "print('told')", "KeyboardInterrupt"),
        ("None", "pass", "ValueError"),
    ],
)
def test_a_hook_of_the_script_may_do_anything(folder: Folder, hook: str, does: str, error: str) -> None:
    script = folder.write("failing.py", HOOK.format(hook=hook, does=does, error=error))
    plain = folder.plain(script)
    recorded = folder.recorded(script, "--session", "session.json")
    assert (recorded.returncode, recorded.stdout, recorded.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert folder.document()["outcome"]["type"] == error


def test_an_exit_that_cannot_say_why_is_one_all_the_same(folder: Folder) -> None:
    script = folder.write(
        "leaving.py",
        """
        import sys

        class Mute:
            def __str__(self):
                raise ValueError("mute")

        sys.exit(Mute())
        """,
    )
    done = folder.recorded(script, "--session", "session.json")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "\n")
    assert folder.document()["outcome"]["type"] == "SystemExit"


def test_a_script_that_turns_paths_round_is_written_where_it_was_started(folder: Folder) -> None:
    turning = """
    import os
    import sys

    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    sys.path.clear()
    sys.argv.clear()
    """
    done = folder.recorded(folder.write("turning.py", JITTED + turning), "--session", "session.json", "--svg", "a.svg")
    assert (done.returncode, done.stdout, done.stderr) == (0, "6.0\n", "")
    assert [(f["name"], f["traces"]) for f in folder.document()["functions"]] == [("step", 1)]
    assert (folder.path / "a.svg").exists()


@pytest.mark.parametrize("safe", ["", "1"])
def test_the_path_of_the_script_is_as_pythons_settings_say(folder: Folder, safe: str) -> None:
    folder.write("scripts/beside.py", "print('beside')\n")
    script = folder.write("scripts/main.py", "import sys\nprint(sys.path)\nimport beside\n")
    plain, recorded = (
        run(script, env=os.environ | {"PYTHONSAFEPATH": safe}) for run in (folder.plain, folder.recorded)
    )
    assert (recorded.returncode, recorded.stdout, recorded.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert recorded.returncode == bool(safe)


def test_an_interrupted_script_ends_by_the_signal_once_it_has_cleaned_up(folder: Folder) -> None:
    script = folder.write("interrupted.py", "import atexit\natexit.register(print, 'bye')\nraise KeyboardInterrupt\n")
    assert same(folder, script).stdout == "bye\n"
