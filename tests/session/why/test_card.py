"""The cards of a session: what each says, what it cost, what helps."""

from __future__ import annotations

import msgspec
import pytest

from jax_trace_viz.contract.document import Argument, EarlierTrace, Place
from jax_trace_viz.contract.events import CachesCleared
from jax_trace_viz.session import History, Session
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.findings import advice
from jax_trace_viz.session.verdict import verdict as verdict_of
from jax_trace_viz.session.why import Card, Cards, costliest
from jax_trace_viz.session.why.card import Cost
from tests.session.events import Program, key, leaf, static


def cards(program: Program) -> Cards:
    document = program.session.document()
    return Cards(document.functions, document.traces, document.compilations, advice(Evidence(document)))


def the_card(program: Program) -> Card:
    (card,) = cards(program).again()
    return card


def test_a_retrace_says_what_changed_and_what_it_cost() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8), leaf("y")))
    program.call(key(leaf("x", 9), leaf("y")))
    card = the_card(program)
    assert card.question == "Why was step traced again? (step #2)"
    assert card.answer == "x changed shape f32[8] → f32[9]."
    assert card.compared == "Compared with step #1, the nearest earlier trace: it differs in 1 of 4 parts."
    assert (card.cost.trace, card.cost.lower, card.cost.compile, card.cost.total) == (0.5, 0.25, 2.0, 2.75)
    assert card.caches == "Tracing cache: miss · executable cache: miss · persistent compilation cache: not set"
    assert "Pad `x`" in (card.advice or "")


def test_a_first_call_has_a_card_only_when_it_is_asked_for() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8)))
    assert cards(program).again() == []
    (card,) = cards(program).of_function("step")
    assert (card.question, card.answer) == ("Why was step traced? (step #1)", "First call.")
    assert (card.parts, card.compared, card.advice) == ([], "", None)


def test_the_share_of_nested_traces_is_told_apart() -> None:
    program = Program()
    program.define(1, "outer")
    program.define(2, "helper")
    program.define(3, "inner")
    for size in (2, 3):
        outer = program.begin(key(leaf("x", size)))
        helper = program.begin(key(leaf("x", size)), 2, "call", parent=outer.run)
        inner = program.begin(key(leaf("x", size)), 3, parent=helper.run)
        program.trace(key(leaf("x", size)), 3, parent=inner.run, seconds=0.125)
        program.end(inner, 0.25)
        program.end(helper, 0.5)
        program.end(outer, 1.0)
        program.compile(outer)
    outer_card = next(card for card in cards(program).again() if card.subject == "f1#2")
    assert (outer_card.cost.trace, outer_card.cost.nested, outer_card.cost.inner) == (1.0, 0.25, 1)
    inner_card = next(card for card in cards(program).again() if card.subject == "f3#3")
    assert (inner_card.outer, inner_card.cost.compile, inner_card.advice) == ("outer #2", 0.0, None)


def test_a_program_that_was_compiled_too_fast_for_the_persistent_cache_is_told_so() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8, placement="cpu:0", committed=True)))
    moved = key(leaf("x", 8, placement="cpu:1", committed=True))
    program.compile(key=moved, persistent_cache="miss", cache_write="too_fast")
    words = "persistent compilation cache: miss, not written because it was compiled too fast"
    assert the_card(program).caches.endswith(words)


def test_a_name_of_jax_stays_as_it_is_written() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8)))
    program.trace(key(leaf("x", 9)), entry="make_jaxpr")
    assert the_card(program).answer == "jax.make_jaxpr asked for it; x changed shape f32[8] → f32[9]."


def test_a_compilation_without_a_trace_has_its_own_card() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8, placement="cpu:0", committed=True)))
    moved = key(leaf("x", 8, placement="cpu:1", committed=True))
    program.compile(key=moved, persistent_cache="hit")
    card = the_card(program)
    assert card.question == "Why was step compiled again without a trace? (c2)"
    assert card.answer == "x changed sharding or device cpu:0, committed → cpu:1, committed."
    assert [(part.name, part.verdict) for part in card.parts] == [("x sharding or device", "cause")]
    assert card.caches == "Tracing cache: hit · executable cache: miss · persistent compilation cache: hit"
    assert "`jax.device_put`" in (card.advice or "")


