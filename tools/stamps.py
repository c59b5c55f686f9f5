"""Doing a step again only when what goes into it has changed.

A step's key is a hash of the contents of its inputs, so neither a fresh clone's dates nor a switched
branch make it stale or, worse, fresh.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.process import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def content_hash(root: Path, patterns: Iterable[str], ignored_suffixes: tuple[str, ...] = ()) -> str:
    """Hash the names and contents of the files under `root` that match one of the glob `patterns`."""
    files = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    total = hashlib.sha256()
    for path in sorted(files):
        if not path.name.endswith(ignored_suffixes):
            total.update(f"{path.relative_to(root).as_posix()}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


@dataclass(frozen=True)
class Step:
    """One piece of set-up.

    Attributes:
        stamp: The file that remembers the key of the last success.
        key: What the result depends on.
        outputs: What must exist for the result to stand.
        title: What is said before the step runs.
        action: The work itself; it raises when it fails.
    """

    stamp: Path
    key: str
    outputs: tuple[Path, ...]
    title: str
    action: Callable[[], None]

    def is_fresh(self) -> bool:
        """Tell whether the result of an earlier run still stands."""
        return self.stamp.is_file() and self.stamp.read_text() == self.key and all(out.exists() for out in self.outputs)

    def ensure(self) -> bool:
        """Run the step unless its result stands; return whether it ran."""
        if self.is_fresh():
            return False
        # A run that dies half-way must not leave an older success behind.
        self.stamp.unlink(missing_ok=True)
        say(self.title)
        self.action()
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(self.key)
        return True
