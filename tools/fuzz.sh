#!/usr/bin/env bash
# Runs every fuzz target for some seconds each. The sanitizers' flags are unstable, hence RUSTC_BOOTSTRAP: no nightly is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}

if ! cargo fuzz --version >/dev/null 2>&1; then
    echo 'fuzzing needs cargo-fuzz; run:' >&2
    echo '    cargo install cargo-fuzz' >&2
    exit 1
fi
export RUSTC_BOOTSTRAP=1
for target in $(cargo fuzz list); do
    echo "fuzzing $target for $seconds s"
    cargo fuzz run "$target" -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048
done
