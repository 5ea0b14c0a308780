# Every target sets up what it needs. `make demo` shows the main job, `make test` shows that all of it holds.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
WORKERD := $(VENV)/workerd/ready
NODE := engine/contextful/testing/node
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: env browser demo test check proofs bench format lock clean

env: $(READY) $(WORKERD)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# Cloudflare's runtime, in which the tests of D1 and R2 run.
$(WORKERD): $(NODE)/package-lock.json $(NODE)/.npmrc | $(READY)
	@command -v npm > /dev/null || { echo "node 20 or newer, with npm, is missing: D1 and R2 are tested in it" >&2; exit 1; }
	mkdir -p $(@D)
	cp $(NODE)/package.json $(NODE)/package-lock.json $(NODE)/.npmrc $(@D)
	npm ci --loglevel=error --prefix $(@D)
	touch $@

# The console's tests drive Debian's Chromium.
browser:
	@command -v chromium > /dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } > /dev/null \
	|| { echo "chromium is missing, and apt-get could not install it: the console is tested in it" >&2; exit 1; }

demo: $(READY)
	@$(BIN)/python examples/flights/demo.py

# The run leaves its evidence in build/, which tools/coverage and tools/trace read.
test: $(READY) $(WORKERD) browser
	$(BIN)/python -m pytest --numprocesses 2 --cov --cov-context=test --cov-report=
	@tools/coverage --floor

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m codegen --check

proofs: $(READY) $(WORKERD)
	CONTEXTFUL_PROOFS=full $(BIN)/python -m pytest --numprocesses 2 proofs

bench: $(READY) $(WORKERD)
	@status=0; for name in spec journal jobs land wake stream history; do tools/bench $$name || status=1; done; exit $$status

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# A lock without addresses: the index is whatever pip is set up with.
lock:
	uv pip compile --universal --generate-hashes --no-header --no-annotate --all-extras pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
