"""What all records of the session document share."""

from __future__ import annotations

from typing import Literal

import msgspec

Origin = Literal["user", "library"]


class Record(msgspec.Struct, kw_only=True, frozen=True, gc=False):
    """Base of all records: immutable, so that one may be read on any thread.

    None is part of a cycle, and there are many: the garbage collector need not look at them.
    """
