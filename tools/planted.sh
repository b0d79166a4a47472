#!/usr/bin/env bash
# Proves that the trial finds bugs: plants each of crates/helios-trial/planted/*.patch in a copy of the sources, runs seeds, and
# requires that a law is broken. Usage: tools/planted.sh [SEEDS] [NAME...]
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
seeds=${1:-2000}
shift || true
target=${PLANTED_TARGET_DIR:-$root/target/planted}
# Only the patched crate is built anew each time: quickly rather than quick.
quick=profile.release.package.helios-core.opt-level=1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Cargo.toml Cargo.lock clippy.toml crates "$copy/"

build() { (cd "$copy" && CARGO_TARGET_DIR=$target cargo build --release --quiet --config "$quick" -p helios-trial 2>"$copy/build.log") || {
  cat "$copy/build.log" >&2
  return 1
}; }

printf '%-28s %-8s %-8s %s\n' bug expected caught seed
missed=0
for patch in "$root"/crates/helios-trial/planted/*.patch; do
  name=$(basename "$patch" .patch)
  if (($# > 0)) && [[ " $* " != *" $name "* ]]; then continue; fi
  expected=$(head -n 1 "$patch" | sed -E 's/.*law ([A-Za-z]+) must.*/\1/')
  # No fuzz: a patch that fits only nearly may land where it plants nothing.
  patch --quiet --fuzz 0 --directory "$copy" --strip 1 <"$patch"
  build
  # Status 1 is what we hope for; the words say which law it was.
  words=$("$target/release/trial" --seeds "0..$seeds" || true)
  patch --quiet --directory "$copy" --strip 1 --reverse <"$patch"
  seed=$(sed -nE 's/^seed ([0-9]+) failed$/\1/p' <<<"$words" | head -n 1)
  laws=$(sed -nE 's/^  law ([A-Za-z]+):.*/\1/p' <<<"$words" | sort -u | paste -sd ,)
  if [[ -z $seed ]]; then
    missed=$((missed + 1))
    laws='NOT CAUGHT'
  fi
  printf '%-28s %-8s %-8s %s\n' "$name" "$expected" "$laws" "$seed"
done
if ((missed > 0)); then
  echo "$missed planted bugs were not caught by $seeds seeds"
  exit 1
fi
echo 'every planted bug was caught'
