#!/usr/bin/env bash
# readme_test.sh TARGET=PROGRAM...: the commands of README.md's section "A first run", in their order, by somebody who
# has nothing yet. Programs stand for `./bazelw run TARGET`; what runs in another terminal runs in the background.
set -euo pipefail

repository=$PWD
home=$(mktemp -d /tmp/kcm.XXXXXX) # short: sockets lie below it
daemon=0 plugin=0
trap 'kill -9 $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$home"' EXIT

declare -A programs
for pair; do programs[${pair%%=*}]=$repository/${pair#*=}; done

# As `bazel run` starts programs: elsewhere, and told where its caller is.
export HOME=$home BUILD_WORKING_DIRECTORY=$repository
unset XDG_STATE_HOME KUBELET_CM_ENDPOINT
mkdir "$home/elsewhere"
cd "$home/elsewhere"

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  cat "$home"/*.log >&2 2>/dev/null || true
  exit 1
}

printed='' # by the last command: a program's output, or its first lines up to LAST

# Runs a program in the background until it says LAST; sets `started`.
in_background() { # LAST PROGRAM ARGS...
  local last=$1 line reader said=$home/said
  shift
  rm -f "$said"
  mkfifo "$said"
  "$@" >"$said" 2>>"$home/${1##*/}.log" &
  started=$!
  exec {reader}<"$said" # and stays open, for what it says later
  printed=''
  while IFS= read -r -t 30 -u "$reader" line; do
    printed+=$line$'\n'
    [[ $line != *"$last"* ]] || return 0
  done
  fail "$* does not say \"$last\""
}

# The wait that a reader does not notice: a plugin's devices are known a moment after it says that it serves them.
await_devices() {
  timeout 30 grep -q -m1 ' DevicesChanged ' < <("${programs[//tools/cmctl]}" get events --watch 2>/dev/null) ||
    fail "the plugin's devices do not come"
}

# --- What the README's lines do, and what must come of them.

run_daemon() {
  ((daemon == 0)) || fail "the README starts the daemon twice"
  in_background 'run //tools/cmctl -- admit' "${programs[//kubelet_cm]}"
  daemon=$started
  ((plugin == 0)) || await_devices # the plugin comes back by itself
}

run_plugin() { # ARGS
  in_background 'serving 4 devices of example.com/widget' "${programs[//testing/fakes:device_plugin]}" "$@"
  plugin=$started
  await_devices
}

# For `pkill`, which would take everybody's daemons: ours, if it is one that pkill would find.
kill_daemon() {
  [[ $(<"/proc/$daemon/comm") == kubelet_cm ]] || fail "pkill -x kubelet_cm does not find the daemon"
  kill -KILL "$daemon"
  wait "$daemon" 2>/dev/null || true
  daemon=0
  kills=$((kills + 1))
}

admitted=0 kills=0
run_cmctl() { # ARGS
  local out
  out=$("${programs[//tools/cmctl]}" "$@" 2>&1) || fail "cmctl $*: exit $?: $out"
  printf '$ cmctl %s\n%s\n' "$*" "$out"
  printed=$out$'\n'
  case $* in
    'get devices')
      expect "$out" 4 '^example.com/widget +dev-[0-3] +Healthy '
      expect "$out" $((2 * admitted)) ' default/widgets:app *$'
      ;;
    'admit -f examples/pod.yaml')
      expect "$out" 1 '^pod default/widgets admitted$'
      admitted=1
      ;;
    'get pods') expect "$out" 1 '^default +widgets +Admitted +- +example.com/widget=2 ' ;;
    *) fail "this test does not know what should come of: cmctl $*" ;;
  esac
}

expect() { # TEXT COUNT PATTERN
  local count
  count=$(grep -cE -- "$3" <<<"$1" || true)
  ((count == $2)) || fail "$count lines (wanted $2) match \"$3\" in: $1"
}

# Holds what the README says is printed against what was. Ages differ, and where the user's folders are.
compare() { # TEXT
  local text
  text=$(sed -E "s|$home|~|g; s/[0-9]+s\$/Ns/" <<<"$printed")
  [[ $(sed -E 's/[0-9]+s$/Ns/' <<<"$1") == "$text" ]] || fail "the README says that this is printed:
$1
and this is:
$text"
  compared=$((compared + 1))
}

# --- The walk.

run() { # COMMAND
  local words
  read -ra words <<<"$1"
  case $1 in
    './bazelw run //kubelet_cm') run_daemon ;;
    './bazelw run //testing/fakes:device_plugin -- '*) run_plugin "${words[@]:4}" ;;
    './bazelw run //tools/cmctl -- '*) run_cmctl "${words[@]:4}" ;;
    'pkill -KILL -x kubelet_cm') kill_daemon ;;
    *) fail "this test does not know the README's line: $1" ;;
  esac
}

# Of the section: "> COMMAND", "| LINE" of what is printed, and "=" where such a text ends.
mapfile -t lines < <(awk '/^## / { inside = $0 == "## A first run" }
  !inside { next }
  /^```/ { fenced = !fenced; if (!fenced) print "="; next }
  fenced { print "| " $0; next }
  sub(/^    /, "") { print "> " $0 }' "$repository/README.md")
text='' compared=0
for line in "${lines[@]}"; do
  case $line in
    '> '*) run "${line:2}" ;;
    '| '*) text+=${line:2}$'\n' ;;
    =)
      compare "${text%$'\n'}"
      text=''
      ;;
  esac
done
((admitted == 1 && kills == 1 && daemon != 0)) || fail "the README admits no pod, or does not kill the daemon and start it again"
((compared > 0)) || fail "the README does not say what is printed"
