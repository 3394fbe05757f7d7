#!/usr/bin/env bash
# The program's face: what it prints, and its exit codes.
set -euo pipefail

program=$1

expect() { # EXIT PATTERN ARGS...
  local want=$1 pattern=$2 out code=0
  shift 2
  out=$("$program" "$@" 2>&1) || code=$?
  if ((code != want)) || ! grep -q -- "$pattern" <<<"$out"; then
    printf 'kubelet_cm %s: exit %d (wanted %d), or no "%s" in:\n%s\n' "$*" "$code" "$want" "$pattern" "$out"
    exit 1
  fi
}

expect 0 '^kubelet_cm [0-9]*\.[0-9]*\.[0-9]*$' --version
expect 0 '--version' --help
expect 0 'README.md'
expect 2 '--no-such-flag' --no-such-flag
