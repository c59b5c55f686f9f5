"""Arrays and programs on several devices that do not go together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

UNEVEN = re.compile(
    r"shard_map applied to the function .* not evenly divisible(?s:.*?)"
    r"args\S* of shape (?P<type>\w+\[[\d,]*\])(?:, where \S+ is bound to \S+ parameter '(?P<name>\w+)',)?.*"
    r"maps array axis (?P<axis>\d+) \(of size (?P<size>\d+)\) to mesh (?:axis|axes) (?P<of>.+?) "
    r"\(of (?:total )?size (?P<pieces>\d+)\)"
)
SPECS = re.compile(
    r"in_specs passed to shard_map: (?P<said>P.*?) does not match .* input: (?P<own>P.*) for arg: (?P<type>\S+)\."
)
SPEC_COUNT = re.compile(
    r"pytree structure error: different lengths of tuple at key path\s+shard_map in_specs\n(?s:.*?)"
    r"of length (?P<specs>\d+)(?s:.*?)of length (?P<given>\d+)"
)
_DEVICES = re.compile(
    r"(?:argument (?P<name>\S+) of \S+|(?P<what>\w+) inside \w+)(?: with shape \S+)? (?:and )?(?:with )?"
    r"device ids \[(?P<devices>[\d, ]*)\]"
)
PIECES = re.compile(
    r"(?:One of|Sharding) .* implies that (?=array axis|the global size)(?s:.*?)"
    r"(?:axis|dimension) (?P<axis>\d+) (?:is partitioned (?P<times>\d+) times|should be divisible by (?P<by>\d+))"
    r".*?(?:dimension size is|equal to) (?P<size>\d+)"
)
_WHOSE = re.compile(
    r"One of (?:pjit )?(?P<what>arguments|outputs|device_put args)(?: with pytree key path (?P<path>\S+))?"
)
_SPEC = re.compile(r"spec=(P(?:artitionSpec)?\([^()]*(?:\([^()]*\)[^()]*)*\))")
AXIS_NAME = re.compile(r"(?:Found an )?unbound axis name: (?P<name>\w+)")


def of_uneven(problem: Problem, found: re.Match[str]) -> Explanation:
    """An axis that `shard_map` cannot cut into equal pieces."""
    whose = f"of `{found['name']}`" if found["name"] else "of an argument"
    axis, pieces = found["axis"], found["pieces"]
    why = (
        f"`shard_map` gives each device an equal piece: axis {axis} {whose} ({found['type']}) has {found['size']} "
        f"elements, and the mesh {pieces} devices along {_quoted(found['of'])}"
    )
    return Explanation(
        why, f"Pad it to a multiple of {pieces}, or leave the axis whole: `None` in its place in `in_specs`."
    )


def of_specs(problem: Problem, found: re.Match[str]) -> Explanation:
    """`in_specs` beside arrays whose types say how they are cut."""
    said = _short(found["said"])
    why = (
        f"`in_specs` of `shard_map` is {said}, and on a mesh with explicit axes the array's own type says how "
        f"it is cut: {_short(found['own'])} ({found['type']})"
    )
    return Explanation(
        why,
        f"Leave `in_specs` out, and it is what the arrays say; or cut them first: `jax.reshard(…, {said[1:-1]})`.",
    )


def of_spec_count(_: Problem, found: re.Match[str]) -> Explanation:
    """Another number of `in_specs` than of arguments."""
    entries = count_text(int(found["specs"]), "entry", "entries")
    why = f"`in_specs` of `shard_map` has {entries}, and the call {count_text(int(found['given']), 'argument')}"
    return Explanation(why, "Give one entry for each argument, or a single `PartitionSpec` for all.")


def of_devices(problem: Problem) -> Explanation | None:
    """Arrays on different devices in one program."""
    found = list(_DEVICES.finditer(problem.message))
    if len(found) != 2:
        return None
    places = [_on(one["name"], one["what"], one["devices"].split(", ")) for one in found]
    moved = next((one["name"] for one in found[::-1] if one["name"]), None)
    why = f"one program runs on one set of devices, and {' and '.join(places)}"
    form = f": `jax.device_put({moved}, …)`" if moved and moved.isidentifier() else ", with `jax.device_put`"
    return Explanation(
        why,
        f"Put them on the same devices first{form}. Arrays that no device was asked for go wherever the others are.",
    )


def of_pieces(problem: Problem, found: re.Match[str]) -> Explanation:
    """An axis that a sharding cannot cut into equal pieces."""
    whose, spec = _WHOSE.search(problem.message), _SPEC.search(problem.message)
    kinds = {"arguments": "argument", "outputs": "a result", "device_put args": "an array"}
    told = kinds[whose["what"]] if whose else "an array"
    path = whose["path"] if whose else None
    what = f"argument `{path}`" if told == "argument" and path else "an argument" if told == "argument" else told
    pieces = found["times"] or found["by"]
    by = f"{_short(spec[1])} cuts" if spec else "its sharding cuts"
    why = f"{by} axis {found['axis']} of {what} into {pieces} equal pieces, and it has {found['size']} elements"
    return Explanation(
        why, f"Pad it to a multiple of {pieces}, or leave that axis whole: `None` in its place in the `PartitionSpec`."
    )


def of_other_sharding(problem: Problem) -> Explanation | None:
    """An argument that lies elsewhere than `in_shardings` says."""
    asked, _, has = problem.message.partition("arg sharding: ")
    specs = [found[1] for text in (asked, has) if (found := _SPEC.search(text)) is not None]
    told = "`in_shardings` says where the argument lies, and it was put elsewhere"
    if len(specs) == 2 and specs[0] != specs[1]:
        told += f": {_short(specs[0])} there, {_short(specs[1])} here"
    return Explanation(
        told,
        "Put it there first, with `jax.device_put`, or leave `in_shardings` out. JAX itself moves only what was put "
        "nowhere in particular.",
    )


def of_axis_name(problem: Problem, found: re.Match[str]) -> Explanation:
    """A sum over an axis that nothing around names."""
    what, name = problem.code_or("the call"), found["name"]
    return Explanation(
        f"{what} goes over the axis `{name}`, and no transformation around it names one so",
        f"`jax.vmap(…, axis_name='{name}')` names one, or `jax.shard_map` over a mesh that has it.",
    )


def _on(name: str | None, what: str | None, devices: list[str]) -> str:
    who = f"`{name}` is" if name else f"a {(what or 'sharding').replace('_', ' ')} inside it is"
    return f"{who} on device{'s' if len(devices) > 1 else ''} {', '.join(devices)}"


def _quoted(axes: str) -> str:
    return ", ".join(f"`{name}`" for name in re.findall(r"'([^']*)'", axes)) or axes


def _short(spec: str) -> str:
    return f"`{spec.replace('PartitionSpec', 'P').replace(',)', ')')}`"
