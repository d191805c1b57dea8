# make run    start the app on http://127.0.0.1:8501   (HOST=, PORT= to change)
# make test   the whole test suite   (WORKERS=)
# make long   what the suite does not have the time for: every pinned scenario, 24 sheets of owning,
#             every cell of another simulator's table of placements, the worst files in twenty tabs,
#             protocols by fio, 2,000 steps of random walks over the app
# make fuzz   mutated inputs for every parser, guided by the code that they reach   (FUZZ=3600, SEED=2)
# make check  format, lint, types, layering, dialect, lock file
# make matrix the tests on every Python that is supported, those that can be had   (PYTHONS=, ARGS=)
# make audit  known weaknesses of the locked libraries, where their list can be reached
# make screenshots   the pictures of the app in the documents
# make components   short loads of PostgreSQL, MariaDB, Redis, etcd, WiredTiger and RocksDB beside their
#             formulas, where they are installed: two minutes (COMPONENTS=build: less; pip install rocksdict)
# make counts the same, and longer loads of SQLite, PostgreSQL and RocksDB, as a page: ten minutes
# make ready  install what setup and check do, faster: with uv
# make lock   recompile the requirements from the ranges in pyproject.toml (make lock UPGRADE=--upgrade)

PYTHON ?= $(shell command -v python3.11 || command -v python3)
HOST ?= 127.0.0.1
PORT ?= 8501
FUZZ ?= 60
SEED ?= 1
# One more than there are processors: a test that waits for a browser or an office leaves one idle.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) + 1)
PYTHONS ?= 3.11 3.12 3.13
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header

.PHONY: setup ready run test long fuzz typed-inputs check matrix audit screenshots components counts lock drift docs bench clean

setup: $(VENV)/.ready

$(BIN)/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
	  { echo "$(PYTHON) is older than Python 3.11; name another: make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: requirements.txt | $(BIN)/python
	$(PIP) install --require-hashes -r requirements.txt
	touch $@

$(VENV)/.ready-dev: requirements-dev.txt $(VENV)/.ready
	$(PIP) install --require-hashes -r requirements-dev.txt
	touch $@

# Both at once by uv, as the build does: pip checks uv, and uv takes a fraction of its time.
ready: | $(BIN)/python
	awk '/^[^ #]/ { wanted = /^uv==/ } wanted' requirements-dev.txt > $(VENV)/uv.txt
	$(PIP) install --require-hashes -r $(VENV)/uv.txt
	$(BIN)/uv pip install --quiet --require-hashes --python $(BIN)/python \
	  -r requirements.txt -r requirements-dev.txt
	touch $(VENV)/.ready $(VENV)/.ready-dev

run: setup
	$(BIN)/python -m streamlit run app.py --server.address $(HOST) --server.port $(PORT)

# Bytecode is kept, whatever the shell says: tests of workers and commands start many interpreters.
test: export PYTHONDONTWRITEBYTECODE :=
test: setup
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal $(ARGS)

long: export LONG := 1
long: setup
	$(MAKE) fuzz FUZZ=1800 SEED=$$(date +%s) ARGS="--record tests/fuzz/runs.jsonl"
	$(BIN)/python -m tests.server_load --record tests/data/server_loads.jsonl
	$(BIN)/python -m pytest --numprocesses=$(WORKERS) tests/test_eager.py \
	  tests/planner/export/test_owning_cells.py tests/simulator/test_placements.py \
	  tests/planner/test_first_screens.py tests/planner/test_protocol_run.py $(ARGS)
	SEED=$$(date +%s) $(BIN)/python -m pytest --numprocesses=$(WORKERS) tests/app/test_walks.py $(ARGS)
	$(BIN)/python -m tests.walks_page > docs/evidence/walks.md

# Inputs that reach new code stay in .fuzz, so that each run goes on from the one before.
fuzz: $(VENV)/.ready-dev
	$(BIN)/python -m tests.fuzz.guided --seconds $(FUZZ) --seed $(SEED) $(ARGS)

check: $(VENV)/.ready-dev drift
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.dialect
	$(BIN)/python -m tests.fuzz --inputs 12000

# uv takes what is on the PATH or under pyenv, and fetches what it can; the rest is skipped, and said.
matrix: export PATH := $(PATH):$(subst $() ,:,$(wildcard $(HOME)/.pyenv/versions/3.1*/bin))
matrix: $(VENV)/.ready-dev
	@failed=; for version in $(PYTHONS); do \
	  place=$(VENV)/matrix/$$version; \
	  if ! $(BIN)/uv venv --quiet --allow-existing --python $$version $$place; then \
	    echo "Python $$version: skipped: it is not here and cannot be fetched"; continue; \
	  fi; \
	  if $(BIN)/uv pip install --quiet --require-hashes -r requirements.txt --python $$place \
	    && $$place/bin/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal $(ARGS); \
	  then echo "Python $$version: passed"; else failed="$$failed $$version"; fi; \
	done; \
	test -z "$$failed" || { echo "failed on:$$failed"; exit 1; }

typed-inputs: setup
	$(BIN)/python -m tests.typed_inputs > planner/script/typed_inputs.py.new
	mv planner/script/typed_inputs.py.new planner/script/typed_inputs.py

components: export COMPONENTS ?= all
components: setup
	$(BIN)/python -m pytest tests/test_components.py tests/test_fitted_counts.py $(ARGS)

counts: setup
	$(BIN)/python -m tests.components $(ARGS) > docs/evidence/components.md.new
	mv docs/evidence/components.md.new docs/evidence/components.md

screenshots: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks.screenshots $(ARGS)

audit: $(VENV)/.ready-dev
	@$(BIN)/python -m tests.audit

# The lock files hold what the ranges of pyproject.toml resolve to; versions are
# compared, not hashes, because publishers add files to a version later on.
drift: $(VENV)/.ready-dev
	@cp requirements.txt $(VENV)/drift.txt && cp requirements-dev.txt $(VENV)/drift-dev.txt
	@$(COMPILE) pyproject.toml --extra test -o $(VENV)/drift.txt
	@$(COMPILE) --group pyproject.toml:dev -c requirements.txt -o $(VENV)/drift-dev.txt
	@for pair in requirements:drift requirements-dev:drift-dev; do \
	  grep -E '^[a-z].*==' $${pair%%:*}.txt > $(VENV)/locked; \
	  grep -E '^[a-z].*==' $(VENV)/$${pair##*:}.txt > $(VENV)/resolved; \
	  diff $(VENV)/locked $(VENV)/resolved || { echo "$${pair%%:*}.txt is out of date: run make lock"; exit 1; }; \
	done
	@! grep -nE 'https?://|--(extra-)?index-url|--find-links' requirements*.txt

lock: $(VENV)/.ready-dev
	$(COMPILE) $(UPGRADE) pyproject.toml --extra test -o requirements.txt
	$(COMPILE) $(UPGRADE) --group pyproject.toml:dev -c requirements.txt -o requirements-dev.txt

docs: setup
	$(BIN)/python -m tests.reviews_page > docs/evidence/reviews.md
	$(BIN)/python -m tests.inputs_page > docs/reference/inputs.md

# All parts, whatever one misses; a table, bench.json and docs/evidence/speed.md (make bench PARTS="choice").
bench: setup
	$(BIN)/python -m benchmarks $(PARTS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
