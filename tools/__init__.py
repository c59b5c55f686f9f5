"""What the Makefile calls: standard library only, so that any supported Python runs it as it is."""
