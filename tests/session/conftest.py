"""What the tests of the session begin with."""

from __future__ import annotations

import pytest

from tests.session.events import Program


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define()
    return program
