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
failed=0
for target in "${targets[@]}"; do
  name=${target//[\/:]/_}
  mkdir "$work/$name" "$work/$name/new" "$work/$name/corpus"
  package=${target#//}
  package=${package%%:*}
  # The corpus of a target is among its inputs, in folders called testdata; large files are left to the tests.
  if [[ -d $package/testdata ]]; then
    find "$package/testdata" -type f \( -name '*.json' -o -name '*.yaml' \) ! -name '*.expect.json' -size -16k \
      -exec sh -c 'for f; do cp "$f" "$0/$(echo "$f" | tr / _)"; done' "$work/$name/corpus" {} +
  fi
  binary=bazel-bin/${target#//}
  binary=${binary/:/\/}
  echo "==== $target, $seconds s"
  if ! (cd "$work/$name" && "$OLDPWD/$binary" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 new corpus >log 2>&1); then
    tail -n 40 "$work/$name/log"
    echo "FAILED: $target; the input is in $work/$name"
    failed=1
  else
    grep -E 'stat::number_of_executed_units|cov:' "$work/$name/log" | tail -n 2
  fi
done
((failed == 0)) && rm -rf "$work"
exit "$failed"
