#!/usr/bin/env bash
# Crawls the fast synthetic web flat out, then runs every benches/*.py. The web has a process of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

echo 'crawl of the fast synthetic web, no delay, 20 s:'
.venv/bin/helios demo --preset fast --delay 0s --time 20s --max-pages-per-site 100000 --out "$out/crawl" "$@"
for script in benches/*.py; do
    [ -e "$script" ] || continue
    echo "$script:"
    # One that cannot run here says why.
    .venv/bin/python "$script" || echo "$script: left out"
done
