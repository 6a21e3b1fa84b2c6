# make demo   set everything up, and show a game in a file, and one by mail, in a hundred lines
# make test   set everything up and run every check
# make quick  lint, types and the fast tests, in about a minute
# make exhaustive  one eighth of the longest tests, another with each change; all of them: make exhaustive ALL=1
# make fuzz   damage samples for ten minutes, from another SEED
# make bench  speed, as ratios to a yardstick
# make dist   what a release uploads: wheel and source archive, in dist/, the same bytes for the same commit and tools
# make screens  screenshots of boards and pages of all rulesets, to be looked at
PYTHON ?= python3
# A number made of the code, so that the same code always gets the same examples, also in a clone without history
SEED ?= $(shell find tkid tests -name '*.py' | LC_ALL=C sort | xargs cat | cksum | cut -d ' ' -f 1)
BUILD := .build
VENV := $(BUILD)/venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# How many examples hypothesis tries: tkid 30, ci 100, or as many as a test says (tests/conftest.py)
PROFILE ?= tkid
# Seconds of the processor that one case of a test may take; what takes longer is left to `make exhaustive`
LONGEST ?= 0.5
PYTEST = $(BIN)/python -m pytest -n 2 --dist worksteal --hypothesis-seed=$(SEED) --hypothesis-profile=$(PROFILE) --longest=$(LONGEST)
# What each part took is noted, and shown at the end of `make test`: whoever adds to one sees what it costs
TIMES := $(CURDIR)/$(BUILD)/times
TIMED := $(BIN)/python -m tests.times $(TIMES)
BEGIN = mkdir -p $(BUILD) && date +%s >$(TIMES)
# Bytecode is kept, whatever the environment says: compiling anew takes longer than collecting, and tests start the program often
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(BUILD)/bytecode
# How hard the site is packed into the wheel: 9 for a release, 0 where the wheel is only tried
PRESET ?= 9

.PHONY: help demo test quick lint contracts types units exhaustive fuzz docs docs-offline wheel dist bench screens mutation clean

help:
	@sed -n 's/^# //p' Makefile | head -8

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit("tkid needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/core: pyproject.toml $(VENV)/pyvenv.cfg
	@echo "Setting up tkid in $(VENV) ..."
	@$(PIP) install --editable '.[host]'
	@touch $@

$(VENV)/all: pyproject.toml $(VENV)/pyvenv.cfg
	@echo "Setting up tkid with its checks in $(VENV) ..."
	@$(PIP) install --editable '.[test,docs]'
	@$(PIP) install --prefer-binary --editable '.[learning]' || echo "No PettingZoo or OpenSpiel for this machine: their tests are skipped"
	@$(PIP) install --prefer-binary --editable '.[cluster,examples]' || echo "No Dask, Ray or Polars for this machine: their tests are skipped"
	@touch $@ $(VENV)/core

demo: $(VENV)/core
	@rm -rf $(BUILD)/demo
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.demo $(BUILD)/demo

lint: $(VENV)/all
	$(TIMED) lint $(BIN)/ruff check .
	$(TIMED) lint $(BIN)/ruff check --preview --select PLW1514 . # text is UTF-8, whatever the locale
	$(TIMED) lint $(BIN)/ruff format --check .

contracts: $(VENV)/all
	$(TIMED) contracts $(BIN)/lint-imports

types: $(VENV)/all
	$(TIMED) types $(BIN)/mypy

quick: PROFILE = quick
quick: lint contracts types
	@echo "hypothesis seed $(SEED)"
	$(PYTEST) -m "not slow and not exhaustive"

units: $(VENV)/all
	@echo "hypothesis seed $(SEED)"
	TKID_TIMES=$(TIMES) $(TIMED) tests $(PYTEST) -m "not exhaustive"

exhaustive: $(VENV)/all
	@echo "hypothesis seed $(SEED)"
	$(PYTEST) -m exhaustive --durations=10 $(if $(ALL),,--eighth=$(shell expr $(SEED) % 8))

fuzz: $(VENV)/all
	TKID_FUZZ_SEED=$(SEED) TKID_FUZZ_CASES=35000 $(PYTEST) tests/fuzz -k damaged

docs: $(VENV)/all
	@$(TIMED) site $(BIN)/python -m docs.making.build $(BUILD)/site
	@echo "The site is in $(BUILD)/site"

docs-offline: docs
	@$(TIMED) site $(BIN)/python -m docs.making.folder $(BUILD)/site $(BUILD)/site-offline
	@echo "Open $(BUILD)/site-offline/index.html"

wheel: docs-offline
	@$(TIMED) wheel $(BIN)/python -m docs.making.packed $(BUILD)/site-offline tkid/site.zip.xz $(PRESET)
	@$(TIMED) wheel sh tests/smoke.sh "$(CURDIR)/$(BIN)/python" "$(BUILD)"

dist: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
dist: wheel
	@$(PIP) install build twine
	@rm -rf dist
	@$(BIN)/python -m build --outdir dist
	@$(BIN)/python -m twine check --strict dist/*
	@$(BIN)/python -m pip hash dist/*

test: $(VENV)/all
	@$(BEGIN)
	@$(MAKE) --no-print-directory -j2 -O types lint contracts wheel PRESET=0 # two at a time: each is one process
	@TKID_SITE=$(CURDIR)/$(BUILD)/site $(MAKE) --no-print-directory units # they look at the site that was just built
	@$(TIMED)

bench: $(VENV)/all
	@$(PIP) install '.[bench]'
	@$(BIN)/python -m benchmarks.bench

screens: $(VENV)/all
	@$(BIN)/python -m tests.makers.screens $(BUILD)/screens

mutation: $(VENV)/all
	@$(PIP) install '.[mutation]'
	$(BIN)/mutmut run

clean:
	rm -rf $(BUILD) dist site mutants tkid/site.zip.xz
