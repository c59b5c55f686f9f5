"""Entry point of the developer commands: `python tools/dev.py test` is the same as `make test`.

This file alone is written so that an interpreter of any age can read it, to say that it is too old.
"""

import os
import sys

MINIMUM = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")


def newer_on_path():
    """Name the newest suitable interpreter on PATH, or an example where none is there."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    for name in NEWER:
        for folder in folders:
            if os.access(os.path.join(folder, name), os.X_OK):
                return name
    return "python3.12"


def main():
    """Refuse an old interpreter in one sentence, else hand over to the commands."""
    if sys.version_info < MINIMUM:
        sys.exit(
            "jax-trace-viz needs Python %d.%d or newer and %s is %d.%d: choose another, as in `make test PYTHON=%s`."
            % (MINIMUM + (sys.executable,) + tuple(sys.version_info[:2]) + (newer_on_path(),))
        )
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from tools.cli import main as run  # only a supported interpreter can read the rest

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
