#!/usr/bin/env bash
# release_flags_test.sh BAZELRC FLAG...: a release has the flags of build:release, and no others.
set -euo pipefail

bazelrc=$1
shift
wanted=$(grep '^build:release' "$bazelrc" | grep -o -e '--\(copt\|linkopt\)=[^ ]*' | sed 's/^--[a-z]*=//' | sort)
have=$(printf '%s\n' "$@" | sort)
[[ $wanted == "$have" ]] || {
  printf '.bazelrc has\n%s\nand release.bzl\n%s\n' "$wanted" "$have"
  exit 1
}
