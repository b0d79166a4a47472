#!/usr/bin/env bash
# Builds dist/*.whl: once with counters, the crawls of tools/train.py, and once more for what was counted.
set -euo pipefail
cd "$(dirname "$0")/.."
# maturin takes it from the toolchain: another one, on the PATH, may be of an LLVM that writes other profiles.
if ! ls "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata >/dev/null 2>&1; then
    echo 'missing: llvm-profdata, which reads what was counted' >&2
    echo '    rustup component add llvm-tools' >&2
    exit 1
fi
env -u CONDA_PREFIX VIRTUAL_ENV="$PWD/.venv" PATH="$PWD/.venv/bin:$PATH" .venv/bin/maturin build --profile wheel --pgo --out dist
