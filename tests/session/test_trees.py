"""Two pytree structures that differ in one place are told by that place, and only if nothing else differs."""

from __future__ import annotations

import time

import pytest

from jax_trace_viz.session.reasons.keys import diff_trace_parts
from tests.session.events import key, leaf

LAYER = "Linear(kernel=*, bias=*, in_features=128, out_features=128, use_bias=True, dtype=None, param_dtype=float32)"
BLOCKS = f"Model({', '.join([LAYER] * 3)}"


def told(argument: str, old: tuple[str, str], new: tuple[str, str]) -> list[tuple[str | None, str | None, str | None]]:
    """Path, before and after of what differs between two structures, each with its leaves."""
    keys = [
        key(*(leaf(path) for path in paths.split()), structures={argument: structure}, positional=1)
        for structure, paths in (old, new)
    ]
    parts = diff_trace_parts(keys[1], keys[0])
    assert {part.kind for part in parts} == {"new_pytree_structure"}
    return [(part.path, part.before, part.after) for part in parts]


@pytest.mark.parametrize(
    ("argument", "old", "new", "difference"),
    [
        ("xs", ("[*]", "xs[0]"), ("[*, *]", "xs[0] xs[1]"), ("xs", "list of 1", "list of 2")),
        ("xs", ("[]", ""), ("[[*]]", "xs[0][0]"), ("xs", "list of 0", "list of 1")),
        ("xs", ("[[]]", ""), ("[[*]]", "xs[0][0]"), ("xs[0]", "list of 0", "list of 1")),
        ("xs", ("(*,)", "xs[0]"), ("(*, *)", "xs[0] xs[1]"), ("xs", "tuple of 1", "tuple of 2")),
        (
            "c",
            ("{'h': [{'a': *, 'b': *}], 'n': *}", "c['h'][0]['a'] c['h'][0]['b'] c['n']"),
            ("{'h': [], 'n': *}", "c['n']"),
            ("c['h']", "list of 1", "list of 0"),
        ),
        ("d", ("{0: *}", "d[0]"), ("{0: *, 1: *}", "d[0] d[1]"), ("d[1]", "not there", "f32[]")),
        ("s", ("State(*, None)", "s.w"), ("State(*, *)", "s.w s.v"), ("s.v", "None", "f32[]")),
        (
            "m",
            (f"{BLOCKS})", "m.a[0].kernel"),
            (f"{BLOCKS}, {LAYER})", "m.a[0].kernel m.a[3].kernel m.a[3].bias"),
            ("m.a[3]", "not there", "f32[], f32[]"),
        ),
    ],
)
def test_the_place_is_told(
    argument: str, old: tuple[str, str], new: tuple[str, str], difference: tuple[str, str, str]
) -> None:
    path, before, after = difference
    assert told(argument, old, new) == [difference]
    assert told(argument, new, old) == [(path, after, before)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("{0: *, 1: *, 2: *}", "d[0] d[1] d[2]"), ("[*, *]", "d[0] d[1]")),  # a leaf less, and another container
        (("[*]", "d[0]"), ("(*, *)", "d[0] d[1]")),
        (("[{'a': *}]", "d[0]['a']"), ("[{'b': *}, {'a': *}]", "d[0]['b'] d[1]['a']")),
        (("Net[size=(1, 2)](*)", "d.w"), ("Net[size=(1, 2, 3)](*)", "d.w")),
    ],
)
def test_where_more_differs_the_structures_are_told(old: tuple[str, str], new: tuple[str, str]) -> None:
    assert told("d", old, new) == [("d", old[0], new[0])]


def test_the_structures_of_a_large_model_are_compared_quickly() -> None:
    texts = [f"[{', '.join([LAYER] * count)}]" for count in (2000, 2001)]
    paths = [" ".join(f"m[{i}].kernel m[{i}].bias" for i in range(count)) for count in (2000, 2001)]
    start = time.process_time()
    assert told("m", (texts[0], paths[0]), (texts[1], paths[1])) == [("m", "list of 2000", "list of 2001")]
    assert time.process_time() - start < 2


def test_two_calls_with_thousands_of_arguments_are_compared_quickly() -> None:
    names = [f"a{i}" for i in range(5001)]
    many, one_more = (
        key(*map(leaf, given), structures=dict.fromkeys(given, "*"), positional=len(given))
        for given in (names[:5000], names)
    )
    start = time.process_time()
    assert [part.kind for part in diff_trace_parts(one_more, many)] == ["kwargs_signature"]
    assert time.process_time() - start < 2
