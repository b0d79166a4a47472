#!/usr/bin/env bash
# Prepares .venv with the compiled module in it. `dev` also sees to it that cargo can format and lint.
# Stamps in .make/ say what is done; with nothing changed this only compares times.
set -euo pipefail
cd "$(dirname "$0")/.."
want=${1:-crawl}
log=.make/setup.log

# fresh STAMP PATH...: the stamp is there and nothing under the paths is newer.
fresh() {
    local stamp=.make/$1
    shift
    [ -e "$stamp" ] && [ -z "$(find "$@" -newer "$stamp" -print -quit 2>/dev/null)" ]
}
say() { printf '%s\n' "$*" >&2; }
# quietly WHAT COMMAND...: output goes to the log, and to the terminal when it fails.
quietly() {
    local what=$1
    shift
    if ! "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        say "$what failed; the whole output is in $log"
        exit 1
    fi
}

sources=(crates Cargo.toml Cargo.lock pyproject.toml)
core() { fresh core "${sources[@]}" && compgen -G 'python/helios/_core*.so' >/dev/null; }
dev() { [ "$want" != dev ] || fresh dev pyproject.toml; }
if [ -x .venv/bin/helios ] && core && dev; then exit 0; fi

mkdir -p .make
[ "$want" != dev ] || export HELIOS_INSTALL=1
python=$(tools/check.sh)

if [ ! -e .make/venv ] || [ ! -x .venv/bin/python ]; then
    say 'making .venv'
    rm -rf .venv .make/core .make/dev
    quietly 'making .venv' "$python" -m venv .venv
    quietly 'installing the build tool' .venv/bin/python -m pip install --quiet --upgrade 'pip>=25.1' 'maturin>=1.13,<2'
    touch .make/venv
fi

if ! core || [ ! -x .venv/bin/helios ]; then
    say 'installing Python packages and building the Rust core (the first time takes some minutes)'
    touch .make/core.new # before the build: what changes meanwhile is newer
    # Brings the packages of pyproject.toml, those of its group dev too, then builds.
    env -u CONDA_PREFIX PIP_QUIET=1 VIRTUAL_ENV="$PWD/.venv" .venv/bin/maturin develop --release >&2 ||
        { say 'the build failed (see above)'; exit 1; }
    mv .make/core.new .make/core
fi

if ! dev; then
    for part in fmt clippy; do
        cargo "$part" --version >/dev/null 2>&1 ||
            { say "missing: cargo $part"; say "    rustup component add ${part/fmt/rustfmt}"; exit 1; }
    done
    touch .make/dev
fi
