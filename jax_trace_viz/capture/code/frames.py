"""The call frames that staged equations, interned: each distinct frame is told once and named by its number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jax_trace_viz.contract.jaxpr import Frame
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from types import CodeType

Span = tuple[int, int, int, int]
"""Line, end line, column, end column; columns count UTF-8 bytes from 0, as in `ast`."""


_UNKNOWN = -1


class Start(NamedTuple):
    """Where a traced function begins: frames further out did not stage its equations, they only caused the trace."""

    file: str
    line: int


class FrameTable:
    """Numbers for call chains, outermost first, without the frames of JAX and of this package.

    Code objects are kept, since their identity is the key; they hold no values of the user's program.
    """

    def __init__(self) -> None:
        self._frames: list[Frame] = []
        self._told = 0
        self._numbers: dict[tuple[int | None, int, int], int] = {}
        self._codes: dict[int, CodeType] = {}
        self._fresh: list[CodeType] = []
        self._chains: dict[Start | None, dict[Any, int | None]] = {}
        self._positions: dict[int, list[Span]] = {}

    def chains(self, start: Start | None) -> dict[Any, int | None]:
        """The numbers known so far by traceback, for functions that begin at `start`."""
        return self._chains.setdefault(start, {})

    def number(self, traceback: Any, start: Start | None) -> int | None:
        """Number of the innermost frame of a traceback of JAX, or None if all of it is JAX's own.

        Args:
            traceback: `eqn.source_info.traceback`. Tracebacks compare by their frames.
            start: The traced function; older JAX records what lies outside it too, which is left out.
        """
        chains = self.chains(start)
        known = chains.get(traceback, _UNKNOWN)
        if known != _UNKNOWN:
            return known
        codes, instructions = traceback.raw_frames()
        number: int | None = None
        for code, instruction in self._inside(list(zip(codes, instructions, strict=True))[::-1], start):
            number = self._intern(code, instruction, number)
        chains[traceback] = number
        return number

    def take_new(self) -> tuple[list[Frame], int]:
        """The frames not told before, and the number of the first of them."""
        first, self._told = self._told, len(self._frames)
        self._positions.clear()
        return self._frames[first:], first

    def take_codes(self) -> list[CodeType]:
        """The code that new frames ran since the last look, each once."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def _inside(self, chain: list[tuple[CodeType, int]], start: Start | None) -> list[tuple[CodeType, int]]:
        """Cuts a chain, outermost first, at the traced function and drops library frames outside all user code."""
        if start is not None:
            for place, (code, _) in enumerate(chain):
                if code.co_firstlineno == start.line and code.co_filename == start.file:
                    chain = chain[place:]
                    break
        kept = [(code, at) for code, at in chain if origin(code.co_filename) in ("user", "library")]
        first = next((place for place, (code, _) in enumerate(kept) if origin(code.co_filename) == "user"), 0)
        return kept[first:]

    def _intern(self, code: CodeType, instruction: int, parent: int | None) -> int:
        key = (parent, id(code), instruction)
        number = self._numbers.get(key)
        if number is None:
            frame = self._frame(code, instruction, parent)  # first: where that fails, no other has its number
            if id(code) not in self._codes:
                self._codes[id(code)] = code
                self._fresh.append(code)
            number = self._numbers[key] = len(self._frames)
            self._frames.append(frame)
        return number

    def _frame(self, code: CodeType, instruction: int, parent: int | None) -> Frame:
        line, end_line, column, end_column = self._span(code, instruction)
        return Frame(
            file=code.co_filename,
            function=code.co_qualname,
            line=line,
            end_line=end_line,
            column=column,
            end_column=end_column,
            parent=parent,
            origin="user" if origin(code.co_filename) == "user" else "library",
        )

    def _span(self, code: CodeType, instruction: int) -> Span:
        """The exact expression; columns are 0 where the interpreter keeps none (`-X no_debug_ranges`)."""
        positions = self._positions.get(id(code))
        if positions is None:
            positions = self._positions[id(code)] = [
                (line or code.co_firstlineno, end or line or code.co_firstlineno, column or 0, end_column or 0)
                for line, end, column, end_column in code.co_positions()
            ]
        place = instruction // 2  # JAX counts bytes, Python's table has an entry per two of them
        if 0 <= place < len(positions):
            return positions[place]
        return code.co_firstlineno, code.co_firstlineno, 0, 0
