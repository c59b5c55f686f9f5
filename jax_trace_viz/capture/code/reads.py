"""What a function reads from outside, found in its bytecode: `w`, `cfg['lr']`, `self.scale`.

Only reads that surely happened count: those on lines that ran, with no jump before them on the same line; where not
all lines that ran are known (before Python 3.12), also those before the first jump. What the function itself changes
does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from jax_trace_viz.capture.code.bytecode import (
    ATTRIBUTES,
    GLOBALS,
    LOCALS,
    call_length,
    caller,
    constant,
    following,
    instructions_of,
    is_item,
    lookup_length,
    may_jump,
    variable,
    with_number,
)

if TYPE_CHECKING:
    import dis
    from types import CodeType

Root = Literal["global", "closure", "parameter"]
Step = tuple[Literal["attribute", "item", "key", "get", "getenv", "len"], str | int]
"""`.scale`, `['lr']`, `[name]` by a variable, `.get('lr')`, `.getenv('LR')`, `len(…)`."""

_ROOTS: dict[str, Root] = {**dict.fromkeys(GLOBALS, "global"), "LOAD_DEREF": "closure"}
_WRITES = ("STORE_GLOBAL", "STORE_DEREF", "DELETE_GLOBAL", "DELETE_DEREF")
_MUTATING = {
    "add", "append", "clear", "discard", "extend", "insert",
    "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip
"""Methods of containers whose caller is a writer, not a reader."""

_VIEWS = {"items", "values"}
"""Methods of dicts that give all that is in them."""
_LIKE = {"zeros_like", "ones_like", "full_like", "empty_like", "shape", "ndim", "size", "isinstance", "type"}
"""Functions that take no more of an array than its shape and type."""
_WHOLE = {"all", "any", "array", "asarray", "list", "max", "min", "reversed", "sorted", "stack", "sum", "tuple"}
"""Builtins, and functions that make an array, which read all of the container they are given."""
_METHODS = {
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumprod", "cumsum", "dot", "item", "max",
    "mean", "min", "prod", "ravel", "reshape", "round", "std", "sum", "take", "tolist", "transpose", "var",
}  # fmt: skip
"""Methods of arrays that read elements."""
_NOTES = {"append", "appendleft", "debug", "extend", "info", "insert", "named_scope", "print", "warning", "write"}
"""Whoever calls these on a line may only write down what is read there."""


class Read(NamedTuple):
    """One place outside of a function that it reads."""

    root: Root
    name: str
    """The variable."""
    steps: tuple[Step, ...]
    """What is read of it, outermost first."""
    line: int
    first: bool
    """No jump comes before it in the function."""
    alone: bool
    """No jump comes before it on its line."""
    whole: bool
    """All items of what is read are read too: by a loop, or by a builtin such as `sum`."""
    shape_only: bool = False
    """Of an array no more than its shape and type is read."""
    given_to: tuple[str, ...] = ()
    """The functions whose first argument it is, as they stand in the source: `np.sqrt`."""
    computed: bool = False
    """If it is an array of NumPy's, Python computes with its elements: by a method, or together with a literal."""

    @property
    def text(self) -> str:
        """As it stands in the source."""
        text = self.name
        for kind, key in self.steps:
            match kind:
                case "attribute":
                    text += f".{key}"
                case "item":
                    text += f"[{key!r}]"
                case "key":
                    text += f"[{key}]"
                case "get" | "getenv":
                    text += f".{kind}({key!r})"
                case "len":
                    text = f"len({text})"
        return text


class Reads(NamedTuple):
    """All that a function reads from outside."""

    places: tuple[Read, ...]
    writes_parts: bool
    """It assigns to items of something: then a container that it reads may be one that it fills."""


def asks_for_lines(code: CodeType) -> bool:
    """Whether it takes the lines that ran to tell whether a read happened."""
    return any(not read.first for read in reads_of(code).places)


_known: dict[int, tuple[CodeType, Reads]] = {}


def reads_of(code: CodeType) -> Reads:
    """What the function with this code reads from outside. Functions defined inside it are not looked into."""
    known = _known.get(id(code))
    if known is None:
        known = _known[id(code)] = (code, _find(code))
    return known[1]


