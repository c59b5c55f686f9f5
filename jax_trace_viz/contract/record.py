"""What all records of the session document share."""

from __future__ import annotations

from typing import Literal

import msgspec

Origin = Literal["user", "library"]


class Record(msgspec.Struct, kw_only=True, frozen=True):
    """Base of all records: immutable, so that one may be read on any thread."""
