# Firstbreak. All that is needed is Python 3.11 or later and make.
SHELL := /bin/sh
PORT ?= 8000
WORKERS ?= 2
LANGUAGE ?= fr

RUNTIME := .venv/.runtime-installed
DEVELOPMENT := .venv/.development-installed
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install --require-hashes
# Tests of one file share what is slow to start, so a file stays in one process.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --quiet pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help install run test bench soak lint format messages lock clean

help: ## Show the commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

install: $(RUNTIME) ## Make .venv/ and install what the service needs

run: $(RUNTIME) ## Serve the demo on http://127.0.0.1:8000 (PORT= changes it); Ctrl-C ends it
	@DEMO=1 exec $(BIN)/python manage.py serve --port "$(PORT)"

test: $(DEVELOPMENT) ## Run the whole suite, on SQLite and on PostgreSQL
	TEST_DB=sqlite $(PYTEST)
	TEST_DB=postgresql $(PYTEST)

bench: $(DEVELOPMENT) ## Measure: one table, and one JSON line a figure (BENCH_RESULTS=1000000 for a million grades)
	@$(BIN)/python -m tests.benchmarks

soak: $(DEVELOPMENT) ## Run the slow tests too: a million inputs, a minute of releases, a class at once
	$(BIN)/python -m pytest -m soak

lint: $(DEVELOPMENT) ## Check style, types, imports, templates, migrations, schema and deployment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	DEMO=1 $(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/djlint --check --lint assessment
	DEMO=1 $(BIN)/python manage.py makemigrations --check --dry-run
	DEMO=1 $(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null
	DEMO=0 SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
		ALLOWED_HOSTS=firstbreak.example $(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(DEVELOPMENT) ## Format code and templates
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/djlint --quiet --reformat assessment

messages: $(DEVELOPMENT) ## Collect and compile the strings of LANGUAGE=fr (needs GNU gettext)
	mkdir -p locale
	DEMO=1 $(BIN)/python manage.py makemessages --locale "$(LANGUAGE)" --ignore ".venv/*" --ignore "var/*"
	DEMO=1 $(BIN)/python manage.py compilemessages --locale "$(LANGUAGE)" --ignore ".venv/*"

lock: $(DEVELOPMENT) ## Make the lock files again from pyproject.toml
	$(LOCK) --output-file requirements.lock
	$(LOCK) --group dev --output-file requirements-dev.lock

clean: ## Remove the environment and the demo's data
	rm -rf .venv var build staticfiles

$(RUNTIME): requirements.lock | .venv/.made
	@echo "Installing what the service needs into .venv/ (this once) …"
	@$(PIP) -r requirements.lock
	@touch $@

$(DEVELOPMENT): requirements-dev.lock | $(RUNTIME)
	@echo "Installing what tests and checks need into .venv/ (this once) …"
	@$(PIP) -r requirements-dev.lock
	@touch $@

.venv/.made:
	@for python in "$(PYTHON)" python3 python3.13 python3.12 python3.11 python3.14 python; do \
		if "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
		then "$$python" -m venv .venv && touch $@ && exit 0; fi; \
	done; \
	echo "Python 3.11 or later with its venv module is needed" \
		"(on Debian: apt-get install python3-venv), or name one: make PYTHON=/path/to/python3" >&2; \
	exit 1
