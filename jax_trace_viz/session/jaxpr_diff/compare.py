"""Walks two jaxprs side by side and down into nested ones; a pair that is met again is compared once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from jax_trace_viz.cancelling import check
from jax_trace_viz.contract.listing import JaxprDiff
from jax_trace_viz.session.jaxpr_diff.align import align
from jax_trace_viz.session.jaxpr_diff.lines import Row, Scope, Writer
from jax_trace_viz.session.jaxpr_diff.signature import Signatures, operation, sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr

EQUATIONS = 20_000
"""Equations of both jaxprs together that are compared, the first ones of each; the rest is named, not compared."""


def compare(before: Trace, after: Trace, jaxprs: Mapping[str, Jaxpr], frames: Sequence[Frame]) -> JaxprDiff | None:
    """What became of one trace's equations in another; None if the jaxpr of one of them is not there."""
    old, new = jaxprs.get(before.jaxpr or ""), jaxprs.get(after.jaxpr or "")
    if old is None or new is None:
        return None
    walk = _Walk(jaxprs, Signatures(jaxprs, frames))
    rows = walk.jaxprs(old, new, 0)
    writer = Writer(frames)
    writer.write(rows)
    notes = [walk.note, writer.note]
    return JaxprDiff(
        before=before.id,
        after=after.id,
        added=walk.added,
        removed=walk.removed,
        changed=walk.changed,
        resized=walk.resized,
        same=walk.same,
        lines=writer.lines,
        note=" ".join(note for note in notes if note),
    )


Fate = Literal["same", "only", "changed", "resized"]
"""What became of an equation; `only`: the other jaxpr has none like it."""


@dataclass(frozen=True)
class Fates:
    """What became of each equation, by jaxpr and place; of jaxprs that are not listed, all are the same in both.

    A list that is shorter than its jaxpr tells of as many equations as were compared.
    """

    before: dict[str, list[Fate]]
    after: dict[str, list[Fate]]
    note: str


def fates(before: Trace, after: Trace, jaxprs: Mapping[str, Jaxpr], frames: Sequence[Frame]) -> Fates | None:
    """As `compare`, for each equation of both traces."""
    old, new = jaxprs.get(before.jaxpr or ""), jaxprs.get(after.jaxpr or "")
    if old is None or new is None:
        return None
    walk = _Walk(jaxprs, Signatures(jaxprs, frames))
    walk.jaxprs(old, new, 0)
    return Fates(walk.old_fates, walk.new_fates, walk.note)


