# hanpan: `make run` and `make test` set up all they need; everything else builds on them.

# The system's own before any other: distributions build it with profile-guided optimisation, which a room notices.
PYTHON ?= $(firstword $(shell for python in /usr/bin/python3.11 python3.11; do \
	$$python -c 'import ensurepip' 2>/dev/null && echo $$python; done) python3.11)
VENV := .venv
BIN := $(VENV)/bin
HANPAN := $(BIN)/hanpan

.DEFAULT_GOAL := help
.PHONY: help env browser prometheus run test test-all check format bench pagespeed soak evening chaos fuzz sbom audit image schemas generated clean

help: ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

env: $(VENV)/.ready ## make the environment in .venv

$(VENV)/.ready: requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

browser: ## install what the page's tests need: chromium and node from Debian, the type checker and axe from npm
	@for need in chromium:chromium node:nodejs npm:npm; do \
		command -v $${need%:*} >/dev/null || missing="$$missing $${need#*:}"; \
	done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing fonts-noto-cjk >/dev/null; \
	fi; \
	for need in chromium node npm; do command -v $$need >/dev/null || echo "no $$need: the tests that need it are skipped"; done
	@$(MAKE) --no-print-directory .node/.ready

# Tools for the page's tests; the page itself needs nothing of npm.
.node/.ready: package.json
	@mkdir -p .node && cp package.json .node/; \
	if ! command -v npm >/dev/null; then echo "no npm: the page's types are not checked, nor its accessibility by axe"; \
	elif npm install --prefix .node --silent --no-audit --no-fund --no-package-lock; then touch $@; \
	else echo "npm could not install: the page's types are not checked, nor its accessibility by axe"; fi

prometheus: ## install what the tests of dashboards and alerts need, where Debian's packages can be installed
	@if ! command -v promtool >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus >/dev/null; \
		if [ -d /run/systemd/system ]; then systemctl disable --now -q prometheus; fi; \
	fi; \
	command -v promtool >/dev/null || echo "no prometheus: the tests of dashboards and alerts are skipped"

run: env ## start a whole hanpan on this machine; prints the address to open
	$(HANPAN) up

test: env browser prometheus ## run the tests, all but the slow ones
	if command -v node >/dev/null; then node --test gateway/web/tests/; fi
	$(BIN)/python -m pytest

test-all: env browser prometheus ## run all tests, the slow ones too: twenty minutes
	if command -v node >/dev/null; then node --test gateway/web/tests/; fi
	$(BIN)/python -m pytest -m ""

check: env ## format, lint, types of both languages, import arrows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory .node/.ready
	@if [ -e .node/.ready ]; then echo node .node/node_modules/typescript/bin/tsc -p gateway; node .node/node_modules/typescript/bin/tsc -p gateway; fi

format: env ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: env ## measure: engines, memory and idle CPU of room processes, cost of a turn, kill to next action
	$(BIN)/python -m engines.bench
	$(BIN)/python -m ops.bench.rooms idle
	$(BIN)/python -m ops.bench.rooms cost
	$(BIN)/python -m ops.bench.rooms cost --period 0
	$(BIN)/python -m ops.bench.rooms gap

pagespeed: env browser ## measure: how quick the page is on a slow phone
	$(BIN)/python -m tests.e2e.speed

soak: env ## 150 rooms of bots for ten minutes: nothing missed, growing or left; two worlds at 100,000 states a game
	$(BIN)/python -m ops.bench.rooms soak
	HANPAN_SOAK=100000 $(BIN)/python -m pytest tests/cluster/test_worlds.py

evening: env ## two hours: all games with people and bots, storms and abusive clients; is anything left of it?
	$(BIN)/python -m tests.attack.evening

# With a seed of your own, and more of it: make fuzz FUZZ_RUNS=1000000 FUZZ_SEED=7
FUZZ_RUNS := 50000
FUZZ_SEED := 1
FUZZ_TARGETS := sockets messages requests bodies strangers insiders texts

fuzz: env ## a million broken inputs; a coverage-guided fuzzer on each target; schemathesis on the HTTP API
	$(BIN)/python -m tests.attack.million --seed $(FUZZ_SEED)
	HANPAN_ABUSE=3000 $(BIN)/python -m pytest tests/attack/test_storm.py
	$(PYTHON) -m venv .fuzz/venv
	.fuzz/venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-fuzz.txt
	.fuzz/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	for target in $(FUZZ_TARGETS); do \
		.fuzz/venv/bin/python -m tests.attack.guided $$target -runs=$(FUZZ_RUNS) -seed=$(FUZZ_SEED) || exit 1; done
	.fuzz/venv/bin/python -m pytest -s tests/attack/fuzz_api.py

sbom: env ## write sbom.json: everything that hanpan is made of
	$(BIN)/python -m ops.sbom > sbom.json

audit: env ## is what is installed what is pinned, and are there known vulnerabilities
	$(BIN)/python -m pip check
	$(BIN)/python -m ops.sbom --check
	$(PYTHON) -m venv .audit
	.audit/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-audit.txt
	.audit/bin/pip-audit --strict --no-deps --disable-pip -r requirements.txt

chaos: env ## everything that can go wrong, for half an hour, on two nodes and a PostgreSQL of its own; and the proof
	env -u HANPAN_URL $(HANPAN) chaos storm --seconds 1800

image: env ## lay the image's root out by its Dockerfile, and play in it (needs root, and mounts)
	HANPAN_SOAK=1 $(BIN)/python -m pytest tests/image

schemas: env ## make the client protocol's JSON Schemas from its types, and the page's typings from them
	$(BIN)/python -m gateway.schemas
	$(BIN)/python -m gateway.typings

generated: env ## make what is committed as made by ops/: dashboards, SLO rules, the table of metrics, runbooks for /ops
	$(BIN)/python -m ops.generated

clean: ## remove the environment and everything made
	rm -rf $(VENV) *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .fuzz .audit
