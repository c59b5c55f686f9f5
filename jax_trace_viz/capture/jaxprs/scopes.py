"""Name stacks as text."""

from __future__ import annotations

from typing import Any


def scope_text(stack: Any) -> str:
    """A name stack as JAX prints it: `transpose(jvp(loss))/layer`.

    JAX 0.6 leaves out transformations outside all names, which newer JAX prints as `jvp()`: without them one could not
    tell the backward pass of code that names no scopes.
    """
    parts: list[str] = []
    for element in reversed(stack.stack):
        if type(element).__name__ != "Transform":
            parts.append(element.name)
        elif parts:
            parts[-1] = f"{element.name}({parts[-1]})"
        else:
            parts.append(f"{element.name}()")
    return "/".join(reversed(parts))
