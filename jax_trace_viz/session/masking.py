"""Hides what looks like a secret, before anything keeps it: whatever is made of the session cannot show it.

Two signs: a text under a telling name (`password`, `api_key`), and a text in the form of a key (`ghp_…`, `Bearer …`, a
long random one). Numbers are never hidden: a size called `num_tokens` is what a reason is about.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec.structs import fields, replace

from jax_trace_viz.contract.document import Argument, OutsideValue
from jax_trace_viz.contract.events import JaxprSeen, Mark, StaleSeen
from jax_trace_viz.contract.key import StaticValue

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation

MASKED = "[masked]"
ANOTHER = "[masked, another one]"

_WORDS = (
    r"pass(?:wor[dt]|wd|phrase|code)|pwd|secrets?|token|api_?keys?|auth|authorization|credentials?|cookie"
    r"|(?:private|access|secret|signing|encryption)_?keys?"
)
_NAME = re.compile(rf"(?:^|_)(?:{_WORDS})(?:$|_(?:value|text|string|str|header|hash|file|id)$)")
_ASSIGNED = re.compile(
    rf"""(?ix)(?P<head>\b[\w-]*?(?:{_WORDS})(?:_(?:value|text|string|str|header))?
    (?:["']\s*:|["']?\]?(?:\s*:\s*[\w.\[\]|\ ]+)?\s*={{1,2}})\s*[rbfu]{{0,2}})
    (?P<quote>["'])(?P<value>(?:\\.|(?!(?P=quote)).)+)(?P=quote)"""
)
_KEYS = re.compile(
    r"""(?x)
    \b(?:AKIA|ASIA)[0-9A-Z]{16}\b
    |\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}
    |\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bhf_[A-Za-z0-9]{20,}|\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bAIza[\w-]{30,}
    |\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?
    |-----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----(?:.(?!-----END))*.?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----)?
    |(?<=[Bb]earer\ )[\w.~+/=-]{8,}
    |(?<=://)[^\s/:@"']+:[^\s/@"']+(?=@)
    """,
    re.DOTALL,
)
_DIGITS = 3
"""Fewer has no random text but a hexadecimal one."""
_HEX = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
_SIGNS = rf"(?i){_WORDS}|akia|asia|gh[pousr]_|github_pat|glpat|[spr]k[-_]|hf_|xox|aiza|eyj|bearer|://|private key"
_SIGN = re.compile(_SIGNS)
_LENGTH = 28
_LONG = re.compile(rf"[A-Za-z0-9+=_-]{{{_LENGTH},}}")
_SUSPECT = re.compile(rf"{_SIGNS}|[\w+=-]{{{_LENGTH}}}")
"""Whether to look at all. Most texts pass here."""
_ACROSS_WORDS = (b"://", b"private key")
"""What of it is not inside one word of letters, digits, `_`, `+`, `=` and `-`."""
_SPACED = bytes(c if chr(c).isalnum() or chr(c) in "_+=-" else ord(" ") for c in range(128)).ljust(256)

_CUT = "…".encode()
"""Stands in what was cut: no word has it, and else such an event would be looked at letter by letter."""

_SHORTEST = 8
_MANY_WORDS = 400
"""Characters from which on a text is taken apart into words, of which it then has many twice: a model's structure."""
_REMEMBERED = 20_000
_REMEMBERED_EVENTS = 2_000
_LONGEST_EVENT = 2_000
"""Bytes of the texts of an event that is remembered."""
T = TypeVar("T")
EventT = TypeVar("EventT", bound=msgspec.Struct)


class Masking:
    """Masks events; not thread-safe, as the state it stands before."""

    def __init__(self, *, show: bool = False) -> None:
        self._show = show
        self._words: set[bytes] = set()
        """Words of events that hold nothing to hide, in small letters: events come by the hundred, of few words."""
        self._harmless: dict[bytes, Any] = {}
        """Texts of whole events that hold nothing to hide → what holds them: a helper that is called again says the
        same.
        """
        self._clean: set[str] = set()
        """Texts of equations that hold nothing to hide: they come again and again."""

    def event(self, event: EventT) -> EventT:
        """The event as it may be kept."""
        if self._show:
            return event
        if isinstance(event, JaxprSeen):
            return self._jaxpr(event)
        texts = {name: getattr(event, name) for name in _fields_with_text(type(event))}
        try:
            data = msgspec.json.encode(texts)
        except UnicodeError:  # half a character, as in a file name that is no text
            return self.all_in(event)
        known = self._harmless.get(data)
        if known is not None:
            return replace(event, **known)  # so that both hold the same, and memory holds it once
        if self._is_suspect(data):
            return self.all_in(event)
        if texts and len(data) <= _LONGEST_EVENT:
            if len(self._harmless) >= _REMEMBERED_EVENTS:
                self._harmless.clear()
            self._harmless[data] = texts
        return event

    def forget(self) -> None:
        """Lets go of what is remembered to be faster."""
        self._words.clear()
        self._harmless.clear()
        self._clean.clear()

    def _is_suspect(self, data: bytes) -> bool:
        """Whether to look at a text in UTF-8, as `_SUSPECT` would say."""
        data = data.replace(_CUT, b" ")
        if not data.isascii():
            return _SUSPECT.search(data.decode()) is not None
        lower = data.lower()
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        new = _words(lower) - self._words
        if _are_suspect(lower, new):
            return True
        self._words |= new
        return False

    def all_in(self, thing: T) -> T:
        """A record, list or text with everything masked in it."""
        return thing if self._show else _masked(thing)

    def _jaxpr(self, event: JaxprSeen) -> JaxprSeen:
        if len(self._clean) > _REMEMBERED:
            self._clean.clear()
        jaxpr = event.jaxpr
        names = (*jaxpr.input_names, *jaxpr.output_names, *jaxpr.constant_names, *(f.function for f in event.frames))
        # Models have thousands of names, of few words: together they are looked at as fast as one.
        clean = not self._is_suspect("\n".join(names).encode(errors="replace")) or all(map(self._is_clean, names))
        if clean and all(map(self._is_clean_equation, jaxpr.equations)):
            return event
        return replace(event, jaxpr=_masked(jaxpr), frames=_masked(event.frames))

    def _is_clean_equation(self, equation: Equation) -> bool:
        clean = self._clean
        if equation.scope not in clean and not self._is_clean(equation.scope):
            return False
        return all(text in clean or self._is_clean(text) for text in equation.parameters.values())

    def _is_clean(self, text: str) -> bool:
        if text not in self._clean:
            if _is_suspect(text) and masked_text(text) != text:
                return False
            self._clean.add(text)
        return True


def _is_suspect(text: str) -> bool:
    """Whether to look at a text, as `_SUSPECT` would say."""
    data = text.replace("…", " ") if len(text) >= _MANY_WORDS else ""
    if not data or not data.isascii():
        return _SUSPECT.search(text) is not None
    lower = data.encode().lower()
    return _are_suspect(lower, _words(lower))


def _words(lower: bytes) -> set[bytes]:
    return set(lower.translate(_SPACED).split())


def _are_suspect(lower: bytes, words: set[bytes]) -> bool:
    """Whether to look at a text in small letters of which these words are not known to be harmless."""
    return any(part in lower for part in _ACROSS_WORDS) or any(_is_suspect_word(word.decode()) for word in words)


def _is_suspect_word(word: str) -> bool:
    """Whether to look at a text with this word in it. JAX has settings with long names, and tells them in each key."""
    if len(word) >= _LENGTH and (sum(map(str.isdigit, word)) >= _DIGITS or _HEX.search(word)):
        return True
    return _SIGN.search(word) is not None


@functools.cache
def _fields_with_text(kind: type[Any]) -> tuple[str, ...]:
    """The fields of an event that may hold text: no numbers, by which events of one text differ."""
    return tuple(field.name for field in fields(kind) if _may_hold_text(field.type))


def _may_hold_text(annotation: Any) -> bool:  # noqa: ANN401
    if annotation in (int, float, bool, type(None)):
        return False
    inner = get_args(annotation)
    return not inner or get_origin(annotation) is Literal or any(map(_may_hold_text, inner))


def masked_text(text: str) -> str:
    """A text without the keys in it."""
    text = _ASSIGNED.sub(lambda found: f"{found['head']}{found['quote']}{MASKED}{found['quote']}", text)
    text = _KEYS.sub(MASKED, text)
    return _LONG.sub(lambda found: MASKED if _is_random(found[0]) else found[0], text)


def is_telling(path: str) -> bool:
    """Whether a name, or a part of a path such as `cfg['api_key']`, says that its value is a secret."""
    words = re.findall(r"[A-Za-z_][\w-]*", path)
    return any(_NAME.search(_separated(word)) for word in words)


def _separated(word: str) -> str:
    """`apiKey`, `api-key` → `api_key`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).replace("-", "_").lower()


def _is_random(text: str) -> bool:
    """Long, of many kinds of characters, and hardly one twice: no word of a language, and no name of a program's."""
    if _HEX.fullmatch(text):
        return len(set(text)) > 8
    digits = sum(map(str.isdigit, text))
    if digits < _DIGITS or text.lower() == text or text.upper() == text:
        return False
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts) > 3.9


def _masked(thing: Any) -> Any:  # noqa: ANN401  (whatever a record holds)
    if isinstance(thing, str):
        return masked_text(thing) if len(thing) >= _SHORTEST and _is_suspect(thing) else thing
    if isinstance(thing, list):
        return [_masked(item) for item in thing]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(thing, tuple):
        # Of a list: a tuple that grows is lost when another thread asks for all objects (`gc.get_objects`) meanwhile.
        return tuple([_masked(item) for item in thing])  # pyright: ignore[reportUnknownVariableType]
    if isinstance(thing, dict):
        return {_masked(key): _under(str(key), _masked(value)) for key, value in thing.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(thing, msgspec.Struct):
        fields = {name: getattr(thing, name) for name in thing.__struct_fields__ if name != "token"}
        changed = {name: new for name, old in fields.items() if (new := _masked(old)) != old}
        return _named(replace(thing, **changed) if changed else thing)
    return thing


def _named(record: Any) -> Any:  # noqa: ANN401
    """A value whose own name is telling."""
    if isinstance(record, Argument | StaticValue) and is_telling(record.path):
        return replace(record, value=_under(record.path, record.value))
    if isinstance(record, Mark | OutsideValue) and is_telling(record.name):
        return replace(record, value=_under(record.name, record.value))
    if isinstance(record, StaleSeen) and is_telling(record.name):
        before, after = _under(record.name, record.before), _under(record.name, record.after)
        return replace(record, before=before, after=ANOTHER if after == MASKED else after)
    return record


def _under(name: str, value: Any) -> Any:  # noqa: ANN401
    """Texts, also in containers, are masked under a telling name; numbers are not."""
    holds_text = isinstance(value, str) and ("'" in value or '"' in value)
    return MASKED if holds_text and is_telling(name) else value
