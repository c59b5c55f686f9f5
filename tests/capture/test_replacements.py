"""What is said to write in place of code that failed does the same as that code does on known values.

The programs are made at random; what they give without `jit`, where Python decides by values, is the truth.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import random
import re
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

import jax_trace_viz

if TYPE_CHECKING:
    from pathlib import Path

    from jax_trace_viz.contract.document import Document, TraceError

VALUES = (-2.0, 0.0, 3.0)
PROGRAMS = 25


def condition(draw: random.Random, depth: int = 2) -> str:
    """A condition on `x` and `y` of a form that Python has."""
    number = draw.choice(["0", "0.5", "2"])
    simple = [
        f"x {draw.choice(['<', '<=', '>', '>=', '==', '!='])} {number}",
        f"{number} > y",
        f"-1 < x < {number}",
        "x in (0, 3)",
        "y not in [0.5]",
        f"max(x, y) > {number}",
        "min(x, y, 1.0) < x",
        "any(v > 1 for v in (x, y))",
        "bool(y > 1)",
        "x",
    ]
    if depth == 0 or draw.random() < 0.5:
        return draw.choice(simple)
    parts = [condition(draw, depth - 1) for _ in range(draw.choice([1, 2, 3]))]
    if len(parts) == 1:
        return f"not ({parts[0]})"
    return draw.choice([" and ", " or "]).join(f"({part})" for part in parts)


def value(draw: random.Random) -> str:
    return draw.choice(["x", "-y", "x + 1", "y * z", "2.0", "jnp.abs(x)", "z - x", "(x if y > 0 else z)"])


def block(draw: random.Random, *, returns: int, depth: int = 1) -> list[str]:
    """Statements; `returns` values are given back at their end, if any."""
    lines = [
        draw.choice([f"z = {value(draw)}", f"z += {value(draw)}", f"x = {value(draw)}", "t = x * 2; z = t - y", "pass"])
        for _ in range(draw.choice([0, 1, 2]))
    ]
    if depth and draw.random() < 0.3:
        lines += [f"if {condition(draw, 1)}:", *indented(block(draw, returns=returns, depth=0))]
    if returns:
        lines.append(f"return {value(draw)}" if returns == 1 else f"return z, {value(draw)}")
    return lines or ["pass"]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def statements(seed: int) -> str:
    """A function with an `if` on a traced value."""
    draw = random.Random(seed)
    returns = draw.choice([0, 0, 1, 2])
    lines = ["z = x * y", f"if {condition(draw)}:", *indented(block(draw, returns=returns))]
    if draw.random() < 0.4:
        lines += [f"elif {condition(draw, 1)}:", *indented(block(draw, returns=returns))]
    if draw.random() < 0.6:
        lines += ["else:", *indented(block(draw, returns=returns))]
    return "def f(x, y):\n" + "\n".join(indented([*lines, "return z" if returns == 1 else "return x, z"])) + "\n"


def expression(seed: int) -> str:
    """A value that Python decides about."""
    draw = random.Random(seed)
    given = [condition(draw) for _ in range(2)]
    return draw.choice(
        [
            f"x if {given[0]} else {value(draw)}",
            f"x or y or {value(draw)}",
            f"y and {value(draw)}",
            f"({given[0]}) and ({given[1]})",
            "max(x, y, 0.25)",
            "min([x, y])",
            "sorted([x, y, 1.0])[0]",
            "[x, y, 0.5].count(0.5)",
            "(jnp.sin if x > 0 else jnp.cos)(y)",
            f"not {given[1]}" if not given[1].startswith("x") else "not x",
            f"2.0 if {given[0]} else 3.0 if {given[1]} else {value(draw)}",
        ]
    )


def written(fix: str | None) -> str | None:
    """The code that stands in for the failing one; None where the advice is in words."""
    found = re.search(r"`([^`]*)`", fix or "")
    if found is None or "…" in found[1] or "(" not in found[1] or "static_argnames" in found[1]:
        return None
    return found[1]


def run(source: str, folder: Path) -> tuple[dict[str, Any], Document]:
    """Defines `f`, and calls it jitted under a recording."""
    file = folder / f"program{len(list(folder.iterdir()))}.py"  # Python keeps the lines of a file that it has read
    file.write_text(source, encoding="utf-8")
    names: dict[str, Any] = {"jnp": jnp, "jax": jax, "np": np, "__name__": "__main__"}
    exec(compile(source, str(file), "exec"), names)
    with contextlib.suppress(jax.errors.JAXTypeError, jax.errors.JAXIndexError), jax_trace_viz.trace() as session:
        jax.jit(names["f"])(jnp.float32(1), jnp.float32(2))
    return names, session.document()


def place_of(source: str, error: TraceError, fix: str, code: str) -> ast.AST:
    """What the advice is about: the whole `if`, the conditional expression, or the operators that asked."""
    parents: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(ast.parse(source)):
        parents.update(dict.fromkeys(ast.iter_child_nodes(node), node))
    span = error.line, error.column, error.end_line, error.end_column
    fitting = [
        node
        for node in parents
        if isinstance(node, ast.expr | ast.stmt)
        and (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == span
    ]
    node = fitting[-1]
    if fix.startswith("Write "):
        while isinstance(parents[node], ast.BoolOp) or isinstance(getattr(parents[node], "op", None), ast.Not):
            node = parents[node]
        return node
    kind = ast.If if "return " in code or " = " in code else ast.IfExp
    while not isinstance(node, kind):
        node = parents[node]
    return parents[node] if code.startswith("jax.lax.cond(") else node


def mended(source: str, replaced: ast.AST, code: str) -> str:
    """The source with an expression, an `if`, or an `if` and what follows it, written anew."""
    assert isinstance(replaced, ast.expr | ast.stmt)
    lines = source.splitlines()
    first, end = replaced.lineno - 1, replaced.end_lineno or 0
    head, tail = lines[first][: replaced.col_offset], lines[end - 1][replaced.end_col_offset :]
    if isinstance(replaced, ast.expr):
        lines[first:end] = [f"{head}({code}){tail}"]
    else:
        lines[first : len(lines) if code.startswith("return ") else end] = [head.replace("elif ", "") + code]
    return "\n".join(lines) + "\n"


def results(function: Any) -> list[list[float]]:
    pairs = itertools.product(map(jnp.float32, VALUES), repeat=2)
    return [[float(leaf) for leaf in jax.tree.leaves(function(x, y))] for x, y in pairs]


def check(source: str, folder: Path) -> bool:
    """Follows the advice until the function can be traced; whether there was code to follow."""
    names, document = run(source, folder)
    truth, followed = results(names["f"]), False
    for _ in range(8):
        assert document.faults == []
        (trace,) = (trace for trace in document.traces if trace.kind == "jit")
        if trace.error is None:
            break
        (finding,) = document.findings
        code = written(finding.fix)
        if code is None:
            return followed
        source = mended(source, place_of(source, trace.error, finding.fix or "", code), code)
        names, document = run(source, folder)
        followed = True
        np.testing.assert_allclose(results(names["f"]), truth, rtol=1e-6, err_msg=source)
    assert document.findings == [], source
    np.testing.assert_allclose(results(jax.jit(names["f"])), truth, rtol=1e-6, err_msg=source)
    return followed


def test_statements(tmp_path: Path) -> None:
    followed = [check(statements(seed), tmp_path) for seed in range(PROGRAMS)]
    assert followed.count(True) > PROGRAMS // 2


def test_expressions(tmp_path: Path) -> None:
    sources = [f"def f(x, y):\n    z = x - y\n    return {expression(seed)}\n" for seed in range(PROGRAMS)]
    followed = [check(source, tmp_path) for source in sources]
    assert followed.count(True) > PROGRAMS // 2
