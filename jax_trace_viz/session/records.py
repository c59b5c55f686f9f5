"""Records by id that remember when each of them changed last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from jax_trace_viz.contract.record import Record

if TYPE_CHECKING:
    from collections.abc import Hashable

RecordT = TypeVar("RecordT", bound=Record)


class Records(Generic[RecordT]):
    """Immutable records in order of appearance; a changed record takes its old one's place.

    `version` counts the changes of a whole session: whoever read at version n asks `since(n)` for what is new.
    """

    def __init__(self) -> None:
        self._records: dict[Hashable, RecordT] = {}
        # Changed last comes last, so that what is new is found without looking at the rest.
        self._changed: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._records)

    def put(self, key: Hashable, record: RecordT, version: int) -> None:
        """Add a record or replace the one of the same key."""
        self._records[key] = record
        self._changed.pop(key, None)
        self._changed[key] = version

    def remove(self, key: Hashable) -> None:
        """Let go of a record, if it is there."""
        self._records.pop(key, None)
        self._changed.pop(key, None)

    def __getitem__(self, key: Hashable) -> RecordT:
        return self._records[key]

    def get(self, key: Hashable) -> RecordT | None:
        """The record of this key, if there is one: its event may have been dropped."""
        return self._records.get(key)

    def all(self) -> list[RecordT]:
        """Every record, in order of appearance."""
        return list(self._records.values())

    def since(self, version: int) -> list[RecordT]:
        """The records that changed after this version, the longest unchanged first."""
        fresh: list[RecordT] = []
        for key, changed in reversed(self._changed.items()):
            if changed <= version:
                break
            fresh.append(self._records[key])
        return fresh[::-1]
