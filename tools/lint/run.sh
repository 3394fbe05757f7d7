#!/usr/bin/env bash
# run.sh [STEP...]: the steps of the lint that are not Bazel tests, or those of them that are named: law, planted, format,
# tidy; and products, which is tidy without tests, for machines that have to look at everything (.ci/run).
# Prints what a failing step says, then a line for each step: PASS or FAIL, its name, the seconds it took.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

declare -A commands=(
  [law]=tools/lint/dependency_law.sh
  [planted]=tools/lint/planted.sh
  [format]=tools/lint/format.sh
  [tidy]=tools/lint/clang_tidy.sh
  [products]="tools/lint/clang_tidy.sh --no-tests"
)
steps=("$@")
((${#steps[@]} > 0)) || steps=(law planted format tidy)
for step in "${steps[@]}"; do
  if [[ -z ${commands[$step]:-} ]]; then
    echo "run.sh: no step $step; there are: law planted format tidy products" >&2
    exit 2
  fi
done

results=()
status=0
for step in "${steps[@]}"; do
  start=$SECONDS
  result=PASS
  # shellcheck disable=SC2086  # a command and its flag
  ${commands[$step]} || result=FAIL status=1
  results+=("$result $step ($((SECONDS - start)) s)")
done
printf '%s\n' "${results[@]}"
exit "$status"
