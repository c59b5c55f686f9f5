"""Jaxprs as the session document holds them, with the lines of source that their equations came from."""

from __future__ import annotations

from jax_trace_viz.contract.record import Origin, Record


class Frame(Record):
    """One call frame that staged equations; `parent` (an index into the frames) is the frame that called it."""

    file: str
    function: str
    line: int
    end_line: int
    column: int
    end_column: int
    parent: int | None
    origin: Origin


class SubJaxpr(Record):
    """A jaxpr inside an equation's parameters: `parameter` says which (`jaxpr`, `branches[1]`, `body_jaxpr`)."""

    parameter: str
    jaxpr: str


class Equation(Record):
    """One equation. Inputs are variable numbers, or text for literals (`2.0:f32[]`)."""

    primitive: str
    inputs: tuple[int | str, ...]
    outputs: tuple[int, ...]
    parameters: dict[str, str] = {}
    """Short texts of the parameters that are no jaxprs; long ones are cut."""
    jaxprs: list[SubJaxpr] = []
    frame: int | None = None
    """Index into the document's frames of the innermost frame outside JAX."""
    scope: str = ""
    """JAX's name stack, outermost first, joined by `/` (`transpose(jvp(loss))/layer`)."""
    effects: list[str] = []


class Jaxpr(Record):
    """One jaxpr, written once however often it is used.

    Variables are numbered; `types[n]` is the type of variable n.
    """

    id: str
    inputs: list[int]
    outputs: list[int | str]
    constants: list[int]
    types: list[str]
    equations: list[Equation]
    input_names: list[str] = []
    """Key paths of the inputs (`params['w']`) where JAX knows them, else empty."""
    output_names: list[str] = []
    constant_names: list[str] = []
    """What the user's body calls each of `constants` (`w`, `cfg['w']`), empty where that is not known."""
    function: str = ""
    """Name of the function that it was traced from, where JAX tells it."""
    dropped_equations: int = 0
    """Equations beyond the recording cap: counted, not kept."""
    needed: int | None = None
    """The variable whose value Python needed, if that is why the trace failed."""
