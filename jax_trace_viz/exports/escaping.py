"""Texts of the user's in HTML."""

from __future__ import annotations

import html
import re

from jax_trace_viz.session.graph.text import clean


def text(plain: str) -> str:
    """Escaped, and without the control characters that no HTML may hold."""
    return html.escape("".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in plain))


def for_terminal(plain: str) -> str:
    """Text in which nothing moves the cursor, sets a colour or a link, or turns the direction of what stands around."""
    return clean(plain.replace("\r\n", "\n").replace("\r", "\N{REPLACEMENT CHARACTER}"))


def prose(sentence: str) -> str:
    """A sentence in which code stands between backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", text(sentence))
