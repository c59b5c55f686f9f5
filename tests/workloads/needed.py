"""What the programs in `programs/` need."""

from __future__ import annotations

NEEDED: dict[str, tuple[str, ...]] = {
    "equinox_mlp": ("equinox", "optax"),
    "flax_transformer": ("flax", "optax"),
    "diffrax_neural_ode": ("diffrax", "equinox"),
    "numpyro_nuts": ("numpyro",),
    "haiku_lstm": ("haiku", "optax"),
    "jraph_graphs": ("jraph",),
    "blackjax_nuts": ("blackjax",),
    "optimistix_fit": ("optimistix", "lineax"),
}
"""Program → packages."""
