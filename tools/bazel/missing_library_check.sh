#!/usr/bin/env bash
# What a build says when a library of the distribution is missing or too old. Starts Bazel itself, on copies of the
# build files with the demands changed, so it is a step of .ci/run and no Bazel test.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds with `sed EXPRESSION` applied to the table of libraries, and looks for both texts in what Bazel says.
expect() { # EXPRESSION TEXT INSTALL_LINE
  local copy=$work/clone output
  rm -rf "$copy"
  mkdir "$copy"
  cp -r bazelw .bazelrc .bazelversion .bazelignore MODULE.bazel WORKSPACE BUILD tools third_party common "$copy"
  sed -i "$1" "$copy/third_party/debian/libraries.bzl"
  if output=$(cd "$copy" && ./bazelw build --nobuild //common/personality:kubelet_version 2>&1); then
    echo "the build did not fail after: $1"
    exit 1
  fi
  (cd "$copy" && ./bazelw shutdown >/dev/null 2>&1) || true
  if ! grep -q "$2" <<<"$output" || ! grep -q "$3" <<<"$output"; then
    printf 'no "%s" or no "%s" in:\n%s\n' "$2" "$3" "$output"
    exit 1
  fi
}

expect 's/minimum = "20220601"/minimum = "30000101"/' \
  're2 30000101 or newer is needed, and libre2-dev .* is installed' \
  'Install it with:  apt-get install --no-install-recommends libre2-dev'
expect 's/package = "libre2-dev"/package = "libre2-none-dev"/' \
  're2 20220601 or newer is needed, and it is not installed' \
  'Install it with:  apt-get install --no-install-recommends libre2-none-dev'
expect 's/archives = \["re2"\]/archives = ["re2gone"]/' \
  're2 20220601 or newer is needed, and libre2gone.a is nowhere below /usr/lib' \
  'Install it with:  apt-get install --no-install-recommends libre2-dev'
echo "all as expected"
