"""Functions as the document knows them: by their code, told once."""

from __future__ import annotations

import functools
import itertools
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.faults import when_gone
from jax_trace_viz.contract.events import FunctionSeen
from jax_trace_viz.file_lines import file_lines
from jax_trace_viz.origin import origin, owner_of

if TYPE_CHECKING:
    import weakref
    from collections.abc import Callable, Hashable, Iterator


_GENERATORS = 0x20 | 0x80 | 0x200
"""Code flags of generators, coroutines and asynchronous generators: their bodies do not run when they are called."""
_COMPREHENSIONS = {"<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "<module>"}
_OPTIMIZED = 0x1
_MAX_SOURCE_LINES = 400
_MAX_UNWRAP = 20


def is_user_function(code: CodeType) -> bool:
    """Whether this is the body of a function the user wrote (no module, class body, comprehension or generator)."""
    flags = code.co_flags
    return bool(
        flags & _OPTIMIZED
        and not flags & _GENERATORS
        and code.co_name not in _COMPREHENSIONS
        and owner_of(code) == "user"
    )


class UserFunctions:
    """`is_user_function` with a memory, by identity: hashing a code object hashes all its content."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[CodeType, bool]] = {}
        self.others: set[int] = set()
        """Identities of the code that was asked about and is none."""

    def __call__(self, code: CodeType) -> bool:
        """Whether this is the body of a function the user wrote."""
        known = self._known.get(id(code))
        if known is None:
            known = self._known[id(code)] = (code, is_user_function(code))
            if not known[1]:
                self.others.add(id(code))
        return known[1]


USER_FUNCTIONS = UserFunctions()
"""The one of this process: library code is many, and stays what it is."""


def unwrapped(fun: Any) -> Any:
    """The user's function behind partials, bound methods and the wrappers of JAX and libraries.

    A wrapper that the user wrote is a function of theirs: it is what runs first.
    """
    return list(layers(fun))[-1]


def layers(fun: Any) -> Iterator[Any]:
    """A callable and what it wraps, the outermost first, down to the user's function."""
    for _ in range(_MAX_UNWRAP):
        yield fun
        if isinstance(fun, functools.partial):
            fun = fun.func
        elif isinstance(fun, MethodType):
            fun = fun.__func__
        elif isinstance(code := getattr(fun, "__code__", None), CodeType) and origin(code.co_filename) == "user":
            return
        elif "__wrapped__" in (getattr(fun, "__dict__", None) or ()):
            fun = fun.__wrapped__
        else:
            return


def made_by(fun: Any) -> str:
    """What makes a new object of a function each time it is written; empty for the function itself."""
    if isinstance(fun, functools.partial):
        return "functools.partial"
    return "bound method" if isinstance(fun, MethodType) else ""


def code_of(fun: Any) -> CodeType | None:
    """The code a callable runs in the end, or None for builtins and objects whose class defines the call elsewhere."""
    fun = unwrapped(fun)
    code = getattr(fun, "__code__", None)
    if code is None and not isinstance(fun, type):
        code = getattr(vars(type(fun)).get("__call__"), "__code__", None)
    return code if isinstance(code, CodeType) else None


def end_line(code: CodeType) -> int:
    """The last line of a function's source, nested functions included."""
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    return max([last, *(end_line(c) for c in code.co_consts if isinstance(c, CodeType))])


def _source(code: CodeType) -> str | None:
    lines = file_lines(code.co_filename)[code.co_firstlineno - 1 : end_line(code)]
    return "".join(lines[:_MAX_SOURCE_LINES]) or None


def alias_of(fun: Any) -> str | None:
    """The name that a wrapper of the user's took over from what it wraps (`functools.wraps`)."""
    inner = unwrapped(fun)
    wraps = "__wrapped__" in (getattr(inner, "__dict__", None) or ())
    return str(inner.__name__) if wraps and isinstance(inner, FunctionType) else None


class FunctionNumbers:
    """Numbers of all functions this process has shown us. Code objects are small and are kept; callables are not.

    Used from any thread, without a lock: a handler of a signal may trace on a thread that is in here.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        # By identity: hashing a code object hashes all its content, which is too slow here.
        self._by_object: dict[tuple[int, str | None], tuple[CodeType, int, int]] = {}
        self._aliased: set[int] = set()
        """Identities of the code that goes by names which it took over."""
        self._versions: dict[int, itertools.count[int]] = {}
        self._by_name: dict[Hashable, int] = {}
        self._seen: dict[int, tuple[CodeType | None, str]] = {}

    def of_code(self, code: CodeType, alias: str | None = None) -> int:
        """The number of the function with this code: all objects made from the same `def` have the same.

        Args:
            code: What runs.
            alias: The name it took over, see `alias_of`; the functions one decorator wraps are told apart by it.
        """
        return self._known(code, alias)[1]

    def of_helper(self, code: CodeType) -> int | None:
        """The number of a function that staged equations; None where it goes by the names that it took over."""
        return None if id(code) in self._aliased else self.of_code(code)

    def version_of(self, code: CodeType, alias: str | None = None) -> int:
        """How many code objects this function has had up to this one.

        There is another one where its source was compiled again: a cell run again, a module reloaded. A `def` that
        runs again makes another function object of the same code.
        """
        return self._known(code, alias)[2]

    def _known(self, code: CodeType, alias: str | None) -> tuple[CodeType, int, int]:
        known = self._by_object.get((id(code), alias))
        if known is None:
            place = (code.co_filename, code.co_qualname, code.co_firstlineno, _first_column(code), alias)
            number = self._number(place, code, alias or code.co_name)
            version = next(self._versions.setdefault(number, itertools.count(1)))
            known = self._by_object.setdefault((id(code), alias), (code, number, version))
            if alias:
                self._aliased.add(id(code))
        return known

    def of_library(self, name: str) -> int:
        """The number of an operation that JAX compiles on its own, known by name only."""
        return self._number(name, None, name)

    def seen(self, number: int) -> FunctionSeen:
        """Describes a function by its number."""
        code, name = self._seen[number]
        if code is not None:
            return _seen(number, code, name)
        return FunctionSeen(
            function=number, name=name, qualname=name, file=None, line=None, end_line=None, origin="library"
        )

    def _number(self, key: Hashable, code: CodeType | None, name: str) -> int:
        number = self._by_name.get(key) or self._by_name.setdefault(key, next(self._numbers))
        self._seen[number] = (code, name)  # the newest code: its source is what stands there now
        return number


def _first_column(code: CodeType) -> int | None:
    """Where the first expression starts: tells two lambdas of one line apart."""
    return next((start for _, _, start, end in code.co_positions() if start is not None and end != start), None)


def _seen(number: int, code: CodeType, name: str) -> FunctionSeen:
    return FunctionSeen(
        function=number,
        name=name,
        qualname=code.co_qualname,
        file=code.co_filename,
        line=code.co_firstlineno,
        end_line=end_line(code),
        origin="user",
        source=_source(code),
    )


class ObjectNumbers:
    """Numbers objects by identity without keeping them alive and without calling their `__hash__` or `__eq__`.

    Used from any thread, without a lock, as `FunctionNumbers`.

    Args:
        ended: Is told the number of each object that is gone, on whichever thread lets go of it.
    """

    def __init__(self, ended: Callable[[int], None]) -> None:
        self._ended = ended
        self._known: dict[int, tuple[weakref.ref[Any] | None, int]] = {}
        self._numbers = itertools.count(1)

    def of(self, thing: Any) -> int:
        """The number of `thing`; a new object at the address of a dead one gets a new number.

        Objects that allow no weak reference are told apart by their address alone.
        """
        address = id(thing)
        known = self._known.get(address)
        if known is not None and (known[0] is None or known[0]() is thing):
            return known[1]
        if known is not None:
            self._known.pop(address, None)
        number = next(self._numbers)
        # Who comes second, meanwhile, hears the number that the first has given.
        return self._known.setdefault(address, (self._reference(thing, number), number))[1]

    def _reference(self, thing: Any, number: int) -> weakref.ref[Any] | None:
        address, known, ended = id(thing), self._known, self._ended

        def forget() -> None:
            known.pop(address, None)
            ended(number)

        try:
            return when_gone(thing, forget)
        except TypeError:
            return None
