"""Leaves the user's home folder, and so the user's name, out of what is shown to others: `~/project/train.py`."""

from __future__ import annotations

import functools
import json
import os
import re


def without_home(text: str) -> str:
    """A text with `~` for the home folder, also where it stands escaped in JSON."""
    home = os.path.expanduser("~")  # noqa: PTH111  (text, which may be no path of this system)
    return _pattern(home).sub("~", text) if len(home) > 1 else text


@functools.lru_cache(maxsize=4)
def _pattern(home: str) -> re.Pattern[str]:
    forms = {home, json.dumps(home)[1:-1], json.dumps(home, ensure_ascii=False)[1:-1]}
    # What stands before it is looked at last: so a search can leap from one place where it begins to the next.
    return re.compile("|".join(rf"{form}(?<![\w/.~-]{form})(?![\w.-])" for form in map(re.escape, sorted(forms))))
