from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from tests.jupyter.kernels import Kernel


@pytest.fixture
def shell():
    """An IPython shell that keeps no history on disk."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    yield shell
    shell.reset()


@pytest.fixture(scope="module")
def kernel():
    """A kernel with the extension, shared by a module's tests."""
    kernel = Kernel("%load_ext jax_trace_viz")
    yield kernel
    kernel.stop()


@pytest.fixture
def fresh_kernel():
    """A kernel of the test's own, with the extension."""
    kernel = Kernel("%load_ext jax_trace_viz")
    yield kernel
    kernel.stop()
