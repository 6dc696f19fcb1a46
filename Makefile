# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
#
# The verbs. Each is a line or two; what they do lives in gen/, lib/ and tests/.

PYTHON := .venv/bin/python
SETUP  := sh tests/setup/bootstrap.sh
CORE   := cortex-m4
FORM   := gas
JOBS   := 2

.DEFAULT_GOAL := demo
.PHONY: help demo gen check prove lib test test-all taint matrix test-isa lint fmt bless explain bench optimise budget clean
.SUFFIXES:

help: ## list the verbs
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 10

demo: ## (plain `make`) install what is missing; ML-KEM-768 on an emulated Cortex-M4 and on this host
	@$(SETUP) demo
	@$(PYTHON) -m tests.demo

gen: ## write generated/ anew from asm-src/
	@$(SETUP) generate
	@$(PYTHON) -m gen build

check: ## compare generated/ with what asm-src/ gives
	@$(SETUP) generate
	@$(PYTHON) -m gen check

prove: ## prove ranges, initialisation, secrecy and timing of every routine (cached)
	@$(SETUP) test
	@$(PYTHON) -m gen prove

lib: ## build/CORE/FORM/libarmscribe.a with a C compiler alone: make lib CORE=cortex-m4 FORM=gas [CC=...]
	@$(MAKE) --no-print-directory -C lib CORE=$(CORE) FORM=$(FORM) KECCAK=$(KECCAK) ALGORITHMS="$(ALGORITHMS)" $(if $(filter command line,$(origin CC)),CC="$(CC)")

test: ## everything a change must pass
	@$(SETUP) test
	@$(PYTHON) -m gen check
	@$(PYTHON) -m tests.lint
	@$(PYTHON) -m gen prove
	@$(PYTHON) -m pytest -n $(JOBS) -m "not slow"

test-all: ## test, and the checks that take long
	@$(SETUP) test
	@$(PYTHON) -m gen check
	@$(PYTHON) -m tests.lint
	@$(PYTHON) -m gen prove
	@$(PYTHON) -m pytest -n $(JOBS)

taint: ## no secret in a branch or an address: every public function, form, compiler and level (hours)
	@$(SETUP) test
	@$(PYTHON) -m pytest -n $(JOBS) tests/gen/emu/test_taint.py tests/lib/test_taint.py

matrix: ## the library under every compiler, target and option of tests/matrix/axes.toml, in pairs (about 30 minutes)
	@$(SETUP) matrix
	@$(PYTHON) -m tests.matrix --jobs $(JOBS)

test-isa: ## every instruction: assembled, disassembled, executed against its meaning
	@$(SETUP) test
	@$(PYTHON) -m pytest -n $(JOBS) tests/isa

lint: ## style, types, and the rules of this repository
	@$(SETUP) test
	@$(PYTHON) -m tests.lint
	@$(PYTHON) -m gen fmt --check

fmt: ## format Python, C and the descriptions
	@$(SETUP) test
	@$(PYTHON) -m tests.lint --fix
	@$(PYTHON) -m gen fmt

bless: ## accept new golden output and a new generated/
	@$(SETUP) test
	@$(PYTHON) -m gen build
	@$(PYTHON) -m pytest -n $(JOBS) --bless tests/gen

explain: ## what is known of a routine or an instruction: make explain R=mlkem/ntt [CORE=...] or I=smlaxy
	@$(if $(R)$(I),,echo "explain what? a routine: make explain R=mlkem/ntt [CORE=cortex-m4]; an instruction: make explain I=smlaxy" >&2; exit 1)
	@$(SETUP) generate
	@$(PYTHON) -m gen explain $(if $(I),I=$(I),$(R) --core $(CORE))

bench: ## cycles, code, stack of routines and operations in every form beside the peers'; for boot loaders: make bench [CLOCK=MHz] [ONLY="sha2 mldsa65"] [OUT=DIR]
	@$(SETUP) demo
	@$(PYTHON) -m gen.bench --core $(CORE) $(if $(CLOCK),--clock $(CLOCK)) $(if $(ONLY),--only $(ONLY)) $(if $(OUT),--folder $(OUT))

optimise: ## a better order of instructions for a core: make optimise CORE=cortex-m7 R=mlkem/ntt
	@$(if $(R),,echo "optimise what? make optimise CORE=cortex-m7 R=mlkem/ntt" >&2; exit 1)
	@$(SETUP) generate
	@$(PYTHON) -m gen optimise $(R) --core $(CORE)

budget: ## lines of files and functions against their limits
	@$(SETUP) test
	@$(PYTHON) -m tests.lint --budget

clean: ## remove everything that is built; .venv stays
	rm -rf build
