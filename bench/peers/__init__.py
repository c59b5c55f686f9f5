"""Other tools beside this one, on the same programs; each in an environment of its own."""
