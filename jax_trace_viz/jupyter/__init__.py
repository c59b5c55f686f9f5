"""The notebook side: the magic, the live stream to the front end, the cell's output and the widget.

Only this package imports IPython, ipykernel, comm and anywidget. It reads sessions and never touches JAX.
"""
