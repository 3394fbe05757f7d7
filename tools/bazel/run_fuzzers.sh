#!/usr/bin/env bash
# Builds every fuzz target and runs each for a number of seconds, starting from its corpus.
#
#   tools/bazel/run_fuzzers.sh SECONDS [TARGET...]
#
# Fails when one crashes, and when there is none. What made it crash is left in a folder that is named then.
set -euo pipefail

cd "$(dirname "$0")/../.."
seconds=${1:?usage: run_fuzzers.sh SECONDS [TARGET...]}
shift
targets=("$@")
if ((${#targets[@]} == 0)); then
  mapfile -t targets < <(./bazelw query 'attr(tags, "\bfuzz\b", kind(cc_binary, //...))' 2>/dev/null)
fi
if ((${#targets[@]} == 0)); then
  echo "there is no fuzz target" >&2
  exit 1
fi
./bazelw build --noshow_progress --config=fuzz "${targets[@]}"

work=$(mktemp -d)

# The corpus of a target is among its inputs, in folders called testdata; large files are left to the tests.
copy_corpus() { # PACKAGE FOLDER
  [[ -d $1/testdata ]] || return 0
  find "$1/testdata" -type f \( -name '*.json' -o -name '*.yaml' \) ! -name '*.expect.json' -size -16k \
    -exec sh -c 'for f; do cp "$f" "$0/$(echo "$f" | tr / _)"; done' "$2" {} +
}

fuzz() { # TARGET
  local target=$1 binary folder package
  folder=$work/${target//[\/:]/_}
  mkdir -p "$folder/new" "$folder/corpus"
  package=${target#//}
  package=${package%%:*}
  copy_corpus "$package" "$folder/corpus"
  binary=$PWD/bazel-bin/${target#//}
  binary=${binary/:/\/}
  if (cd "$folder" && "$binary" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 new corpus >log 2>&1); then
    printf '==== %s, %s s: %s\n' "$target" "$seconds" "$(grep -E 'stat::number_of_executed_units' "$folder/log" | tail -n 1)"
  else
    tail -n 40 "$folder/log"
    echo "FAILED: $target; the input is in $folder"
    return 1
  fi
}

# Two at once: a fuzzer has one thread.
failed=0
running=0
for target in "${targets[@]}"; do
  if ((running == 2)); then
    wait -n || failed=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
for ((; running > 0; --running)); do
  wait -n || failed=1
done
((failed == 0)) && rm -rf "$work"
exit "$failed"