def test_what_is_not_known_shows_the_keys_and_no_cause() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8)))
    program.call(key(leaf("x", 8)))
    card = the_card(program)
    assert card.answer == "Reason not known; all that is compared is as it was: x: f32[8]."
    assert ("x", "f32", "f32", "same") in [(part.name, part.before, part.now, part.verdict) for part in card.parts]
    assert not any(part.verdict == "cause" for part in card.parts)
    assert card.advice is None


def test_advice_belongs_to_the_part_that_changed() -> None:
    program = Program()
    program.define(1, "step")
    for n in (1, 2, 3):
        program.call(key(leaf("x", 8), statics=(static("n", n),)))
    program.call(key(leaf("x", 9), statics=(static("n", 3),)))
    advised = {card.subject: card.advice or "" for card in cards(program).again()}
    assert "Every value of `n`" in advised["f1#2"]
    assert advised["f1#2"] == advised["f1#3"]
    assert "Pad `x`" in advised["f1#4"]


def test_library_functions_have_no_cards() -> None:
    program = Program()
    program.define(1, "_where", origin="library")
    program.call(key(leaf("x", 8)))
    program.call(key(leaf("x", 9)))
    assert cards(program).again() == []


@pytest.mark.parametrize("role", ["static", "traced"])
def test_an_argument_is_shown_as_what_it_was(role: str) -> None:
    program = Program()
    program.define(1, "step")
    told = [Argument(path="n", role=role, type="int", value="3")]
    program.trace(key(leaf("x", 8)), arguments=told)
    program.trace(key(leaf("x", 9)), arguments=told)
    part = next(part for part in the_card(program).parts if part.name == "n")
    assert part.now == ("static 3" if role == "static" else "int")


def test_the_costliest_are_told_in_order_of_time() -> None:
    program = Program()
    for number, seconds in ((1, 0.5), (2, 4.0), (3, 1.0)):
        program.define(number, f"step{number}")
        program.trace(key(leaf("x", 8)), number)
        program.trace(key(leaf("x", 9)), number, seconds=seconds)
    again = cards(program).again()
    assert [card.cost.trace for card in costliest(again, 3)] == [0.5, 4.0, 1.0]
    assert [card.cost.trace for card in costliest(again, 2)] == [4.0, 1.0]


def test_one_function_is_asked_for() -> None:
    program = Program()
    program.define(1, "step")
    program.define(2, "evaluate")
    for number in (1, 2):
        outer = program.begin(key(leaf("x", 8, placement="cpu:0", committed=True)), number)
        program.trace(key(leaf("x", 8)), 1, "call", parent=outer.run)
        program.end(outer)
        program.compile(outer, number)
        program.compile(function=number, key=key(leaf("x", 8, placement="cpu:1", committed=True)))
    for name in ("step", "f1"):
        assert [card.subject for card in cards(program).of_function(name)] == ["f1#1", "c2"]
    assert cards(program).of_function("nothing") == []


def test_a_call_without_a_trace_that_compiles_first() -> None:
    program = Program()
    program.define(1, "step")
    this = key(leaf("x", 8))
    program.compile(program.trace(this, entry="aot_lower"), ahead_of_time=True)
    program.compile(key=this, call_site=Place(file="main.py", line=7))
    *_, card = cards(program).of_function("step")
    assert (card.question, card.answer) == ("Why was step compiled without a trace? (c2)", "First call.")
    assert (card.subject, card.compared, card.parts, card.outer) == ("c2", "", [], None)
    assert card.cost == Cost(trace=0.0, nested=0.0, inner=0, lower=0.25, compile=2.0)
    assert card.call_site == Place(file="main.py", line=7)


def test_a_library_is_not_asked_why_it_compiled() -> None:
    program = Program()
    program.define(1, "_where", origin="library")
    program.call(key(leaf("x", 8, placement="cpu:0", committed=True)))
    program.compile(key=key(leaf("x", 8, placement="cpu:1", committed=True)))
    assert cards(program).again() == []


def test_the_call_and_the_number_of_nested_traces_are_told() -> None:
    program = Program()
    program.define(1, "outer")
    program.define(2, "inner")
    for size in (2, 3):
        outer = program.begin(key(leaf("x", size)))
        for more in (0, 10):
            program.trace(key(leaf("x", size + more)), 2, parent=outer.run, seconds=0.125)
        program.end(outer, 1.0)
    card = next(card for card in cards(program).again() if card.subject == "f1#2")
    assert (card.cost.nested, card.cost.inner, card.outer) == (0.25, 2, None)
    assert card.call_site == Place(file="main.py", line=100)


