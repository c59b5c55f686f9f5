"""Values that a body reads from outside, and whether they have changed since."""
