"""Optimised HLO as XLA prints it, taken apart: computations, their instructions, and the frames these came from.

The form of 2024 to 2026 is read. What does not look like it is passed over, so that an unknown word costs an
instruction and not the program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from jax_trace_viz.contract.program import HloFrame

_COMPUTATION = re.compile(r"(ENTRY )?%?([\w.\-]+) .*\{$")
_INSTRUCTION = re.compile(r"\s+(?:ROOT )?%?([\w.\-]+) = (.*)")
_OPCODE = re.compile(r" *([a-z][\w\-]*)\(")
_CALLED = re.compile(
    r"\b(calls|body|condition|to_apply|true_computation|false_computation|branch_computations|called_computations)="
    r"(\{[^}]*\}|%?[\w.\-]+)"
)
_NAME = re.compile(r"%([\w.\-]+)")
_OP_NAME = re.compile(r'\bop_name="((?:[^"\\]|\\.)*)"')
_FILE = re.compile(r'\bsource_file="((?:[^"\\]|\\.)*)" source_line=(\d+)(?: source_end_line=(\d+))?')
_FRAME_ID = re.compile(r"\bstack_frame_id=(\d+)")
_ATTRIBUTE = re.compile(r'\b(kind|custom_call_target)="?([\w$.\-]+)')
_ROW = re.compile(r"(\d+) (.*)")
_FIELD = re.compile(r"(\w+)=(\d+)")
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_WHITE = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}
_ARRAY = re.compile(r"\b(pred|token|[a-z]+(\d+)\w*)\[([\d,<=\s]*)\]")
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")


@dataclass(slots=True)
class Instruction:
    """One instruction."""

    name: str
    opcode: str
    bytes: int
    """Of its result."""
    operands: list[str]
    called: dict[str, list[str]]
    """Attribute (`calls`, `body`) → names of computations."""
    detail: str
    op_name: str
    frame: int | None


@dataclass(slots=True)
class Module:
    """A program."""

    entry: str = ""
    computations: dict[str, list[Instruction]] = field(default_factory=dict[str, list[Instruction]])
    frames: list[HloFrame] = field(default_factory=list[HloFrame])


def parse(text: str) -> Module:
    """Takes a module's text apart."""
    module = Module()
    tables: dict[str, list[str]] = {}
    rows: list[str] | None = None
    body: list[Instruction] | None = None
    frames = _Frames(module.frames)
    for line in text.splitlines():
        if body is not None:
            if line.startswith("}"):
                body = None
            elif (instruction := _instruction(line, frames)) is not None:
                body.append(instruction)
        elif line in _TABLES:
            rows = tables[line] = []
        elif rows is not None and line[:1].isdigit():
            rows.append(line)
        elif found := _COMPUTATION.match(line):
            frames.read(tables)
            rows, body = None, module.computations.setdefault(found[2], [])
            module.entry = found[2] if found[1] else module.entry
    return module


class _Frames:
    """The frames of a module: told in tables (JAX 0.8 and newer), or by file and line at every instruction."""

    def __init__(self, frames: list[HloFrame]) -> None:
        self._frames = frames
        self._places: dict[int, int] = {}
        self._lines: dict[tuple[str, ...], int] = {}
        self._read = False

    def read(self, tables: dict[str, list[str]]) -> None:
        """Takes in the tables, once they are complete."""
        if self._read or "StackFrames" not in tables:
            return
        self._read = True
        files = {int(found[1]): _text(found[2].strip('"')) for found in _rows(tables, "FileNames")}
        locations = {int(found[1]): _fields(found[2]) for found in _rows(tables, "FileLocations")}
        frames = {int(found[1]): _fields(found[2]) for found in _rows(tables, "StackFrames")}
        # No frame is its own parent: where it seems so, parents are counted from 1, which then means none.
        shift = int(any(one.get("parent_frame_id") == number for number, one in frames.items()))
        self._places = {number: place for place, number in enumerate(frames)}
        for one in frames.values():
            where = locations.get(one.get("file_location_id", 0), {})
            self._frames.append(
                HloFrame(
                    file=files.get(where.get("file_name_id", 0), ""),
                    line=where.get("line", 0),
                    end_line=where.get("end_line", 0) or where.get("line", 0),
                    column=where.get("column", 0),
                    end_column=where.get("end_column", 0),
                    parent=self._places.get(one.get("parent_frame_id", 0) - shift),
                )
            )

    def of(self, metadata: str) -> int | None:
        """The frame that an instruction names."""
        if found := _FRAME_ID.search(metadata):
            return self._places.get(int(found[1]))
        found = _FILE.search(metadata)
        if found is None:
            return None
        key = found.groups(default="")
        place = self._lines.get(key)
        if place is None:
            place = self._lines[key] = len(self._frames)
            line = int(found[2])
            self._frames.append(HloFrame(file=_text(found[1]), line=line, end_line=int(found[3] or line)))
        return place


def _instruction(line: str, frames: _Frames) -> Instruction | None:
    found = _INSTRUCTION.match(line)
    if found is None:
        return None
    name, rest = found.groups()
    end = _end_of_type(rest)
    opcode = _OPCODE.match(rest, end)
    if opcode is None:
        return None
    stop = _closing(rest, opcode.end() - 1)
    attributes, _, metadata = rest[stop:].partition("metadata={")
    named = _OP_NAME.search(metadata)
    details = dict(_ATTRIBUTE.findall(rest[stop:]))
    return Instruction(
        name=name,
        opcode=opcode[1],
        bytes=_bytes(rest[:end]),
        operands=_NAME.findall(rest[opcode.end() : stop]),
        called={what: _NAME.findall(names) or [names] for what, names in _CALLED.findall(attributes)},
        detail=details.get("custom_call_target") or details.get("kind", "").removeprefix("k"),
        op_name=_text(named[1]) if named else "",
        frame=frames.of(metadata),
    )


def _end_of_type(text: str) -> int:
    """Where an instruction's type ends: `f32[8,8]{1,0}` or `(f32[8], s32[])`."""
    if text.startswith("("):
        return _closing(text, 0)
    space = text.find(" ")
    return len(text) if space < 0 else space


def _closing(text: str, start: int) -> int:
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place + 1
    return len(text)


def _bytes(type_: str) -> int:
    return sum(_array_bytes(found[1], found[2], found[3]) for found in _ARRAY.finditer(type_))


def _array_bytes(element: str, bits: str | None, sizes: str) -> int:
    if element == "token":
        return 0
    count = 1
    for size in filter(None, sizes.replace("<=", "").split(",")):
        count *= int(size)
    return (count * (int(bits) if bits else 8) + 7) // 8


def _rows(tables: dict[str, list[str]], name: str) -> list[re.Match[str]]:
    return [found for row in tables.get(name, []) if (found := _ROW.match(row))]


def _fields(text: str) -> dict[str, int]:
    return {name: int(value) for name, value in _FIELD.findall(text)}


def _text(escaped: str) -> str:
    """Text without the escapes of C strings, in which XLA prints it."""
    if "\\" not in escaped:
        return escaped
    plain = _ESCAPED.sub(_unescape, escaped.encode())
    return plain.decode(errors="replace")


def _unescape(found: re.Match[bytes]) -> bytes:
    what = found[1]
    return bytes([int(what, 8) & 255]) if len(what) == 3 else _WHITE.get(what, what)
