#!/usr/bin/env bash
# Runs every fuzz target for some seconds each.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}

[ -f fuzz/Cargo.toml ] || { echo 'there are no fuzz targets: no fuzz/Cargo.toml' >&2; exit 1; }
missing=()
cargo +nightly --version >/dev/null 2>&1 || missing+=('rustup toolchain install nightly')
cargo fuzz --version >/dev/null 2>&1 || missing+=('cargo install cargo-fuzz')
if [ ${#missing[@]} -gt 0 ]; then
    echo 'fuzzing needs the nightly toolchain and cargo-fuzz; run:' >&2
    printf '    %s\n' "${missing[@]}" >&2
    exit 1
fi
for target in $(cargo +nightly fuzz list); do
    echo "fuzzing $target for $seconds s"
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -timeout=10 -print_final_stats=0
done
