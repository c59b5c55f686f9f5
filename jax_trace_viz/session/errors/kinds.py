"""What an expression gives, as far as its form tells: an array or a number, or something known while tracing."""

from __future__ import annotations

import ast

_NO_ARRAYS = (
    *(ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Tuple),
    *(ast.Lambda, ast.JoinedStr, ast.Yield, ast.YieldFrom, ast.Await, ast.Starred, ast.NamedExpr),
)
_MAKES_NO_ARRAY = {"str", "repr", "print", "list", "dict", "set", "format", "input", "open", "type", "iter", "append"}
_STATIC_PARTS = {"shape", "ndim", "size", "dtype"}
_STATIC_CALLS = {"len", "isinstance", "callable", "hasattr", "issubclass"}


def is_static(test: ast.AST) -> bool:
    """Whether a condition is surely known while tracing: it looks at shapes, types and objects only."""
    match test:
        case ast.Constant() | ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.Attribute(attr=name):
            return name in _STATIC_PARTS
        case ast.Call(func=ast.Name(id=name)):
            return name in _STATIC_CALLS
        case ast.Subscript(value=value, slice=index):
            return is_static(value) and is_static(index)
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp() | ast.BinOp():
            parts = [node for node in ast.iter_child_nodes(test) if isinstance(node, ast.expr)]
            return all(map(is_static, parts))
        case _:
            return False


def may_be_an_array(value: ast.AST) -> bool:
    """Whether an expression may give an array or a number, by its form."""
    match value:
        case ast.Constant(value=constant):
            return isinstance(constant, bool | int | float | complex)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name not in _MAKES_NO_ARRAY
        case ast.IfExp(body=yes, orelse=no):
            return may_be_an_array(yes) and may_be_an_array(no)
        case ast.BinOp(left=left, right=right):
            return may_be_an_array(left) and may_be_an_array(right)
        case _:
            return not isinstance(value, _NO_ARRAYS)
