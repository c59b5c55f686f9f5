"""The contract: the plain-data types that capture, session, exports and front end share.

`events` is what `capture/` tells `session/`; `document` is what a session holds and saves; `view` is what the front end
draws. The JSON schema and the TypeScript types are generated from them (`python -m jax_trace_viz.contract`).
"""

SCHEMA_VERSION = 1
"""Version of every message and document; raised when a reader of the old form would misread the new one."""
