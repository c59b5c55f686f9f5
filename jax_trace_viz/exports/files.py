"""Text files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Writes a file in UTF-8; where that fails, on a full disk for one, what stood there before still does.

    Pipes, devices and files in a folder that takes no new ones are written in place.

    Raises:
        OSError: The file cannot be written.
    """
    target = path.resolve()
    if (target.exists() and not target.is_file()) or not os.access(target.parent, os.W_OK):
        target.write_text(text, encoding="utf-8")
        return
    beside = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
