# make lab         open the notebooks in JupyterLab
# make test        run every check
# make proofs      run the slower proofs: attacks on files, notebooks in any order
# make notebooks   run the notebooks and save them with their outputs
# make bench       measure the speed of the engine
# make lock        pin requirements.in anew in requirements.txt (needs uv)
#
# The first of these installs what is pinned into .venv. PYTHON chooses what to build it from, and
# ARGS is passed on: make lab PYTHON=python3.12 ARGS=--no-browser, make lock ARGS=--upgrade.

.PHONY: help lab test proofs notebooks bench lock

# The first of the usual names that is new enough.
PYTHON ?= $(or $(shell for python in python3 python python3.15 python3.14 python3.13 python3.12 \
	python3.11; do $$python -c '$(CHECK)' 2>/dev/null && echo $$python && break; done),python3)
CHECK := import sys; sys.version_info >= (3, 11) or sys.exit( \
	"Sakura needs Python 3.11 or newer, not %d.%d: try make PYTHON=python3.12" % sys.version_info[:2])

PY := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
READY := .venv/ready

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

lab: $(READY)
	$(PY) -m jupyterlab $(ARGS) notebooks/00_start_here.ipynb

test: $(READY)
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(PY) tests/check_saved.py notebooks
	$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder
	TQDM_DISABLE=1 $(PY) -m pytest -n 2 --dist loadfile --nbval notebooks --nbval-current-env --nbval-cell-timeout=60 \
		--nbval-sanitize-with tests/sanitize.cfg

proofs: $(READY)
	$(PY) -m pytest -m slow -n 2 --dist loadfile --no-loadscope-reorder --timeout=1200

notebooks: $(READY)
	TQDM_DISABLE=1 $(PY) -m nbconvert --to notebook --execute --inplace \
		--ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False notebooks/*.ipynb

bench: $(READY)
	$(PY) -m benchmarks $(ARGS)

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes $(ARGS) \
		requirements.in --output-file requirements.txt

# Written last, so that an install cut short is taken up again.
$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c '$(CHECK)'
	$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	$(PY) -m pip install --disable-pip-version-check --require-hashes -r requirements.txt
	$(PY) -m pip install --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
