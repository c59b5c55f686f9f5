"""The lines of source files, where they can be read."""

from __future__ import annotations

import linecache


def file_lines(file: str) -> list[str]:
    """The lines of a source file; none where they cannot be read.

    A loader's `get_source` is somebody's code, and not every name that code has can be one of a file.

    Args:
        file: `co_filename` of a code object.
    """
    try:
        return linecache.getlines(file)
    except Exception:  # noqa: BLE001
        return []
