# hanpan: `make run` and `make test` set up all they need; everything else builds on them.

# The system's own before any other: distributions build it with profile-guided optimisation, which a room notices.
PYTHON ?= $(firstword $(shell for python in /usr/bin/python3.11 python3.11; do \
	$$python -c 'import ensurepip' 2>/dev/null && echo $$python; done) python3.11)
VENV := .venv
BIN := $(VENV)/bin
HANPAN := $(BIN)/hanpan

.DEFAULT_GOAL := help
.PHONY: help env browser prometheus run test check format bench soak schemas generated clean

help: ## say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

env: $(VENV)/.ready ## make the environment in .venv

$(VENV)/.ready: requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

browser: ## install what the page's tests need, chromium and node, where Debian's packages can be installed
	@for need in chromium node; do command -v $$need >/dev/null || missing=1; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium nodejs fonts-noto-cjk >/dev/null; \
	fi; \
	for need in chromium node; do command -v $$need >/dev/null || echo "no $$need: the tests that need it are skipped"; done

prometheus: ## install what the tests of dashboards and alerts need, where Debian's packages can be installed
	@if ! command -v promtool >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus >/dev/null; \
		if [ -d /run/systemd/system ]; then systemctl disable --now -q prometheus; fi; \
	fi; \
	command -v promtool >/dev/null || echo "no prometheus: the tests of dashboards and alerts are skipped"

run: env ## start a whole hanpan on this machine; prints the address to open
	$(HANPAN) up

test: env browser prometheus ## run all tests
	if command -v node >/dev/null; then node --test gateway/web/tests/; fi
	$(BIN)/python -m pytest

check: env ## format, lint, types, import arrows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: env ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: env ## measure: engines, memory and idle CPU of room processes, cost of a turn, kill to next action
	$(BIN)/python -m engines.bench
	$(BIN)/python -m ops.bench.rooms idle
	$(BIN)/python -m ops.bench.rooms cost
	$(BIN)/python -m ops.bench.rooms cost --period 0
	$(BIN)/python -m ops.bench.rooms gap

soak: env ## 150 rooms of bots for ten minutes: nothing missed, nothing growing, nothing left
	$(BIN)/python -m ops.bench.rooms soak

schemas: env ## make the client protocol's JSON Schemas from its types
	$(BIN)/python -m gateway.schemas

generated: env ## make what is committed as made under ops/: dashboards, SLO rules, the table of metrics
	$(BIN)/python -m ops.generated

clean: ## remove the environment and everything made
	rm -rf $(VENV) *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
