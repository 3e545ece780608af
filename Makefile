# Python 3.11 and make are enough; everything else goes into .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PIP_OPTIONS := --quiet --disable-pip-version-check
TORCH := 2.13.0
# Where to take torch from instead of the default index, for a build without CUDA.
TORCH_INDEX ?=

BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
# Checks must not touch the database of whoever runs them.
NO_DATABASE := DATABASE_URL=postgres://127.0.0.1:1/none LONGHAND_HOME=/nonexistent
TEMPLATES = $(shell find templates -name '*.html')

.PHONY: install install-dev run demo test drills lint format bench lock clean
.DEFAULT_GOAL := run

install: .venv/.installed
install-dev: .venv/.installed-dev

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' || \
		{ echo 'Python 3.11 or 3.12 is needed. Set PYTHON=/path/to/python3.11.' >&2; exit 2; }
	$(PYTHON) -m venv .venv

# Alone and first: a looser range, or one resolution with the rest, brings gigabytes of CUDA.
.venv/.torch-$(TORCH): | .venv/bin/python
	$(BIN)/python -m pip install $(PIP_OPTIONS) \
		$(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch==$(TORCH)
	@$(BIN)/python -c "$$TORCH_REPORT"
	@touch $@

.venv/.installed: requirements.lock .venv/.torch-$(TORCH)
	$(BIN)/python -m pip install $(PIP_OPTIONS) --no-deps --require-hashes -r requirements.lock
	@touch $@

.venv/.installed-dev: requirements-dev.lock .venv/.torch-$(TORCH)
	$(BIN)/python -m pip install $(PIP_OPTIONS) --no-deps --require-hashes -r requirements-dev.lock
	@touch .venv/.installed $@

define TORCH_REPORT
import importlib.util, pathlib, runpy
package = pathlib.Path(importlib.util.find_spec("torch").origin).parent
build = runpy.run_path(str(package / "version.py"))
print("torch", build["__version__"])
if build.get("cuda"):
    print("This torch is a CUDA build of several GB, which Longhand does not need. For a small one:")
    print("  make clean install TORCH_INDEX=<the address of PyTorch's CPU packages>")
endef
export TORCH_REPORT

# `exec`, so that Ctrl-C reaches one process, which then ends the others.
run: install
	@$(MANAGE) export_embedder
	@exec $(MANAGE) up

# In a home of its own, so that samples and memories never mix.
demo: export LONGHAND_HOME := $(or $(LONGHAND_HOME),$(HOME)/.longhand-demo)
demo: install
	@$(MANAGE) export_embedder
	@$(MANAGE) load_demo
	@exec $(MANAGE) up

test: install-dev
	$(BIN)/python -m pytest -m "not slow"

drills: install-dev
	$(BIN)/python -m pytest -m slow -n 2 --dist loadscope --no-loadscope-reorder

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(if $(TEMPLATES),$(BIN)/djade --check $(TEMPLATES))
	$(BIN)/lint-imports
	$(NO_DATABASE) $(BIN)/mypy
	$(BIN)/deptry .
	$(NO_DATABASE) PYTHONWARNINGS=ignore::RuntimeWarning $(MANAGE) makemigrations --check --dry-run
	$(NO_DATABASE) $(MANAGE) vendor_assets --check

format: install-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(if $(TEMPLATES),$(BIN)/djade $(TEMPLATES))

bench: install-dev
	$(BIN)/python -m bench.speed --json bench/results/speed.json
	$(BIN)/python -m bench.capture --blind
	$(NO_DATABASE) $(MANAGE) train_classifier --check

LOCK := CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/pip-compile --quiet --generate-hashes \
	--strip-extras --no-annotate --no-emit-index-url --no-emit-find-links \
	--no-emit-trusted-host --unsafe-package torch

lock: install-dev
	$(LOCK) --output-file requirements.lock pyproject.toml
	$(LOCK) --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	sed -i '/^# WARNING/,$$d' requirements.lock requirements-dev.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
