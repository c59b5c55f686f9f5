"""Replacing one attribute of JAX and putting the original back."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class MissingSeamError(Exception):
    """This JAX has no such hook point, or not in the form we know."""


class Patch:
    """One replaced attribute. The original comes back by identity, unless someone patched over ours meanwhile."""

    def __init__(
        self, owner: Any, name: str, replace: Callable[[Any], Any], *, parameters: tuple[str, ...] = ()
    ) -> None:
        """Prepares the patch.

        Args:
            owner: The module or class that holds the attribute.
            name: The attribute's name.
            replace: Makes the replacement from the original.
            parameters: The first parameter names the original must have.

        Raises:
            MissingSeamError: The attribute is absent or takes other parameters.
        """
        original = vars(owner).get(name)
        where = f"{getattr(owner, '__name__', owner)}.{name}"
        if not callable(original):
            raise MissingSeamError(f"{where} is missing")
        if parameters:
            names = tuple(inspect.signature(original).parameters)
            if names[: len(parameters)] != parameters:
                raise MissingSeamError(f"{where} takes {names}, not {parameters}")
        self._owner, self._name, self._original = owner, name, original
        self._ours = replace(original)
        _name_after_place(self._ours, owner, name)

    def install(self) -> None:
        """Puts the replacement in place."""
        setattr(self._owner, self._name, self._ours)

    def remove(self) -> bool:
        """Puts the original back; False if another tool patched over ours, which then stays and passes through."""
        if vars(self._owner).get(self._name) is not self._ours:
            return False
        setattr(self._owner, self._name, self._original)
        return True


def _name_after_place(ours: Any, owner: Any, name: str) -> None:
    """Lets pickle write ours by name, as it writes the original: it looks whether the name leads there.

    cloudpickle writes a jitted function with the functions of JAX's that it calls. What it cannot name it writes with
    all that it holds, and our locks cannot be written.
    """
    is_module = inspect.ismodule(owner)
    ours.__module__ = owner.__name__ if is_module else owner.__module__
    ours.__qualname__ = name if is_module else f"{owner.__qualname__}.{name}"


class PatchedEntry:
    """One replaced entry of a table of JAX's, put back by identity like a `Patch`."""

    def __init__(self, table: Any, key: Any, replace: Callable[[Any], Any]) -> None:
        self._table, self._key, self._original = table, key, table[key]
        self._ours = replace(self._original)

    def install(self) -> None:
        """Puts the replacement in place."""
        self._table[self._key] = self._ours

    def remove(self) -> bool:
        """Puts the original back, unless somebody replaced ours."""
        if self._table[self._key] is not self._ours:
            return False
        self._table[self._key] = self._original
        return True
