# Proscenium. `make help` lists what there is.
SHELL := bash
PREFIX ?= /usr/local
DESTDIR ?=
# One set of flags on a terminal and off it: with coloured messages everything would be compiled once more.
BUILD := swift build --no-color-diagnostics
RELEASE := .build/release/proscenium
PYTHON := /usr/bin/python3
# What the program keeps from one run to the next stays in this folder.
export PROSCENIUM_CACHE := $(CURDIR)/.build/cache

STAGE := $(MAKE) --no-print-directory ALONE=1
# ALONE=1: what a target stands on has been done, as a stage before it.
before = $(if $(ALONE),,$(1))

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-quick check tests unit realtime verify soak fuzz deb bench bench-quick bench-compare bench-ledger install
.PHONY: uninstall format clean reference docs setup-build setup-bench

help: ## lists these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## installs the packages that 'make test' needs, after saying which and how large they are; other targets install what they need
	@Scripts/setup test

setup-build setup-bench:
	@Scripts/setup $(@:setup-%=%)

build: $(call before,setup-build) ## builds the program (release)
	@echo "build: compiling the program (release); the first time takes some minutes."
	@$(BUILD) -c release --product proscenium

demo: ## rides the Bus: a minute of head tracking on a turning bus, judged; no hardware needed
	@Scripts/setup demo
	@$(STAGE) build
	@$(RELEASE) demo bus --overwrite --output .build/bus

test: ## does all set-up and runs every check and test; says at the end where the time went and what was skipped
	@command -v python3 >/dev/null || Scripts/setup test  # the record of times is written in Python
	@Scripts/where-time-goes begin
	@export PROSCENIUM_PROGRAM="$(CURDIR)/$(RELEASE)"; \
	for stage in setup check build tests unit realtime verify; do Scripts/where-time-goes run $$stage $(STAGE) $$stage || exit $$?; done
	@Scripts/where-time-goes report
	@Scripts/outcome
	@echo "test: all passed."

test-quick: $(call before,setup) ## what a change can reach, nearest first, in about three minutes; SINCE=<revision> of a change that is committed
	@Scripts/test-quick $(SINCE)

check: ## imports follow the ladder, no class has more than twelve stored properties, unchecked types have a proof against races, comments name what they speak of in 120 columns, formatting is clean
	@$(PYTHON) Scripts/check-imports
	@$(PYTHON) Scripts/check-properties
	@$(PYTHON) Scripts/check-races
	@$(PYTHON) Scripts/check-words
	@$(PYTHON) Scripts/check-links
	@$(PYTHON) Scripts/check-prose
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks/Sources
	@echo "format: clean."
	@$(PYTHON) -m unittest discover --quiet --start-directory Scripts/tests
	@echo "set-up: each use installs what it imports, runs and links, and says so before; the demo's page has its sound."
	@echo "checks: a planted class with too many properties is found, and a planted type without a proof against races."
	@$(PYTHON) -m unittest discover --quiet --start-directory Benchmarks/report
	@echo "benchmarks: the comparison's statistics and the ledger's judgement hold on planted data."
	@OPENBLAS_NUM_THREADS=1 $(PYTHON) -m unittest discover --quiet --start-directory Benchmarks/tracking
	@echo "benchmarks: the evaluation of the orientation filter finds errors that are known."

tests: ## compiles the tests (debug build), RealtimeSanitizer with them
	@Scripts/python-env || echo "tests: those that need these packages are skipped."
	@RTSAN_LIB="$$(Scripts/rtsan-library)" $(BUILD) --build-tests

unit: $(call before,tests) ## unit and integration tests (debug build)
	@Scripts/test

realtime: $(call before,setup build) ## proves that the audio thread neither locks nor allocates, once 'make unit' has passed, and that no thread races another
	@Scripts/realtime-proof.sh
	@Scripts/thread-proof.sh

verify: $(call before,setup build) ## proves figures through the program: exactness, frames, periods, JACK, commands of the README and the pages
	@Scripts/verify/all $(RELEASE)

soak: setup build tests ## the long forms: fuzzing, hundreds of repetitions, ports torn out a thousand times
	@PROSCENIUM_SOAK=1 Scripts/test
	@Scripts/fuzz-sofa --minutes 10
	@PROSCENIUM_SOAK=1 Scripts/verify/soak.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/doors.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/panel_door.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/nsm.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/sessions.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/plugins_live.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/ports.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/restarts.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/restarts_pipewire.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/recording.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/capture.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/capture_arrays.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/renditions.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/handover.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/upmix.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/audiomix.py $(RELEASE)
	@PROSCENIUM_SOAK=1 Scripts/verify/width.py $(RELEASE)

fuzz: setup ## throws wrong input at the whole program, built with AddressSanitizer, for ten minutes
	@Scripts/fuzz --minutes 10

deb: build ## makes a Debian package in .build/deb, checked by lintian
	@Scripts/deb

bench: setup-bench build ## measures everything beside its peers; JSON and a report in .build/bench
	@Scripts/bench

bench-quick: setup-bench ## the short suite, in under two minutes once compiled
	@Scripts/bench --quick

bench-compare: setup-bench ## BASE=<revision>: exit status 1 where this tree is slower than it by more than 5 %, surely; without BASE: than the ledger's last
	@Scripts/bench-compare "$(BASE)"

bench-ledger: setup-bench ## exit status 1 where this tree is dearer than its best kept figure by more than 5 %, surely, and no line says what was bought
	@Scripts/bench-ledger

install: ## installs the program, its data, man page, completions and systemd unit under PREFIX (default /usr/local)
	@Scripts/setup install
	@$(STAGE) build
	@Scripts/install "$(DESTDIR)$(PREFIX)" $(RELEASE)

uninstall: ## removes what install put there
	@Scripts/uninstall "$(DESTDIR)$(PREFIX)"

docs: ## builds the documentation as a site in .build/site, its links checked
	@Scripts/docs/build

reference: tests ## writes the reference pages of Documentation from the tables of parameters, commands and telemetry
	@PROSCENIUM_REFERENCE=1 Scripts/test --filter ReferenceTests
	@Scripts/check-imports --write

format: ## formats the sources in place
	@swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks/Sources

clean: ## removes what was built
	@rm -rf .build .build-asan
