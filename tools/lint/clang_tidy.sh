#!/usr/bin/env bash
# clang_tidy.sh [FILE...]: clang-tidy (.clang-tidy at the root) over these files, or over everything that Bazel compiles.
# A header stands for the source and the test beside it. What passed before is not looked at again: see clang_tidy.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=$(type -P clang-tidy-14 || type -P clang-tidy || true)
if [[ -z $program ]]; then
  echo "clang_tidy: clang-tidy is missing: apt-get install clang-tidy" >&2
  exit 1
fi
if [[ $("$program" --version) != *"version 14."* ]]; then
  echo "clang_tidy: $program is not version 14, for which .clang-tidy was chosen" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet=(--noshow_progress --ui_event_filters=-info)
# The headers that protoc writes must be there.
./bazelw build "${quiet[@]}" --output_groups=compilation_prerequisites_INTERNAL_ //...
./bazelw aquery "${quiet[@]}" --output=jsonproto --include_artifacts=false 'mnemonic("CppCompile", //...)' >"$work/actions.json"
python3 -B tools/lint/clang_tidy.py --program "$program" --actions "$work/actions.json" \
  --output-path "$(./bazelw info "${quiet[@]}" output_path)" --output-base "$(./bazelw info "${quiet[@]}" output_base)" "$@"
