#!/usr/bin/env bash
# particular_plugin.sh PLUGIN WORD... -- see BUILD: becomes the plugin, where everything has arrived as it was said.
set -euo pipefail

said=("$GREETING" "${@:2:4}")
wanted=("hello world" "two words" "[a,b]" "it's \\ \"it\"" "--log")
if [[ ${said[*]@Q} != "${wanted[*]@Q}" ]]; then
  printf '%s\n' "expected ${wanted[*]@Q}" "got ${said[*]@Q}"
  exit 1
fi
exec "$1" "${@:6}"
