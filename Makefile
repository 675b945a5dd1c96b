# make run: set up and serve · make test: set up and test · make lint · make bench
# Everything is set up in .venv on first use, and again when a requirements file changes.

PYTHON ?= python3
BIN := .venv/bin
PORT ?= 5000
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test lint bench browser clean

run: .venv/run.stamp
	@$(BIN)/flask db upgrade 2>/dev/null || $(BIN)/flask db upgrade
	@echo "Open http://127.0.0.1:$(PORT) (stop with Ctrl-C)"
	@$(BIN)/gunicorn --bind 127.0.0.1:$(PORT) "app:create_app()"

test: .venv/dev.stamp browser
	$(BIN)/python -m pytest -m "not slow" -n auto --dist worksteal

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/djlint templates --lint --quiet

bench: .venv/dev.stamp browser
	$(BIN)/python -m bench

# The browser tests want Chromium; where it is missing and may be installed, it is, else they skip and say so.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	     && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } \
	|| echo "No Chromium here and no right to install it: the browser tests will be skipped."

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.txt | .venv/bin/python
	$(BIN)/pip install --quiet -r requirements.txt
	@touch $@

.venv/dev.stamp: requirements.txt requirements-server.txt requirements-dev.txt | .venv/bin/python
	$(BIN)/pip install --quiet -r requirements-dev.txt
	@touch $@ .venv/run.stamp
