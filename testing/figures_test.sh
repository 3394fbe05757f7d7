#!/usr/bin/env bash
# figures_test.sh FIGURES: whether FIGURES fails where a figure misses its aim, in a folder in which what it measures is played by
# these few lines: two scenarios, a run of the kills, a benchmark.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/testing/scenarios/restart" "$work/bazel-bin/testing/scenarios/run.runfiles"
cp "$1" "$work/testing/figures.sh"
touch "$work/testing/scenarios/restart/"{a,b}.textproto

plays() { # what each scenario is said to have
  printf '#!/usr/bin/env bash\necho "x: passed"\necho "x: %s over 9 operations"\n' "$1" >"$work/bazel-bin/testing/scenarios/run"
  chmod +x "$work/bazel-bin/testing/scenarios/run"
}
bazelw() { # what it is to print
  printf '#!/usr/bin/env bash\necho "%s"\n' "$1" >"$work/bazelw"
  chmod +x "$work/bazelw"
}

# CODE TEXT ARGUMENT...: the exit code and a text of what is told.
expect() {
  local code=0 output wanted=$1 text=$2
  shift 2
  output=$("$work/testing/figures.sh" "$@" 2>&1) || code=$?
  if ((code != wanted)) || [[ $output != *"$text"* ]]; then
    echo "figures.sh $*: expected exit code $wanted and: $text"
    echo "got $code and: $output"
    exit 1
  fi
}

bazelw built
plays "1500 crash points, 1000 disk images"
expect 0 "2, of which 2 were swept: 3000 crash points and 2000 disk images; " scenarios
plays "1500 crash points, 999 disk images"
expect 1 "MISSED: crash points and disk images: 4998, and at least 5000 is the aim" scenarios
expect 0 "3000 crash points and 1998 disk images; " --no-limits scenarios

bazelw "seed 1: 100 kills, 50 admitted, 7 calls cut"
expect 0 "under load: 100, with 50 pods admitted and 7 calls cut" kills
bazelw "seed 1: 99 kills, 50 admitted, 7 calls cut"
expect 1 "MISSED: SIGKILLs of the daemon: 99, and at least 100 is the aim" kills
expect 0 "under load: 99" --no-limits kills

bazelw "Daemon/StartToReady/entries:1000/pods:1000 59.9 ms"
expect 0 "1,000 pods: 59.9 ms" start
bazelw "Daemon/StartToReady/entries:1000/pods:1000 60.1 ms"
expect 1 "MISSED: milliseconds of a start with 1,000 pods: 60.1, and at most 60 is the aim" start
# All that is asked for is measured before it fails.
expect 1 "under load: 0" start kills
bazelw "nothing"
expect 1 "the benchmark told no milliseconds" --no-limits start

# No second goes by here: another aim in place of three minutes.
sed -i 's/"$took" 180$/"$took" -1/' "$work/testing/figures.sh"
plays "1500 crash points, 1000 disk images"
expect 1 "MISSED: seconds that all scenarios take: " scenarios
expect 0 "" --no-limits scenarios

expect 2 "figures.sh [--no-limits] [PART...]" all
