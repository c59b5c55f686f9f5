"""Where the notebook is open: what the kernel can know about it."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def cannot_have_labextension(shell: InteractiveShell) -> bool:
    """VS Code and Colab draw notebooks themselves; there the widget is the only live view.

    Everywhere else we show no widget unasked: JupyterLab without our labextension shows the output's HTML, and a widget
    view would be saved in the notebook and show an error when it is opened again.
    """
    return "__vsc_ipynb_file__" in shell.user_ns or _in_colab()


def prepare_widgets() -> None:
    """Lets Colab show widgets that are not its own.

    Anywidget switches Colab's custom widget manager on, where this module of Colab's is imported.
    """
    if _in_colab():
        importlib.import_module("google.colab.output")


def _in_colab() -> bool:
    return "google.colab" in sys.modules
