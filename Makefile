# Proscenium. `make help` lists what there is.
SHELL := bash
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := swift build
RELEASE := .build/release/proscenium
PYTHON := /usr/bin/python3

.DEFAULT_GOAL := help
.PHONY: help setup build demo test check unit realtime verify soak bench bench-quick bench-compare install uninstall format clean

help: ## lists these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## installs the Debian packages the project needs
	@Scripts/setup

build: setup ## builds the program (release)
	@echo "build: compiling the program (release); the first time takes some minutes."
	@$(BUILD) -c release --product proscenium

demo: build ## rides the Bus: a minute of head tracking on a turning bus, judged; no hardware needed
	@$(RELEASE) demo bus --output .build/bus

test: setup check unit realtime verify ## does all set-up and runs every check and test
	@echo "test: all passed."

check: ## imports follow the ladder, formatting is clean
	@$(PYTHON) Scripts/check-imports
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
	@echo "format: clean."
	@$(PYTHON) Benchmarks/report/test_statistics.py --quiet
	@echo "benchmarks: the comparison's statistics hold on planted data."

unit: ## unit and integration tests (debug build)
	@Scripts/python-env || echo "unit: tests that need these packages are skipped."
	@swift build --build-tests
	@swift test --skip-build

realtime: ## proves the audio thread neither locks nor allocates (debug and release)
	@Scripts/realtime-proof.sh

verify: build ## proves figures through the program: exactness, frames, periods, JACK, commands of the README
	@Scripts/verify/all $(RELEASE)

soak: build ## the long forms: fuzzing, hundreds of repetitions, ports torn out a thousand times
	@PROSCENIUM_SOAK=1 swift test
	@PROSCENIUM_SOAK=1 Scripts/verify/ports.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/renditions.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/upmix.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/width.py $(RELEASE)

bench: build ## measures everything beside its peers; JSON and a report in .build/bench
	@Scripts/bench

bench-quick: setup ## the short suite, in under two minutes once compiled
	@Scripts/bench --quick

bench-compare: setup ## BASE=<revision>: exit status 1 where this tree is slower than it by more than 5 %, surely
	@Scripts/bench-compare "$(BASE)"

install: build ## installs the program, its data, man page and completions under PREFIX (default /usr/local)
	@Scripts/install "$(DESTDIR)$(PREFIX)" $(RELEASE)

uninstall: ## removes what install put there
	@Scripts/uninstall "$(DESTDIR)$(PREFIX)"

format: ## formats the sources in place
	@swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

clean: ## removes what was built
	@rm -rf .build Benchmarks/.build
