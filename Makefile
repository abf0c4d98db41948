# Two commands matter: `make run` and `make test`. `make help` lists the rest.
# Each step leaves a stamp in .stamps and is skipped while nothing that it depends on has changed.

SHELL := /bin/sh
.SUFFIXES:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8080
# The page is built by the Node of the environment when the machine has none.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

PAGE := $(shell find frontend/src visualizer/examples -type f ! -name '*.pyc' 2>/dev/null) $(wildcard frontend/*.html frontend/*.ts frontend/*.json)
step = @printf '\033[1m==>\033[0m %s\n'

.PHONY: help
help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do printf '  %-12s %s\n' "$$name" "$$what"; done

.PHONY: run
run: .stamps/python .stamps/page ## Set up what is missing, build the page, serve it on this machine
	@exec jaxpr-visualizer serve --port $(PORT) $(ARGS)

.PHONY: test
test: .stamps/python-dev .stamps/page .stamps/chromium .stamps/renderers .stamps/postgres .stamps/jax-0.6.0 ## Set up the rest and run every check and test
	@python scripts/test.py $(ARGS)

OLDER := 0.4.38 0.6.0 0.7.2 0.9.2
.PHONY: test-all
test-all: .stamps/python-dev .stamps/page .stamps/chromium .stamps/renderers .stamps/firefox $(OLDER:%=.stamps/jax-%) ## Tracing on every JAX it knows, judged by plain JAX; pictures in Firefox; a site twenty times
	@JAX_VERSIONS="$(OLDER)" SITES_TIMES=20 python -m pytest -q tests/versions tests/browser/test_runtimes.py tests/drawing/renderers tests/docs_sites $(ARGS)

.PHONY: check
check: .stamps/python-dev .stamps/npm ## Style, types, import rules, generated files: everything but tests
	@python scripts/test.py --checks

.PHONY: test-wheel
test-wheel: .stamps/python-dev .stamps/page ## Build the wheel, install it in an empty environment, use it without Node
	@python -m pytest -q -m wheel

.PHONY: types
types: .stamps/python-dev .stamps/npm ## Write the JSON schema and the TypeScript types from the models
	@python scripts/schema.py
	@cd frontend && npm run --silent types

.PHONY: fixtures
fixtures: .stamps/python-dev ## Write the traces that the frontend's tests draw
	@python scripts/fixtures.py
	@python scripts/modules.py

.PHONY: build
build: .stamps/page ## Build the page and the drawing bundle into the package

.PHONY: wheel
wheel: .stamps/python .stamps/page ## Build the wheel, with the page in it, into dist/
	@rm -rf dist
	@python -m build --wheel --no-isolation --outdir dist . > .stamps/wheel.log 2>&1 || { cat .stamps/wheel.log; exit 1; }
	@ls dist/*.whl

.PHONY: corpus
corpus: .stamps/python-dev ## Compare the traces of the cases in ../shared with what is expected of them
	@python scripts/corpus.py $(ARGS)

.PHONY: gallery
gallery: .stamps/python-dev .stamps/page ## Draw every example as a picture into out/gallery
	@python scripts/gallery.py $(ARGS)

.PHONY: bench
bench: .stamps/python-dev .stamps/page .stamps/renderers ## Measure, as ratios in one run: paste to response, isolation, serialising, pictures against Graphviz, layout, frames of large programs
	@python scripts/bench.py $(ARGS)

.PHONY: pictures
pictures: .stamps/python-dev .stamps/page ## Write the snapshots of the drawing tests anew; look at each before you commit it
	@cd frontend && UPDATE_PICTURES=1 npx vitest run test/drawing/pictures.test.ts
	@python scripts/gallery.py --docs

.PHONY: docs
docs: .stamps/python-dev .stamps/page ## Build the documentation into out/docs/html; ARGS goes to sphinx-build
	@sphinx-build -q -W -n --keep-going -j auto -b html $(ARGS) docs out/docs/html
	@echo "out/docs/html/index.html"

.PHONY: docs-pictures
docs-pictures: .stamps/python-dev .stamps/page .stamps/chromium ## Take the screenshots of the documentation anew; look at each before you commit it
	@python scripts/docs_pictures.py $(ARGS)

.PHONY: lock
lock: .stamps/python-dev ## Write locks/*.txt anew; UPGRADE=name or UPGRADE=all raises versions
	@command -v uv > /dev/null || pip install -qq uv
	@sh scripts/lock.sh

.PHONY: format
format: .stamps/python-dev .stamps/npm ## Format everything and mend what can be mended
	@ruff check -q --fix .
	@ruff format .
	@cd frontend && npx biome check --write .

.PHONY: clean
clean: ## Remove what was built; the environment stays
	rm -rf dist build out visualizer/web/static visualizer/drawing/bundle .stamps/page .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# What stands behind them

.stamps/venv:
	@mkdir -p .stamps
	@sh scripts/setup_venv.sh $(VENV)
	@touch $@

.stamps/python: locks/runtime.txt locks/build.txt pyproject.toml | .stamps/venv
	$(step) "Python packages (the first time about a minute: jax is large)"
	@pip install -qq --require-hashes -r locks/runtime.txt -r locks/build.txt
	@pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@

.stamps/python-dev: locks/dev.txt .stamps/python
	$(step) "Python packages for development"
	@pip install -qq --require-hashes -r locks/dev.txt
	@touch $@

# An older JAX, by the command that people use; kept where the tests look for it, not in anybody's data folder.
.stamps/jax-%: export JAXPR_VISUALIZER_DATA := $(CURDIR)/.stamps/data
.stamps/jax-%: locks/jax-%.txt | .stamps/python
	$(step) "JAX $* for the tests"
	@test ! -d .stamps/data/runtimes/$* || test $< -ot .stamps/data/runtimes/$* || jaxpr-visualizer jax remove $*
	@jaxpr-visualizer jax add $* > .stamps/jax-$*.log 2>&1 || { cat .stamps/jax-$*.log; exit 1; }
	@touch $@

.stamps/node: locks/node.txt | .stamps/venv
	@sh scripts/setup_node.sh
	@touch $@

.stamps/npm: frontend/package-lock.json frontend/package.json | .stamps/node
	$(step) "JavaScript packages"
	@cd frontend && npm ci --no-fund --no-audit > ../.stamps/npm.log 2>&1 || { tail -30 ../.stamps/npm.log; exit 1; }
	@touch $@

.stamps/page: .stamps/npm $(PAGE)
	$(step) "Building the page"
	@cd frontend && NO_COLOR=1 npm run --silent build > ../.stamps/page.log 2>&1 || { cat ../.stamps/page.log; exit 1; }
	@touch $@

.stamps/chromium: | .stamps/python-dev
	@sh scripts/setup_chromium.sh && touch $@

.stamps/postgres: | .stamps/venv
	@sh scripts/setup_postgres.sh && touch $@

.stamps/renderers: | .stamps/venv
	@sh scripts/setup_renderers.sh && touch $@

.stamps/firefox: | .stamps/venv
	@sh scripts/setup_firefox.sh && touch $@
