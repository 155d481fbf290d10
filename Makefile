# Two commands for a fresh machine with Python 3.11+ and git:
#   make demo    repairs a small broken repository before your eyes
#   make test    sets up and passes the tests (also needs Node)

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV := .venv
RUN := $(VENV)/bin/python
WORKERS ?= auto
# One more than there are processors: the longest stories mostly wait for a service that comes back.
SYSTEM_WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))
TESTS ?= tests
FUZZ_SECONDS ?= 60
BENCH ?=

# Every worker would compile and rewrite all test modules, and every pytest that fixloop starts its plugins.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-system fuzz bench check format schemas clean
.DEFAULT_GOAL := test

$(RUN):
	@test -n "$(PYTHON)" || { echo "fixloop needs Python 3.11 or newer with venv; none was found. Set PYTHON=/path/to/python3." >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) || { echo "python could not make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.demo: $(RUN) pyproject.toml
	@echo "setting up (once, about a minute) …" >&2
	@$(RUN) -m pip install --quiet --disable-pip-version-check -e '.[demo]'
	@touch $@

$(VENV)/.dev: $(RUN) pyproject.toml
	@echo "setting up (once, about a minute) …" >&2
	@$(RUN) -m pip install --quiet --disable-pip-version-check -e '.[demo,dev]'
	@touch $@

$(VENV)/.fuzz: $(VENV)/.dev
	@$(RUN) -m pip install --quiet --disable-pip-version-check -e '.[demo,dev,fuzz]'
	@touch $@

demo: $(VENV)/.demo
	@$(RUN) -m fixloop_bot demo

check: $(VENV)/.dev
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	PYTHONPATH=. $(RUN) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

test: check
	@command -v node >/dev/null || { echo "the tests need Node 20 or newer" >&2; exit 1; }
	$(RUN) -m pytest -n $(WORKERS) --dist worksteal -m "not system" $(TESTS)

test-system: $(VENV)/.dev
	$(RUN) -m pytest -n $(SYSTEM_WORKERS) --dist loadfile --no-loadscope-reorder -m system --timeout 1500 --durations 12 \
		tests/system

# Three parts of the time for the parsers, one for masking, excerpts and redaction; faults stay under build/fuzz.
fuzz: $(VENV)/.fuzz
	$(RUN) -m tests.hostile.fuzz parsers --seconds $$(( $(FUZZ_SECONDS) * 3 / 4 )) --keep build/fuzz
	$(RUN) -m tests.hostile.fuzz core --seconds $$(( $(FUZZ_SECONDS) / 4 )) --keep build/fuzz

# BENCH="log growth" runs these alone.
bench: $(VENV)/.dev
	$(RUN) -m bench $(BENCH)

format: $(VENV)/.dev
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

clean:
	rm -rf $(VENV) .tools build .mypy_cache .ruff_cache .hypothesis *.egg-info
