"""Server of the browser tests: wide open (no token, no xsrf check), so on the loopback address only."""

from jupyterlab.galata import configure_jupyter_server

configure_jupyter_server(c)  # noqa: F821  (traitlets puts `c` here)

c.ServerApp.ip = "127.0.0.1"  # noqa: F821
c.ServerApp.allow_root = True  # noqa: F821
c.LabApp.news_url = None  # noqa: F821
# Notebook 7 shows `window.jupyterapp`, which the tests wait for, only when asked.
c.JupyterNotebookApp.expose_app_in_browser = True  # noqa: F821
c.Application.log_level = "ERROR"  # noqa: F821
