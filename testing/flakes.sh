#!/usr/bin/env bash
# flakes.sh [--runs N] [--daemon N] [SCENARIO...]: every scenario again and again, to see whether one of the runs is another.
#
#   --runs N     so often in memory, each time with its threads in another order (1000)
#   --daemon N   so often against the daemon's program, a real process on real sockets (20; half a second each; 0: not at all)
#   SCENARIO     these files; by default all below testing/scenarios
#
# Two at once, so that the machine is busy. Ends with the number of runs, and fails at the first that did.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
runs=1000
on_daemon=20
files=()
while (($# > 0)); do
  case $1 in
    --runs | --daemon)
      [[ ${2:-} =~ ^[0-9]+$ ]] || { echo "$1 takes a number" >&2 && exit 2; }
      if [[ $1 == --runs ]]; then runs=$2; else on_daemon=$2; fi
      shift 2
      ;;
    -*) sed -n 2,8p "$0" >&2 && exit 2 ;;
    *) files+=("$(realpath "$1")") && shift ;;
  esac
done
((${#files[@]} > 0)) || mapfile -t files < <(find "$root/testing/scenarios" -name '*.textproto' | sort)

./bazelw build --noshow_progress //testing/scenarios:run //testing/scenarios:run_on_daemon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The program of a scenario, so often; says what failed.
play() { # SCENARIO PROGRAM TIMES ARGUMENT...
  local scenario=$1 program=$2 times=$3 name code
  shift 3
  name=$work/$(basename "$scenario").$(basename "$program")
  for ((i = 0; i < times; ++i)); do
    code=0
    # From where Bazel has put what the program runs; golden files are the workspace's.
    (cd "$program.runfiles/_main" && BUILD_WORKSPACE_DIRECTORY=$root "$program" --quiet "$@" "$scenario") >"$name" 2>&1 || code=$?
    # 2: not played there, and the file says why.
    ((code != 2)) || return 0
    ((code == 0)) || { echo "$scenario, run $((i + 1)):" && cat "$name" && return 1; } >&2
  done
  echo "$times" >>"$work/$(basename "$program").done"
}
export -f play
export root work

if ((runs > 0)); then
  printf '%s\n' "${files[@]}" |
    xargs -P 2 -I{} bash -euo pipefail -c 'play "$@"' play {} "$root/bazel-bin/testing/scenarios/run" 1 --orders "$runs"
  echo "$((runs * ${#files[@]})) runs of ${#files[@]} scenarios in memory, all of them alike"
fi
if ((on_daemon > 0)); then
  printf '%s\n' "${files[@]}" |
    xargs -P 2 -I{} bash -euo pipefail -c 'play "$@"' play {} "$root/bazel-bin/testing/scenarios/run_on_daemon" "$on_daemon"
  echo "$(($(wc -l <"$work/run_on_daemon.done") * on_daemon)) runs of $(wc -l <"$work/run_on_daemon.done") scenarios against the daemon"
fi
