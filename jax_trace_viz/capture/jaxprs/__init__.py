"""Jaxprs as plain records, with the arrays that were baked into them."""