@dataclass
class _Walk:
    _jaxprs: Mapping[str, Jaxpr]
    _signatures: Signatures
    added: int = 0
    removed: int = 0
    changed: int = 0
    resized: int = 0
    same: int = 0
    note: str = ""
    old_fates: dict[str, list[Fate]] = field(default_factory=dict[str, "list[Fate]"])
    new_fates: dict[str, list[Fate]] = field(default_factory=dict[str, "list[Fate]"])
    """By jaxpr, as it was compared first."""
    _left: int = EQUATIONS
    _met: dict[tuple[str, str], list[Row]] = field(default_factory=dict[tuple[str, str], "list[Row]"])
    """Pairs that were compared, and what differs in them."""

    def jaxprs(self, old: Jaxpr, new: Jaxpr, depth: int) -> list[Row]:
        """Rows for all equations of both; none if they are the same jaxpr."""
        size = len(old.equations) + len(new.equations)
        most = max(len(old.equations), len(new.equations))
        if size > self._left:
            self.note = f"Only the first equations were compared, {EQUATIONS:,} of both together."
            most = self._left // 2
        then_equations, now_equations = old.equations[:most], new.equations[:most]
        self._left -= len(then_equations) + len(now_equations)
        scope = Scope(old, new)
        _pair_inputs(scope)
        rows = list(scope.heads(depth))
        then, now = scope.values
        pairs = align(self._signatures.items(old, then, most), self._signatures.items(new, now, most))
        # Which variables are the same must be known before the first equation is judged.
        for i, j in pairs:
            if i is not None and j is not None:
                scope.pair(old.equations[i].outputs, new.equations[j].outputs)
        then_fates: list[Fate] = ["only"] * len(then_equations)
        now_fates: list[Fate] = ["only"] * len(now_equations)
        self.old_fates.setdefault(old.id, then_fates)
        self.new_fates.setdefault(new.id, now_fates)
        for i, j in pairs:
            found = self._equations(
                scope, None if i is None else old.equations[i], None if j is None else new.equations[j], depth + 1
            )
            if i is not None and j is not None:
                then_fates[i] = now_fates[j] = _fate(found[0])
            rows += found
        if old.dropped_equations or new.dropped_equations:
            self.note = "Equations beyond the recording's limit were not compared."
        return [*rows, *scope.ends(depth)]

    def _equations(self, scope: Scope, old: Equation | None, new: Equation | None, depth: int) -> list[Row]:
        if old is None or new is None:
            self.removed += new is None
            self.added += old is None
            return [Row("removed" if new is None else "added", depth, scope, old or new)]
        check()
        inside = self._inside(old, new, depth + 1)
        alike = operation(old, scope.before) == operation(new, scope.now)
        rewired = scope.reads_other(old.inputs, new.inputs)
        if alike and not rewired and sizes(old, scope.before) == sizes(new, scope.now):
            self.same += 1
            return [Row("same", depth, scope, new), *inside]
        sizes_only = alike and not rewired
        self.changed += 1
        self.resized += sizes_only
        return [
            Row("before", depth, scope, old, sizes_only=sizes_only),
            Row("after", depth, scope, new, sizes_only=sizes_only),
            *inside,
        ]

    def _inside(self, old: Equation, new: Equation, depth: int) -> list[Row]:
        """Rows for the jaxprs that two equations hold, as far as these differ."""
        then = {sub.parameter: sub.jaxpr for sub in old.jaxprs}
        rows: list[Row] = []
        for sub in new.jaxprs:
            pair = (then.get(sub.parameter, ""), sub.jaxpr)
            before, now = self._jaxprs.get(pair[0]), self._jaxprs.get(pair[1])
            if before is None or now is None or before is now:
                continue  # not recorded, or the same object
            if pair not in self._met:
                self._met[pair] = []  # in case a jaxpr should hold itself
                found = self.jaxprs(before, now, depth)
                self._met[pair] = [row for row in found if row.sign != "same"]
                rows += found if self._met[pair] else []
            elif self._met[pair]:
                sizes_only = all(row.sizes_only for row in self._met[pair])
                rows.append(Row("skipped", depth, text=f"{sub.parameter}: as above", sizes_only=sizes_only))
        return rows


def _fate(row: Row) -> Fate:
    """What the first of an equation's rows says."""
    return "same" if row.sign == "same" else "resized" if row.sizes_only else "changed"


def _pair_inputs(scope: Scope) -> None:
    """Inputs belong together by name where JAX knows the names, else by place, from both ends."""
    before, now = scope.before, scope.now
    for old, old_names, new, new_names in (
        (before.inputs, before.input_names, now.inputs, now.input_names),
        (before.constants, before.constant_names, now.constants, now.constant_names),
    ):
        named = len(old_names) == len(old) and len(new_names) == len(new) and all(old_names) and all(new_names)
        if named and len(old) != len(new):
            where = dict(zip(new_names, new, strict=True))
            pairs = [(v, where[name]) for v, name in zip(old, old_names, strict=True) if name in where]
        else:
            shorter = min(len(old), len(new))
            same = [before.types[old[k]] == now.types[new[k]] for k in range(shorter)]
            start = shorter if len(old) == len(new) else (same.index(False) if False in same else shorter)
            end = shorter - start
            pairs = [*zip(old[:start], new[:start], strict=True)]
            pairs += zip(old[len(old) - end :], new[len(new) - end :], strict=True)
        scope.pair_inputs(pairs)
