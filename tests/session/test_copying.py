"""Copies of syntax trees hold nothing that somebody else hung on their nodes."""

from __future__ import annotations

import ast

import pytest

from jax_trace_viz.session.errors.copying import copied


@pytest.mark.parametrize("text", ["x if y[0] > 1 else f(*a, k=[b, None])", "lambda q: (q, {**d})", "f'{x!r:>{w}}'"])
def test_a_copy_is_the_same_and_shares_no_foreign_attributes(text: str) -> None:
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        node.parent = tree  # as what formats tracebacks does, on nodes too that all trees share
    try:
        copy = copied(tree)
        assert ast.dump(copy, include_attributes=True) == ast.dump(tree, include_attributes=True)
        for node in ast.walk(copy):
            assert node._fields == () or not hasattr(node, "parent")
    finally:
        for node in ast.walk(tree):
            vars(node).pop("parent", None)


def test_what_all_trees_share_is_copied_without_what_hangs_on_it() -> None:
    shared = ast.parse("x", mode="eval").body.ctx  # type: ignore[attr-defined]
    shared.parent = shared
    try:
        assert not vars(copied(ast.Name("x", shared)).ctx)
    finally:
        del shared.parent
