"""Layout engines: boxes and lines in, positions out."""
