#!/usr/bin/env bash
# The version that the programs print is the module's.
set -euo pipefail

in_header=$(sed -n 's/.*kVersion = "\(.*\)";/\1/p' "$1")
in_module=$(sed -n '/^module(/,/^)/s/.*version = "\([^"]*\)".*/\1/p' "$2" | head -n 1)
if [[ -z $in_header || $in_header != "$in_module" ]]; then
  echo "version.h says '$in_header', MODULE.bazel says '$in_module'"
  exit 1
fi
