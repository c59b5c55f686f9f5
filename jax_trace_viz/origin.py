"""Whose code a file is: the user's, a library's, JAX's or our own."""

from __future__ import annotations

import functools
import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from types import CodeType

Owner = Literal["user", "library", "jax", "ours"]

_INSTALLED = re.compile(r"(?:^|/)(?:site|dist)-packages/(?:([^/]+)(?:/|$))?")
_INTERACTIVE = (
    "<stdin>",
    "<console>",
    "<input>",
    "<ipython-input-",
    "<python-input-",
    "<doctest ",
    "<timed exec>",
    "<magic-timeit>",
    "<string>",
    "<cell",
)
_COMPILED = (".pyx", ".pxi", ".pxd")
"""Cython names its code by paths that lie nowhere, `numpy/random/mtrand.pyx`; the user's Python is none of it."""
_RETURN_ONLY = 6
"""Bytes of a body that resumes, loads one thing and returns it."""
_JAX_PACKAGES = ("jax", "jaxlib")


def _normal(path: str) -> str:
    return os.path.normcase(os.path.abspath(path)).replace("\\", "/")


def _folder(path: str) -> str:
    return _normal(path).rstrip("/") + "/"


_OURS = _folder(os.path.dirname(os.path.abspath(__file__)))
_STDLIB = tuple({_folder(sysconfig.get_paths()[key]) for key in ("stdlib", "platstdlib")})


def _package_folders(names: tuple[str, ...]) -> tuple[str, ...]:
    """Where loaded packages lie, which for a development install is not below `site-packages`."""
    paths = [path for name in names for path in getattr(sys.modules.get(name), "__path__", ())]
    return tuple(_folder(path) for path in paths)


@functools.cache
def origin(filename: str) -> Owner:
    """Classifies a file by the name under which its code was compiled.

    The user's code is everything that is not installed: scripts, modules beside them, notebook cells (whether
    compiled as `/tmp/ipykernel_1/2.py` or `<ipython-input-…>`), the interactive prompt, doctests, and what `python -c`
    and `exec` run (`<string>`). Other names in angle brackets (`<frozen importlib>`, `<attrs generated init C>`) belong
    to code that a library made.

    Args:
        filename: `co_filename` of a code object.
    """
    if filename.startswith("<"):
        return "user" if filename.startswith(_INTERACTIVE) else "library"
    if filename.endswith(_COMPILED):
        return "library"
    path = _normal(filename)
    if path.startswith(_OURS):
        return "ours"
    if installed := _INSTALLED.search(path):
        return "jax" if installed[1] in _JAX_PACKAGES else "library"
    if path.startswith(_package_folders(_JAX_PACKAGES)):
        return "jax"
    return "library" if path.startswith(_STDLIB) or _is_installed(path) else "user"


def _is_installed(path: str) -> bool:
    """Whether a file belongs to a package that `pip install --target` put into some folder, perhaps beside a script."""
    file = Path(path)
    while (file.parent / "__init__.py").exists() and file.parent.name:
        file = file.parent
    return file.name in _installed_names(file.parent)


@functools.cache
def _installed_names(folder: Path) -> frozenset[str]:
    """The packages and modules that installers have put into a folder, by their own lists of what they wrote."""
    names: set[str] = set()
    try:
        for record in folder.glob("*.dist-info/RECORD"):
            lines = record.read_text("utf-8").splitlines()
            names.update(os.path.normcase(re.split("[/,]", line, maxsplit=1)[0]) for line in lines)
    except (OSError, UnicodeDecodeError):
        pass  # there is no such folder, or it says nothing: the files are the user's
    return frozenset(names)


def owner_of(code: CodeType) -> Owner:
    """Whose code this is.

    What the standard library writes for dataclasses and named tuples, and jaxtyping and beartype for their checks, has
    the file name of the user's own `exec`.
    """
    owner = origin(code.co_filename)
    return "library" if owner == "user" and _is_generated(code) else owner


def _is_generated(code: CodeType) -> bool:
    return (
        code.co_filename == "<string>"
        and (
            # The function that makes a dataclass's methods runs too, where a module is imported while JAX traces.
            code.co_qualname.split(".")[0] == "__create_fn__"
            or code.co_varnames[:1] == ("_cls",)
            # beartype hands what a method needs to hidden parameters.
            or any(name.startswith("__") for name in code.co_varnames[: code.co_argcount])
            or _is_signature_only(code)
        )
    )


def _is_signature_only(code: CodeType) -> bool:
    """Whether code is a text of its own with one `def` that only returns None or an argument.

    jaxtyping has the type checker look at such a function, of the user's name, before and after the user's own.
    """
    return code.co_firstlineno == 1 and code.co_name != "<lambda>" and len(code.co_code) <= _RETURN_ONLY
