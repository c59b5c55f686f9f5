"""Short texts: key paths, sizes, cut lines."""

from __future__ import annotations

import pytest

from jax_trace_viz.session.graph.keypaths import common, root
from jax_trace_viz.session.graph.sizes import arrays_text, type_bytes
from jax_trace_viz.session.graph.text import columns, cut


@pytest.mark.parametrize(
    ("paths", "text"),
    [
        (["params['w']"], "params['w']"),
        (["params['w']", "params['b']"], "params['w'], params['b']"),
        (["params['a']['w']", "params['b']['w']", "params['c']['w']"], "params[*]['w']"),
        (["state.mu[0]", "state.nu[0]", "state.mu[1]"], "state.*[*]"),
        (["s[0].count", "s[0].mu['w']", "s[0].mu['b']"], "s[0]…"),
        (["params['params']['Dense_0']['kernel']"], "params['Dense_0']['kernel']"),
        (["params['params']['a']", "params['params']['b']['c']", "params['params']['d']"], "params…"),
    ],
)
def test_common(paths: list[str], text: str) -> None:
    assert common(paths) == text


def test_root() -> None:
    assert [root(path) for path in ("x", "params['w']", "state.mu[0]", "['odd']")] == [
        "x",
        "params",
        "state",
        "['odd']",
    ]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("f32[8,128]", 4096),
        ("f32[]~", 4),
        ("bf16[10]", 20),
        ("bool[3]", 3),
        ("c64[2]", 16),
        ("i4[8]", 4),
        ("f8_e4m3fn[10]", 10),
        ("key<fry>[4]", 32),
        ("f32[0]", 0),
        ("Tok", 0),
        ("f32[n,3]", 0),
    ],
)
def test_type_bytes(text: str, size: int) -> None:
    assert type_bytes(text) == size


def test_several_arrays_are_told_by_number_and_size() -> None:
    assert arrays_text(["f32[2]"]) == "f32[2]"
    assert arrays_text(["f32[2]", "f32[3]"]) == "2 arrays, 20 B"


def test_cut() -> None:
    assert cut("a\n  b\tc", 10) == "a b c"
    assert cut("abcdef", 4) == "abc…"
    assert cut("\u202eabc\x00", 10) == "\ufffdabc\ufffd"
    assert [columns(text) for text in ("abc", "日本", "e\u0301")] == [3, 4, 1]
