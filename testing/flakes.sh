#!/usr/bin/env bash
# flakes.sh [--runs N] [--daemon N] [--resume FILE] [--release] [SCENARIO...]: every scenario again and again, to see
# whether one of the runs is another.
#
#   --runs N       so often in memory, each time with its threads in another order (1000)
#   --daemon N     so often against the daemon's program, a real process on real sockets (20; half a second each; 0: not at all)
#   --resume FILE  notes in FILE what has been played, and leaves out what FILE says has been: to go on another day
#   --release      plays what is built for release, which is some times as fast, and takes minutes to build
#   SCENARIO       these files; by default all below testing/scenarios
#
# Two at once, so that the machine is busy. Plays all of them whatever fails, ends with the number of runs, and fails if one did.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
runs=1000
on_daemon=20
notes=
config=()
files=()
while (($# > 0)); do
  case $1 in
    --runs | --daemon)
      [[ ${2:-} =~ ^[0-9]+$ ]] || { echo "$1 takes a number" >&2 && exit 2; }
      if [[ $1 == --runs ]]; then runs=$2; else on_daemon=$2; fi
      shift 2
      ;;
    --resume)
      [[ -n ${2:-} ]] || { echo "$1 takes a file" >&2 && exit 2; }
      notes=$(realpath "$2")
      shift 2
      ;;
    --release) config=(--config=release) && shift ;;
    -*) sed -n '2,/^set/{/^#/p}' "$0" >&2 && exit 2 ;;
    *) files+=("$(realpath "$1")") && shift ;;
  esac
done
((${#files[@]} > 0)) || mapfile -t files < <(find "$root/testing/scenarios" -name '*.textproto' | sort)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
notes=${notes:-$work/notes}
touch "$notes"
./bazelw build --noshow_progress "${config[@]}" --symlink_prefix="$work/bazel-" //testing/scenarios:run //testing/scenarios:run_on_daemon //testing/fakes:dra_driver
programs=$(realpath "$work/bazel-bin")/testing/scenarios

# The program of a scenario, so often; says what failed, and notes what did not.
play() { # SCENARIO PROGRAM TIMES ARGUMENT...
  local scenario=$1 program=$2 times=$3 name said code
  shift 3
  name="$(basename "$program") ${scenario#"$root/"}"
  ! grep -qxF -e "$name $times" -e "$name not played there" "$notes" || return 0
  said=$work/${name//[ \/]/.}
  # In memory one process plays all orders.
  local processes=$times
  [[ $program == */run_on_daemon ]] || processes=1
  for ((i = 0; i < processes; ++i)); do
    code=0
    # From where Bazel has put what the program runs; golden files are the workspace's.
    (cd "$program.runfiles/_main" && BUILD_WORKSPACE_DIRECTORY=$root "$program" --quiet "$@" "$scenario") >"$said" 2>&1 || code=$?
    if ((code == 2)) && grep -q -e ': not against the daemon: ' -e ': not in memory: ' "$said"; then
      echo "$name not played there" >>"$notes" && return 0
    fi
    ((code == 0)) || { echo "$scenario, run $((i + 1)):" && cat "$said" && return 1; } >&2
  done
  echo "$name $times" >>"$notes"
}
export -f play
export root work notes

play_all() { # PROGRAM TIMES ARGUMENT...
  local failed=0 played
  printf '%s\n' "${files[@]}" | xargs -P 2 -I{} bash -euo pipefail -c 'play "$@"' play {} "$programs/$@" || failed=1
  played=$(printf "$1 %s $2\n" "${files[@]#"$root/"}" | grep -cxFf - "$notes" || true)
  echo "$((played * $2)) runs of $played scenarios with $1, all of them alike"
  return "$failed"
}
failed=0
((runs == 0)) || play_all run "$runs" --orders "$runs" || failed=1
((on_daemon == 0)) || play_all run_on_daemon "$on_daemon" --program="driver=${programs%/*}/fakes/dra_driver" || failed=1
exit "$failed"
