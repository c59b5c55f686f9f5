"""`python -m jax_trace_viz`."""

from jax_trace_viz.cli import main

raise SystemExit(main())
