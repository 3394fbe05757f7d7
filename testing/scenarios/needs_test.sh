#!/usr/bin/env bash
# needs_test.sh PROGRAM WORDS NAMES FILE...: whether each of the scenarios in NAMES, a name a line, is refused by PROGRAM with a
# reason that begins with WORDS. So no scenario is kept from the daemon, or from a node in memory, that could be played there.
set -euo pipefail

run=$1 words=$2 names=$3
shift 3
failed=0
found=0
for file in "$@"; do
  name=$(basename "$file" .textproto)
  grep -qx "$name" "$names" || continue
  found=$((found + 1))
  code=0
  output=$("$run" --quiet "$file" 2>&1) || code=$?
  if [[ $code -ne 2 || $output != *"$words"* ]]; then
    echo "$file: expected to be refused, got exit code $code: $output" >&2
    failed=1
  fi
done
if [[ $found -ne $(wc -l <"$names") ]]; then
  echo "$found of the scenarios are there, and these are named: $(tr '\n' ' ' <"$names")" >&2
  failed=1
fi
exit "$failed"
