#!/usr/bin/env bash
# The program as an SRE uses it: files copied from a node, pipes, exit codes, completion in a shell.
set -euo pipefail

cmctl=$PWD/$1
v1=$PWD/$2
v2=$PWD/$3
cd "$TEST_TMPDIR"

expect() { # EXIT PATTERN COMMAND...
  local want=$1 pattern=$2 out code=0
  shift 2
  out=$("$@" 2>&1) || code=$?
  if ((code != want)) || ! grep -q -- "$pattern" <<<"$out"; then
    printf '%s: exit %d (wanted %d), or no "%s" in:\n%s\n' "$*" "$code" "$want" "$pattern" "$out"
    exit 1
  fi
}

cp "$v1" kubelet_internal_checkpoint
chmod 600 kubelet_internal_checkpoint
head -c 300 "$v2" >truncated

expect 0 'devicemanager-v1, valid' "$cmctl" checkpoint show kubelet_internal_checkpoint
expect 4 'not readable by kubelet 1.20.0' "$cmctl" checkpoint verify --kubelet-version 1.20.0 kubelet_internal_checkpoint
expect 0 'change to a release that reads this file' "$cmctl" checkpoint explain --kubelet-version 1.20.0 kubelet_internal_checkpoint
expect 3 'at byte 300' "$cmctl" checkpoint verify truncated kubelet_internal_checkpoint
expect 0 'checkpoint repair truncated -o NEW' "$cmctl" checkpoint explain truncated
expect 5 '^cmctl: none: not found$' "$cmctl" checkpoint verify none
expect 2 'no-such-flag' "$cmctl" checkpoint show kubelet_internal_checkpoint --no-such-flag

# Mended in place, with the old file kept; then the old kubelet's successor reads it.
expect 0 'the old file is' "$cmctl" checkpoint convert kubelet_internal_checkpoint --to v2 --in-place
expect 0 'devicemanager-v2' "$cmctl" checkpoint verify --kubelet-version 1.20.0 kubelet_internal_checkpoint
cmp "$v1" kubelet_internal_checkpoint.bak-*
expect 0 '' "$cmctl" checkpoint diff "$v1" kubelet_internal_checkpoint
expect 1 '^- pod ' "$cmctl" checkpoint diff "$v1" "$v2"
expect 6 '--force' "$cmctl" checkpoint repair truncated -o kubelet_internal_checkpoint
expect 0 '"valid": true' "$cmctl" checkpoint show -o json - <"$v2"
"$cmctl" checkpoint convert "$v1" --to v1 -o - | cmp - "$v1"

# What a shell makes of the completion script.
source <("$cmctl" completion bash)
COMP_WORDS=(cmctl checkpoint ver)
COMP_CWORD=2
_cmctl
expect 0 '^verify$' echo "${COMPREPLY[*]}"
COMP_WORDS=(cmctl checkpoint verify --inv)
COMP_CWORD=3
_cmctl
expect 0 '^--invariants$' echo "${COMPREPLY[*]}"
COMP_WORDS=(cmctl --root-dir /x get po)
COMP_CWORD=4
_cmctl
expect 0 '^pods$' echo "${COMPREPLY[*]}"
