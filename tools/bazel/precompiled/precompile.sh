#!/usr/bin/env bash
# Precompiles headers, one after the other, as one (precompiled.bzl):
#
#   precompile.sh OUTPUT PLUGIN COMPILER HEADER... -- ARGUMENT...
#
# PLUGIN is the source of a g++ plugin that instantiates the headers' templates here, once, instead of in every source that
# begins with them; "" for clang, which needs none. It is compiled by COMPILER itself, since it fits one version of it only.
# Without g++'s plugin headers all goes on without it, slower.
set -euo pipefail

output=$1 plugin=$2 compiler=$3
shift 3
headers=()
while [[ $1 != -- ]]; do
  headers+=("$1")
  shift
done
shift
export PATH # Bazel gives none; bash has a default, and a compiler finds its linker by it.

if [[ -z $plugin ]]; then
  # clang notes the absolute paths of our own headers, which are others in each sandbox; what it reads from standard input
  # has none.
  cat "${headers[@]}" | "$compiler" -x c++-header "$@" -o "$output" -
  exit
fi

whole=${output%.gch}
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$whole"' EXIT
printf '#include "%s"\n' "${headers[@]}" >"$whole"
plugins=$("$compiler" -print-file-name=plugin)/include
if [[ -f $plugins/gcc-plugin.h ]]; then
  "$compiler" -std=c++17 -fPIC -shared -fno-rtti "-I$plugins" "$plugin" -o "$folder/plugin.so"
  set -- "-fplugin=$folder/plugin.so" "$@"
  echo "#pragma kubelet_cm instantiate" >>"$whole"
else
  echo "g++'s plugin headers are missing (Debian 12: gcc-12-plugin-dev): every source takes a quarter longer to compile" >&2
fi
"$compiler" -x c++-header "$@" -o "$output" "$whole"
