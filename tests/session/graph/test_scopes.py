"""Name stacks, taken apart."""

from __future__ import annotations

import pytest

from jax_trace_viz.session.graph.scopes import Scope, parse_scope


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("", Scope("", (), ())),
        ("jvp()", Scope("forward", (), (), ("forward",))),
        ("transpose(jvp())", Scope("backward", (), (), ("backward",))),
        ("jvp(MLP)/Dense_0", Scope("forward", ("MLP", "Dense_0"), (), ("forward",))),
        ("transpose(jvp(MLP))/Dense_0", Scope("backward", ("MLP", "Dense_0"), (), ("backward",))),
        ("jvp(vmap(jvp(f)))/g", Scope("forward", ("f", "g"), ("vmap",), ("forward", "forward"))),
        ("jvp(f)/transpose(jvp())", Scope("backward", ("f",), (), ("forward", "backward"))),
        ("transpose(jvp(transpose(jvp())))", Scope("backward", (), (), ("backward",))),
        ("vmap(layer)", Scope("", ("layer",), ("vmap",))),
        ("jit(f)/layer(x)", Scope("", ("jit(f)", "layer(x)"), ())),
        ("</svg><script>alert(1)</script>", Scope("", ("<", "svg><script>alert(1)<", "script>"), ())),
        ("jvp(a/b)/c", Scope("forward", ("a/b", "c"), (), ("forward",))),
        ("(", Scope("", ("(",), ())),
        (")/a", Scope("", (")", "a"), ())),
    ],
)
def test_parse(text: str, scope: Scope) -> None:
    assert parse_scope(text) == scope
