# Each target is a command of tools/dev.py: `python tools/dev.py test` is the same as `make test`.
# PYTHON=python3.12 chooses the interpreter, ARGS="…" passes arguments on.

PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: bench build clean compat coverage format help lab lint peers soak system-packages test totals

bench build clean compat coverage format help lab lint peers soak system-packages test totals:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "There is no '$(PYTHON)' here: install Python 3.11 or newer, or name one with PYTHON=…." >&2; exit 1; }
	@exec "$(PYTHON)" tools/dev.py $@ $(ARGS)
