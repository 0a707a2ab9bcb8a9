# Two commands: `make report` and `make test`. Both set up what they need in .venv and target, and nothing outside.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find src data python -type f -not -name '*.so' -not -path '*__pycache__*')

.PHONY: help report test format wheel clean need-rust need-python rust-checks python-checks

help:
	@echo "make report   build, install into .venv, and write report/ from the documented studies"
	@echo "make test     run every check"
	@echo "make format   format Rust and Python"
	@echo "make wheel    build the release wheel into dist/"
	@echo "make clean    remove everything that these commands made"

report: $(VENV)/installed
	$(BIN)/kaeanalysis report --out report --force

test: rust-checks python-checks
	@echo "all checks passed"

format: $(VENV)/dev
	cargo fmt
	$(BIN)/ruff format python tests notebooks
	$(BIN)/ruff check --fix python tests notebooks

wheel: $(VENV)/build
	$(BIN)/maturin build --release --locked --out dist

clean:
	rm -rf $(VENV) target dist report python/kaeanalysis/_core.abi3.so

need-rust:
	@command -v cargo >/dev/null || { echo "Rust is missing: install it from https://rustup.rs" >&2; exit 1; }

need-python:
	@command -v $(PYTHON) >/dev/null || { echo "Python is missing: install Python 3.10 or newer, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python is too old: 3.10 or newer is needed; name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing: on Debian and Ubuntu, apt install python3-venv" >&2; exit 1; }

$(VENV)/build: requirements/build.txt | need-rust need-python
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes -r requirements/build.txt
	@touch $@

$(VENV)/dev: requirements/dev.txt $(VENV)/build
	$(BIN)/pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/installed: $(SOURCES) $(VENV)/build
	VIRTUAL_ENV="$(abspath $(VENV))" $(BIN)/maturin develop --quiet --locked
	@touch $@

rust-checks: | need-rust
	cargo fmt --check
	cargo check --locked --quiet --lib
	cargo clippy --locked --quiet --all-targets --all-features -- -D warnings
	cargo test --locked --quiet --features cli,orchestrate
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps --features cli,orchestrate

python-checks: $(VENV)/installed $(VENV)/dev
	$(BIN)/ruff format --check python tests notebooks
	$(BIN)/ruff check python tests notebooks
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest kaeanalysis --allowlist tests/python/stubtest-allowlist.txt
	$(BIN)/python -m pytest