def _find(code: CodeType) -> Reads:
    instructions = list(instructions_of(code))
    parameters = set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    rebound = {i.argval for i in instructions if i.opname == "STORE_FAST"}
    written = {i.argval for i in instructions if i.opname in _WRITES}
    noted = _noted(instructions, code.co_firstlineno)
    finder = _Finder(instructions, frozenset(code.co_varnames) - (parameters - rebound) | written)
    found: dict[tuple[str, tuple[Step, ...]], Read] = {}
    jumped, jumped_on, line = False, 0, code.co_firstlineno
    for place, instruction in enumerate(instructions):
        if instruction.positions is not None and instruction.positions.lineno:
            line = instruction.positions.lineno
        if may_jump(instruction):
            jumped, jumped_on = True, line
        root = _root(instruction, code, parameters - rebound)
        if root is None or instruction.argval in written or line in noted:
            continue
        read = finder.read(place, root, line)
        if read is not None:
            first = read._replace(first=not jumped, alone=jumped_on != line)
            found[read.name, read.steps] = _merged(found.get((read.name, read.steps), first), read)
    parts = any(i.opname in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE") for i in instructions)
    return Reads(tuple(found.values()), parts)


def _merged(first: Read, again: Read) -> Read:
    """One place that is read several times."""
    return first._replace(
        shape_only=first.shape_only and again.shape_only,
        given_to=tuple(dict.fromkeys((*first.given_to, *again.given_to))),
        computed=first.computed or again.computed,
    )


def _noted(instructions: list[dis.Instruction], line: int) -> set[int]:
    """Lines that may only write down what they read: to a list, a log, the screen, a scope's name."""
    lines: set[int] = set()
    for instruction in instructions:
        if instruction.positions is not None and instruction.positions.lineno:
            line = instruction.positions.lineno
        if instruction.opname in (*ATTRIBUTES, *GLOBALS) and instruction.argval in _NOTES:
            lines.add(line)
    return lines


def _root(instruction: dis.Instruction, code: CodeType, parameters: set[str]) -> Root | None:
    name = instruction.opname
    if name in LOCALS:
        return "parameter" if instruction.argval in parameters else None
    root = _ROOTS.get(name)
    return None if root == "closure" and instruction.argval not in code.co_freevars else root


class _Steps(NamedTuple):
    taken: tuple[Step, ...]
    end: int
    """Where the instructions after them begin."""
    method: bool = False
    """A method that reads an array's elements is called then."""


class _Finder:
    """Finds what is read of a variable that is loaded.

    Args:
        instructions: The function's.
        changing: Variables that may not be the same at the function's end as they are where they are read.
    """

    def __init__(self, instructions: list[dis.Instruction], changing: frozenset[str]) -> None:
        self._all = instructions
        self._changing = changing
        self._stored = {i.argval for i in instructions if i.opname == "STORE_ATTR"}

    def read(self, place: int, root: Root, line: int) -> Read | None:
        """The read that begins with the variable at a place; None where a container or an attribute is changed."""
        steps = self._steps(place)
        if steps is None or any(kind == "attribute" and key in self._stored for kind, key in steps.taken):
            return None
        by = caller(self._all, place)
        name = by.rpartition(".")[2]
        return Read(
            root,
            self._all[place].argval,
            steps.taken,
            line,
            first=False,
            alone=False,
            whole=self._whole(name, steps.end),
            shape_only=name in _LIKE,
            given_to=(by,) if by else (),
            computed=steps.method or with_number(self._all, place, steps.end),
        )

    def _whole(self, by: str, after: int) -> bool:
        then = following(self._all, after, 2)
        if not then or then[0].opname == "GET_ITER":
            return bool(then)
        return by in _WHOLE and then[0].opname == "CALL" and then[0].arg == 1

    def _steps(self, place: int) -> _Steps | None:
        """What is read of a variable, step by step; None where a container is changed."""
        steps: list[Step] = []
        here = place + 1
        while here < len(self._all):
            one = self._all[here]
            if one.opname in ATTRIBUTES and one.argval in _MUTATING:
                return None
            if one.opname in ATTRIBUTES and one.argval in _METHODS and self._calls(here):
                return _Steps(tuple(steps), here, method=True)
            if one.opname in ATTRIBUTES and one.argval in _VIEWS and (length := call_length(self._all, here + 1, 0)):
                return self._called(steps, place, here + 1 + length)  # what is in the dict
            step, length = self._step(here)
            if step is None:
                break
            steps.append(step)
            here += length
        return self._called(steps, place, here)

    def _calls(self, here: int) -> bool:
        """Whether the attribute that is loaded here is called as a method: Python loads those in a way of their own."""
        return self._all[here].opname == "LOAD_METHOD" or "NULL|self" in self._all[here].argrepr

    def _step(self, here: int) -> tuple[Step | None, int]:
        """One step, and how many instructions it takes."""
        one = self._all[here]
        if one.opname in ATTRIBUTES:
            # Of an imported name Python 3.13 does not load a method: it loads an attribute, and prepares the call.
            given = here + 2 if self._all[here + 1].opname == "PUSH_NULL" else here + 1
            key = constant(self._all, given)
            if one.argval in ("get", "getenv") and key is not None:
                length = lookup_length(self._all, given + 1)
                if length:
                    return (one.argval, key), given + 1 + length - here
            return ("attribute", one.argval), 1
        if not is_item(self._all, here + 1):
            return None, 0
        if (key := constant(self._all, here)) is not None:
            return ("item", key), 2
        name = variable(self._all, here)
        return (("key", name), 2) if name is not None and name not in self._changing else (None, 0)

    def _called(self, steps: list[Step], place: int, here: int) -> _Steps:
        """With what `getattr` and `len` read of it."""
        key, by = constant(self._all, here), caller(self._all, place)
        if by == "getattr" and isinstance(key, str) and (length := lookup_length(self._all, here + 1, given=2)):
            return _Steps((*steps, ("attribute", key)), here + 1 + length)
        if by == "len" and (length := call_length(self._all, here, 1)):
            return _Steps((*steps, ("len", 0)), here + length)
        return _Steps(tuple(steps), here)