def test_advice_on_calls_is_none_for_a_trace_inside_another() -> None:
    program = Program()
    program.define(1, "outer")
    program.define(2, "inner")
    for size in (2, 3):
        program.trace(key(leaf("x", size)), 2)
    outer = program.begin(key(leaf("x", 2)))
    program.trace(key(leaf("x", 4)), 2, parent=outer.run)
    program.end(outer)
    advised = {card.subject: card.advice for card in cards(program).again()}
    assert "Pad `x`" in (advised["f2#2"] or "")
    assert advised["f2#3"] is None


def test_advice_on_a_program_of_an_object_that_was_made_anew() -> None:
    program = Program()
    program.define(1, "step")
    program.compile(program.trace(key(leaf("x", 2))))
    program.compile(None, key=key(leaf("x", 3), callable=2, made_by="functools.partial"))
    (told,) = advice(Evidence(program.session.document()))
    assert (told.function, told.kind, told.path) == ("f1", "new_function_object", None)
    assert told.text.startswith("Make the `functools.partial` of `step` once, and keep it in a variable")


def test_what_it_was_compared_with_is_said_where_it_is_not_shown() -> None:
    history = History()
    first = Program(Session(history=history))
    first.define(1, "step")
    first.trace(key(leaf("x", 8)))
    second = Program(Session(history=history))
    second.define(1, "step")
    second.trace(key(leaf("x", 9)))
    assert the_card(second).compared == "Compared with a trace of an earlier recording."
    assert the_card(second).question == "Why was step traced again? (step #1)"
    (trace,) = second.session.traces
    assert trace.compared_with is None
    assert trace.compared_before == EarlierTrace(session=first.session.name, trace="f1#1")
    verdict = verdict_of(second.session.document(), "ok")
    assert verdict.startswith("step was traced once more: 1 retrace"), verdict
    second.session.apply(CachesCleared(function=None))
    second.trace(key(leaf("x", 8)))
    assert cards(second).of_function("step")[-1].compared == "", "two equal keys were not compared part by part"


def test_several_parts_that_differ_are_all_said() -> None:
    program = Program()
    program.define(1, "step")
    program.trace(key(leaf("x", 8), leaf("y")))
    program.trace(key(leaf("x", 9, dtype="i32"), leaf("y")))
    card = the_card(program)
    assert card.answer == "x changed shape f32[8] → i32[9]; x changed dtype f32[8] → i32[9]."
    assert card.compared == "Compared with step #1, the nearest earlier trace: it differs in 2 of 5 parts."


def test_where_no_earlier_key_was_recorded_that_is_said() -> None:
    program = Program()
    program.define(1, "step")
    program.trace(key(leaf("x", 8)), held_before=True)
    assert the_card(program).compared == "No earlier key was recorded to compare with."


def test_what_keeps_no_cache_has_no_misses() -> None:
    program = Program()
    program.define(1, "loss")
    for _ in range(2):
        program.trace(key(leaf("x", 8)), kind="grad")
    last = cards(program).of_function("loss")[-1]
    assert (last.caches, last.compared) == ("", "")


def test_a_document_of_another_program_may_lack_things() -> None:
    program = Program()
    program.define(1, "step")
    program.trace(key(leaf("x", 8)))
    (trace,) = program.session.document().traces
    bare = msgspec.structs.replace(trace, id="f7#1", function="f7", reasons=[])
    card = Cards([], [bare], [], []).of_trace(bare)
    assert (card.question, card.answer) == ("Why was f7 traced? (f7 #1)", "Reason not known.")
    assert (card.compared, card.parts, card.advice) == ("", [], None)


def test_a_compilation_that_nothing_explains_shows_its_keys() -> None:
    program = Program()
    program.define(1, "step")
    program.call(key(leaf("x", 8)))
    program.compile(key=key(leaf("x", 8)))
    (part,) = the_card(program).parts
    assert (part.name, part.before, part.now, part.verdict) == ("cache key", "x: f32[8]", "x: f32[8]", "unknown")
