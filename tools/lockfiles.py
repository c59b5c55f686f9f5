"""Lock files name packages and versions, never where they were fetched from."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tools.project import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LOCK_FILES = (ROOT / "yarn.lock", ROOT / "ui-tests" / "yarn.lock")
_ADDRESS = re.compile(r"__archive\w+|[a-z+]+://")
"""What Yarn adds to a resolution that is bound to an archive's address, and addresses as such."""


def addresses(lock_file: Path) -> list[str]:
    """List the lines that hold an address, as `file:line: text`."""
    lines = enumerate(lock_file.read_text().splitlines(), start=1)
    return [f"{lock_file.name}:{number}: {line.strip()}" for number, line in lines if _ADDRESS.search(line)]


def main(lock_files: tuple[Path, ...] = LOCK_FILES) -> int:
    """Print each address and fail when there is one."""
    found = [line for lock_file in lock_files for line in addresses(lock_file)]
    print("\n".join(found) or "no address")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
