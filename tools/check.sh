#!/usr/bin/env bash
# Is there what we cannot bring ourselves: Python, cargo, a C compiler? Says what is missing and how to get it.
# Prints the Python to use. HELIOS_INSTALL=1: as root, with apt, missing system packages are installed instead.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=0
say() { printf '%s\n' "$*" >&2; }
lacks() { # what, how to get it
    say "missing: $1"
    say "    $2"
    missing=1
}
[ "$(id -u)" = 0 ] && apt="apt-get install" || apt="sudo apt-get install"
on_mac() { [ "$(uname -s)" = Darwin ]; }

# apt_or PACKAGE: installs it if we may; fails when it did not.
apt_or() {
    [ "${HELIOS_INSTALL:-0}" = 1 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "installing $1"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$1"; } >&2
}

python=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    if on_mac; then lacks 'Python 3.11 or newer' 'brew install python@3.13'
    else lacks 'Python 3.11 or newer' "$apt python3 python3-venv   # Debian 12, Ubuntu 24.04 or newer"; fi
elif ! "$python" -c 'import venv, ensurepip' 2>/dev/null && ! apt_or python3-venv; then
    lacks "the venv module of $python" "$apt python3-venv"
fi

wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! command -v cargo >/dev/null; then
    lacks "cargo (Rust $wanted or newer)" "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y && . ~/.cargo/env"
else
    found=$(cargo --version | sed -n 's/^cargo \([0-9]*\.[0-9]*\).*/\1/p')
    if [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
        lacks "Rust $wanted or newer (here is $found)" 'rustup update stable'
    fi
fi

if ! command -v "${CC:-cc}" >/dev/null && ! apt_or build-essential; then
    if on_mac; then lacks 'a C compiler' 'xcode-select --install'
    else lacks 'a C compiler' "$apt build-essential"; fi
fi

# Servers that nobody here wrote: tests pass over those that are not there. The fuzzer's own engine is C++.
if [ "${HELIOS_INSTALL:-0}" = 1 ]; then
    command -v "${CXX:-c++}" >/dev/null || apt_or build-essential || lacks 'a C++ compiler' "$apt build-essential"
    PATH=$PATH:/usr/sbin:/usr/local/sbin
    for server in nginx:nginx nghttpd:nghttp2-server dnsmasq:dnsmasq-base \
        tinyproxy:tinyproxy-bin microsocks:microsocks danted:dante-server; do
        command -v "${server%:*}" >/dev/null || apt_or "${server#*:}" ||
            say "without ${server%:*} some tests are passed over: $apt ${server#*:}"
    done
fi

[ "$missing" = 0 ] || { say; say 'get what is missing, then run make again'; exit 1; }
printf '%s\n' "$python"
