#!/usr/bin/env bash
# format.sh [--fix]: whether C++ and protos look as clang-format 14 leaves them, and BUILD files as buildifier does.
#
# buildifier is no Debian package; it is $BUILDIFIER or on PATH, or that part is left out and said so. It is in the npm
# package @bazel/buildifier.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fix=
if [[ ${1:-} == --fix ]]; then
  fix=1
elif (($# > 0)); then
  echo "usage: format.sh [--fix]" >&2
  exit 2
fi
status=0
sources=$(python3 -B tools/lint/source_tree.py .)
select_sources() { grep -E "$1" <<<"$sources" || true; }

clang_format=$(type -P clang-format-14 || type -P clang-format || true)
if [[ -z $clang_format ]]; then
  echo "format: clang-format is missing: apt-get install clang-format" >&2
  exit 1
fi
# Another version lays some lines out differently, so what it says about them means nothing.
if [[ $("$clang_format" --version) != *"version 14."* ]]; then
  echo "format: $("$clang_format" --version) found, version 14 wanted" >&2
  exit 1
fi
arguments=(--style=file --dry-run -Werror)
[[ -z $fix ]] || arguments=(--style=file -i)
select_sources '\.(cc|h|proto)$' | tr '\n' '\0' | xargs -0 -r -P 2 -n 25 "$clang_format" "${arguments[@]}" || status=1

buildifier=${BUILDIFIER:-$(type -P buildifier || true)}
if [[ -z $buildifier ]]; then
  echo "format: left out: BUILD files (no buildifier on PATH, and BUILDIFIER is not set)"
else
  arguments=(-mode=check)
  [[ -z $fix ]] || arguments=(-mode=fix)
  select_sources '(^|/)(BUILD|WORKSPACE)$|\.(bzl|bazel)$' | tr '\n' '\0' | xargs -0 -r "$buildifier" "${arguments[@]}" || status=1
fi

((status == 0)) || [[ -n $fix ]] || echo "format: tools/lint/format.sh --fix mends this" >&2
exit "$status"
