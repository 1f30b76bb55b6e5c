# Needs a Rust toolchain, Python with pip, and make. `make` alone lists what there is.

# What the tests, the linters and the local server are built with; what is deployed has no features.
FEATURES := --features local

CARGO_DENY_VERSION := 0.20.2
CARGO_DENY := .tools/cargo-deny-$(CARGO_DENY_VERSION)/bin/cargo-deny
VENV := .venv/.installed
CARGO_LAMBDA := .venv/.cargo-lambda
# Of its own: it needs older versions of what the tests need.
SAM_VENV := .tools/sam
SAM := SAM_CLI_TELEMETRY=0 PATH="$(CURDIR)/.venv/bin:$$PATH" $(SAM_VENV)/bin/sam

N ?= 1000
TENANT ?= demo

LOCAL := AUTH=$${AUTH:-dev} DEFAULT_CURRENCY=$${DEFAULT_CURRENCY:-GBP} MODEL_PROVIDER=$${MODEL_PROVIDER:-offline}

.DEFAULT_GOAL := help
.PHONY: help run seed test lint tools

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## serve on loopback with an embedded database (LOCAL_ADDR, LOCAL_DATA, CONFIRM_POLICY)
	@$(LOCAL) cargo run --quiet $(FEATURES)

seed: ## write N made-up expenses for TENANT into LOCAL_DATA (N=1000 TENANT=demo)
	@$(LOCAL) cargo run --quiet $(FEATURES) -- seed "$(N)" "$(TENANT)"

test: tools lint ## install what the tests need, and run everything
	@if cargo nextest --version >/dev/null 2>&1; then set -x; cargo nextest run $(FEATURES); else set -x; cargo test --all-targets $(FEATURES); fi
	cargo test --doc $(FEATURES)
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps $(FEATURES)

lint: $(CARGO_DENY) $(SAM_VENV)/.installed ## formatting, clippy, what may be in the dependency tree, and the template
	cargo fmt --check
	cargo clippy --all-targets $(FEATURES) -- -D warnings
	cargo clippy --lib --bins -- -D warnings
	$(CARGO_DENY) check bans licenses sources
	$(SAM_VENV)/bin/cfn-lint infra/template.yaml
	$(SAM) validate --lint --template-file infra/template.yaml --config-file samconfig.toml

tools: $(VENV) $(CARGO_DENY)

$(VENV): tests/requirements.txt
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/requirements.txt
	@touch $@

$(CARGO_LAMBDA): infra/cargo-lambda.txt
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(SAM_VENV)/.installed: infra/requirements.txt
	python3 -m venv $(SAM_VENV)
	$(SAM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# No registry ships a current binary. Unoptimised it builds in two minutes on two cores, and checks this tree in seconds.
$(CARGO_DENY):
	CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug --no-default-features \
		--root .tools/cargo-deny-$(CARGO_DENY_VERSION) cargo-deny@$(CARGO_DENY_VERSION)
