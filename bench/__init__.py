"""What recording costs: ratios measured in one run, on real JAX. `python -m bench` prints and saves them."""
