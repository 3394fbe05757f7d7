#!/usr/bin/env bash
# planted.sh: whether clang-format, clang-tidy and buildifier, as installed here and configured at the root, find what is
# wrong in files that are made for it. The tests of this folder do without these tools, which a build does not need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# A tree with what format.sh needs, and one source or BUILD file.
plant() { # PATH TEXT
  rm -rf "$work/tree"
  mkdir -p "$work/tree/tools/lint" "$work/tree/dra"
  cp .clang-format .clang-tidy "$work/tree"
  cp tools/lint/{format.sh,source_tree.py} "$work/tree/tools/lint"
  printf '%b' "$2" >"$work/tree/$1"
}

# Fails unless the command's exit code and output are as wanted.
expect() { # WHAT CODE TEXT COMMAND...
  local what=$1 wanted=$2 text=$3 output code=0
  shift 3
  output=$("$@" 2>&1) || code=$?
  if { ((wanted == 0)) && ((code != 0)); } || { ((wanted != 0)) && ((code == 0)); } || [[ $output != *"$text"* ]]; then
    printf 'planted: %s: exit code %s, and it says:\n%s\n' "$what" "$code" "$output" >&2
    status=1
  fi
}

format() { "$work/tree/tools/lint/format.sh"; }
tidy() { (cd "$work/tree" && "$clang_tidy" --quiet dra/x.cc -- -x c++ -std=c++20); }

plant dra/x.cc 'int F() { return 1; }\n'
expect "a source that is well formatted" 0 "" format
plant dra/x.cc 'int   F( ) {return 1;}\n'
expect "a source that is not formatted" 1 "dra/x.cc:1" format

if [[ -n ${BUILDIFIER:-$(type -P buildifier || true)} ]]; then
  plant dra/BUILD 'cc_library(\n    name = "x",\n    srcs = ["x.cc"],\n)\n'
  expect "a BUILD file that is well formatted" 0 "" format
  plant dra/BUILD 'cc_library(srcs=["x.cc"],name="x")\n'
  expect "a BUILD file that is not formatted" 1 "dra/BUILD" format
fi

clang_tidy=$(type -P clang-tidy-14 || type -P clang-tidy) || { echo "planted: clang-tidy is missing: apt-get install clang-tidy" >&2 && exit 1; }
plant dra/x.cc 'struct A {\n  virtual ~A() = default;\n};\nstruct B : A {\n  ~B() override = default;\n};\n'
expect "a source without findings" 0 "" tidy
plant dra/x.cc 'struct A {\n  virtual ~A() = default;\n};\nstruct B : A {\n  ~B() = default;\n};\n'
expect "a finding is an error" 1 "[modernize-use-override,-warnings-as-errors]" tidy
exit "$status"
