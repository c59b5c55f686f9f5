"""The promises that hold for every program: it is told rightly, and it does not notice."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from tests.capture.counting import Ran
from tests.capture.observing import observe
from tests.capture.programs import PROGRAMS
from tests.capture.told import recorded

LEAK_CHECKED = {name for name in PROGRAMS if not name.startswith("failing.") and "thousands" not in name}
"""JAX's own leak checker takes minutes for thousands of arguments, and an exception that is caught keeps tracers."""

every_program = pytest.mark.parametrize("name", sorted(PROGRAMS))


@every_program
def test_each_run_of_a_body_is_told_once(name: str) -> None:
    observed = observe(name)
    assert observed.told.runs() == observed.recorded.counts


@every_program
def test_the_program_computes_the_same(name: str) -> None:
    observed = observe(name)
    for recorded_value, plain_value in zip(observed.recorded.result, observed.plain.result, strict=True):
        np.testing.assert_array_equal(recorded_value, plain_value, strict=isinstance(plain_value, np.ndarray))


@every_program
def test_jax_traces_and_compiles_as_often(name: str) -> None:
    observed = observe(name)
    assert observed.recorded.counts == observed.plain.counts
    assert observed.recorded.events == observed.plain.events


@every_program
def test_jax_compiles_the_same_programs_to_the_letter(name: str) -> None:
    observed = observe(name)
    assert observed.recorded.compiled == observed.plain.compiled


@every_program
def test_no_tracer_is_kept_alive(name: str) -> None:
    observed = observe(name)
    assert observed.recorded.tracers_left == observed.plain.tracers_left == 0


@pytest.mark.parametrize("name", sorted(LEAK_CHECKED))
def test_the_leak_checker_of_jax_finds_nothing(name: str) -> None:
    ran = Ran()
    with jax.checking_leaks(), recorded() as told:
        PROGRAMS[name](ran)
    assert told.runs() == ran.counts
