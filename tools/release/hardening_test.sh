#!/usr/bin/env bash
# hardening_test.sh PROGRAM: whether a program is as a release has to be.
set -euo pipefail

program=$1
failures=0
fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}
# What readelf says about it, on one line each.
headers=$(readelf --wide --file-header --program-headers --section-headers "$program")
dynamic=$(readelf --wide --dynamic "$program")
imported=$(readelf --wide --dyn-syms "$program" | awk '$7 == "UND" { sub(/@.*/, "", $8); print $8 }')

has() { grep -Eq -- "$2" <<<"$1"; }

has "$headers" '^ +Type: +DYN ' || fail "it is loaded at the same address each time: no PIE"
has "$dynamic" 'FLAGS_1\).*\<PIE\>' || fail "it is no position-independent executable"
has "$headers" '^ +GNU_RELRO ' || fail "no part of it becomes read-only after the start: no RELRO"
has "$dynamic" '\(FLAGS_1\).*\<NOW\>' || fail "its table of functions stays writable: RELRO is partial"
has "$headers" '^ +GNU_STACK .* RW ' || fail "its stack is executable"
has "$imported" '^__stack_chk_fail$' || fail "no function of it notices that its stack was overwritten"
has "$imported" '^__(mem|str|v?sn?printf|fd|read|poll|recv)[a-z]*_chk$' || fail "no copy in it is checked: _FORTIFY_SOURCE is off"
! has "$headers" '\] \.(symtab|debug_)' || fail "it is not stripped"

"$program" --help >/dev/null || fail "it does not run"
((failures == 0)) || exit 1
echo "as it has to be"
