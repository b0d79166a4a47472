# Everything a person or CI does here. Each command prepares what it needs; a second run finds it prepared.
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help screenshots setup setup-dev crawl test all fmt lint types test-rust test-python test-fuzz sim trial planted fuzz bench wheel clean

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest

help: ## this list
	@echo 'Helios, a web crawler. Commands:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'make crawl: URL=https://example.org/ CONTACT=you@example.org  OUT=folder  ARGS="--max-pages 100"'

setup: ## prepare everything that a crawl needs (the other commands do it themselves)
	@tools/setup.sh crawl

setup-dev:
	@tools/setup.sh dev

crawl: setup ## crawl a synthetic web on this machine, or URL=…; shows progress, summary and verdict
ifdef URL
	@$(BIN)/helios crawl '$(URL)' $(if $(CONTACT),--contact '$(CONTACT)') $(if $(OUT),--out '$(OUT)') $(ARGS)
else
	@$(BIN)/helios demo $(if $(OUT),--out '$(OUT)') $(ARGS)
endif

test: setup-dev lint types test-rust test-python test-fuzz ## everything that must hold: style, types, spelling, sizes, Rust and Python tests, a minute of fuzzing
	@echo 'all tests passed'

all: test ## what CI runs

fmt: setup-dev ## put the code in shape
	@cargo fmt --all
	@$(BIN)/ruff check --fix --quiet python tests && $(BIN)/ruff format --quiet python tests

lint: setup-dev ## style, banned calls and spelling
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --quiet -- -D warnings
	@$(BIN)/ruff check --quiet python tests && $(BIN)/ruff format --check --quiet python tests
	@$(BIN)/codespell

types: setup-dev ## types, strictly
	@$(BIN)/mypy --no-error-summary

test-rust: setup-dev ## the Rust tests; they need no Python
	@cargo test --release --quiet --workspace --exclude helios-py

test-python: setup-dev ## the Python tests, the stub and the size budget
	@$(PYTEST) -q $(ARGS)

test-fuzz: setup-dev ## hostile robots.txt files for a minute
	@tools/fuzz.sh 60 quick

sim: setup-dev ## the slow tests: a million sites, many synthetic webs, one killed 200 times: SEEDS=20
	@cargo test --release --quiet -p helios-core --test scale -- --ignored
	@HELIOS_SEEDS='$(or $(SEEDS),20)' $(PYTEST) -q -m sim --timeout 600 $(ARGS)

trial: ## simulate whole crawls with crashes at any write, in virtual time: SEEDS=10000
	@cargo run --release --quiet -p helios-trial -- --seeds '0..$(or $(SEEDS),2000)'

planted: ## plant bugs in a copy of the source: the simulation must catch each
	@tools/planted.sh

fuzz: ## hostile bytes for a while: SECONDS_EACH=60
	@tools/fuzz.sh '$(or $(SECONDS_EACH),60)'

bench: setup-dev ## how fast: crawls a synthetic web flat out, then runs every benches/*.py
	@tools/bench.sh $(ARGS)

screenshots: setup ## make the pictures of the terminal in docs/images again
	@$(BIN)/python tools/screenshots.py

wheel: setup ## the package as people install it, in dist/: optimised as a whole and by a profile; 15 minutes
	@tools/wheel.sh

clean: ## remove what was built (crawls stay)
	@rm -rf .venv .make python/helios/_core*.so
