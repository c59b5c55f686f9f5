"""Modules of a package compiled from a syntax tree that a test has changed, in a way that changes no frame."""

from __future__ import annotations

import ast
import sys
from importlib.machinery import PathFinder, SourceFileLoader
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

    Rewrite = Callable[[ast.Module, str, str], ast.AST]
    """Takes a module's tree, its name and its file; returns what is compiled."""


class _Finder(PathFinder):
    def __init__(self, packages: tuple[str, ...], rewrite: Rewrite) -> None:
        self._packages = packages
        self._rewrite = rewrite

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if not f"{fullname}.".startswith(self._packages):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(fullname, spec.loader.path, self._rewrite)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, rewrite: Rewrite) -> None:
        super().__init__(fullname, path)
        self._rewrite = rewrite

    def get_code(self, fullname: str) -> CodeType:
        tree = self._rewrite(ast.parse(self.get_data(self.path), self.path), fullname, self.path)
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)


for _function in (_Finder.find_spec, _Loader.get_code):
    # The capture tells which functions of the program's run while JAX traces, and some modules are imported then.
    _function.__code__ = _function.__code__.replace(co_filename=ast.__file__)


def rewrite_modules(packages: tuple[str, ...], rewrite: Rewrite) -> None:
    """Has the modules below these packages rewritten, as long as they are imported from now on.

    Args:
        packages: Names that end in a dot, as `jax_trace_viz.capture.`.
        rewrite: What is done to each.
    """
    sys.meta_path.insert(0, _Finder(packages, rewrite))
