#!/usr/bin/env bash
# fuzz.sh SECONDS: every target with sanitizers, one after the other; needs cargo-fuzz. The sanitizers' flags are unstable, hence
# RUSTC_BOOTSTRAP: no nightly is needed.
# fuzz.sh SECONDS quick: robots alone, guided by coverage but without sanitizers; needs no cargo-fuzz and builds in a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
limits=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048)

quick() {
    local coverage='-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4'
    coverage+=' -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table'
    coverage+=' -Cllvm-args=-sanitizer-coverage-trace-compares'
    local target=${CARGO_TARGET_DIR:-$PWD/target}/fuzz machine
    machine=$(rustc --print host-tuple) # named, so that the flags are not for build scripts
    RUSTFLAGS="--cfg fuzzing -Cdebug-assertions $coverage" CARGO_TARGET_DIR=$target \
        cargo build --release --quiet --locked --target "$machine" \
        --manifest-path fuzz/Cargo.toml --no-default-features --bin robots
    place=$(mktemp -d)
    trap 'rm -rf "$place"' EXIT
    mkdir "$place/corpus"
    if ! (cd "$place" && "$target/$machine/release/robots" "${limits[@]}" corpus >log 2>&1); then
        tail -n 40 "$place/log" >&2
        return 1
    fi
    echo "fuzzing robots: $(grep -a '^Done' "$place/log"); nothing found"
}

if [ "${2:-}" = quick ]; then
    quick
    exit
fi
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo 'fuzzing needs cargo-fuzz; run:' >&2
    echo '    cargo install cargo-fuzz' >&2
    exit 1
fi
export RUSTC_BOOTSTRAP=1
for target in $(cargo fuzz list); do
    echo "fuzzing $target for $seconds s"
    cargo fuzz run "$target" -- "${limits[@]}"
done
