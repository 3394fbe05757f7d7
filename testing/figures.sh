#!/usr/bin/env bash
# figures.sh [--no-limits] [PART...]: the bench's figures, as docs/scenarios.md has them, measured on this machine:
#   scenarios   all of them in memory, with every crash there can be: the time they take two at once, crash points, disk images
#   kills       a hundred SIGKILLs of the daemon's program under load
#   start       the daemon's program from its launch to ready, with what 1,000 pods hold in its files
# All of them, if no part is named. Fails when one of them misses its aim, once all are measured; with --no-limits, as on a machine of
# which nothing is known, it only tells them.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
limits=1
if [[ ${1:-} == --no-limits ]]; then
  limits=
  shift
fi
(($# > 0)) || set -- scenarios kills start
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

missed=0
at_most() { # WHAT FIGURE AIM
  awk -v figure="$2" -v aim="$3" 'BEGIN { exit !(figure > aim) }' || return 0
  miss "$1: $2, and at most $3 is the aim"
}
at_least() {
  awk -v figure="$2" -v aim="$3" 'BEGIN { exit !(figure < aim) }' || return 0
  miss "$1: $2, and at least $3 is the aim"
}
miss() {
  [[ -n $limits ]] || return 0
  echo "MISSED: $1" >&2
  missed=1
}

# In a process of its own each, as in the tests. Without crashes: starts that are refused, which they are after a crash, too; the
# 556 starts of damaged/; a list of 4 MiB, which takes seconds to look at after each of hundreds of crashes; and kubelets 1.30, which leak
# a claim after some of them.
plays() {
  local file sweep
  while read -r file; do
    case $file in
      */library/*_stops_a_strict_node.textproto | */corruption/strict_start_*) sweep= ;;
      */damaged/* | */plugins/lists_more_than_four_mebibytes.textproto | */upgrade/claims_from_1_30_*) sweep= ;;
      *) sweep=--sweep ;;
    esac
    printf '%s\0' "$file $sweep"
  done < <(find "$root/testing/scenarios" -name '*.textproto' | sort)
}
play() { # "SCENARIO [--sweep]"
  local program=$root/bazel-bin/testing/scenarios/run said
  # shellcheck disable=SC2086  # two words
  said=$(cd "$program.runfiles" && BUILD_WORKSPACE_DIRECTORY=$root "$program" --quiet $1 2>&1) || [[ $said == *": not in memory: "* ]] || { echo "$said" && return 1; }
  echo "$said"
}
export -f play
export root
measure_scenarios() {
  ./bazelw build --noshow_progress //testing/scenarios:run
  local start=$SECONDS took
  plays | xargs -0 -P 2 -I{} bash -euo pipefail -c 'play "$1"' play {} >"$work/played" || { cat "$work/played" && exit 1; }
  took=$((SECONDS - start))
  local told
  told=$(awk -v took="$took" '
    / crash points, / { swept++; for (i = 1; i < NF; i++) { if ($(i + 1) == "crash") points += $i; if ($(i + 1) == "disk") images += $i } }
    / passed$/ { played++ }
    END { printf "scenarios in memory: %d, of which %d were swept: %d crash points and %d disk images; %d s\n", played, swept, points, images, took }
    ' "$work/played")
  echo "$told"
  [[ $told =~ ([0-9]+)" crash points and "([0-9]+) ]]
  at_most "seconds that all scenarios take" "$took" 180
  at_least "crash points and disk images" $((BASH_REMATCH[1] + BASH_REMATCH[2])) 5000
}

measure_kills() {
  ./bazelw run --noshow_progress --test_sharding_strategy=disabled //testing/kills:daemon_kill_test >"$work/kills" 2>&1 || { cat "$work/kills" && exit 1; }
  local told
  told=$(awk '/^seed / { for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^kills/) kills += $i; if ($(i + 1) ~ /^admitted/) admitted += $i; if ($(i + 1) == "calls") cut += $i } }
    END { printf "SIGKILLs of the daemon under load: %d, with %d pods admitted and %d calls cut; nothing that was answered was lost\n", kills, admitted, cut }' "$work/kills")
  echo "$told"
  [[ $told =~ "under load: "([0-9]+) ]]
  at_least "SIGKILLs of the daemon" "${BASH_REMATCH[1]}" 100
}

measure_start() {
  local told
  told=$(./bazelw run --noshow_progress --config=release --symlink_prefix="$work/bazel-" //tools/bench -- --benchmark_filter='Daemon/StartToReady/entries:1000/pods:1000' 2>/dev/null |
    awk '/^Daemon\/StartToReady/ { printf "the daemon from its launch to ready, 1,000 pods: %s %s\n", $2, $3 }')
  echo "$told"
  [[ $told =~ ": "([0-9.]+)" ms"$ ]] || { echo "the benchmark told no milliseconds" >&2 && exit 1; }
  at_most "milliseconds of a start with 1,000 pods" "${BASH_REMATCH[1]}" 60
}

for part; do
  case $part in
    scenarios | kills | start) "measure_$part" ;;
    *) sed -n '2,/^set/{/^#/p}' "$0" >&2 && exit 2 ;;
  esac
done
((missed == 0))
