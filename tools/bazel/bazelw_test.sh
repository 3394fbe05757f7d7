#!/usr/bin/env bash
# bazelw's decisions, with stand-ins for apt, dpkg and Bazel on PATH: nothing is installed or downloaded.
set -euo pipefail

src=$PWD
failures=0

# A clone with the scripts in it, a HOME, and a PATH that begins with the stand-ins.
new_machine() {
  machine=$(mktemp -d "$TEST_TMPDIR/machine.XXXX")
  mkdir -p "$machine/clone/tools/bazel" "$machine/bin" "$machine/home"
  cp "$src/bazelw" "$machine/clone/"
  cp "$src"/tools/bazel/{setup.sh,debian_bazel.sh,packages.txt} "$machine/clone/tools/bazel/"
  printf 'g++\npatchelf\n' >"$machine/clone/tools/bazel/packages.txt"
  : >"$machine/installed"
  stand_in bazel 'if [[ " $* " == *" --version "* ]]; then echo "bazel 7.4.1"; else echo "ran: $*"; fi'
  stand_in dpkg 'exit 0'
  stand_in dpkg-query "while read -r name; do echo \"\$name installed\"; done <'$machine/installed'"
  stand_in apt-get "echo \"apt-get \$*\" >>'$machine/log'; case \" \$* \" in *' install '*) printf 'g++\npatchelf\n' >'$machine/installed' ;; esac"
  stand_in sudo 'exit 1'
  mkdir -p "$machine/home/.cache/kubelet_cm/rules"
  : >"$machine/home/.cache/kubelet_cm/rules/bazelrc" # as unpacked by an earlier set-up
  : >"$machine/log"
}

stand_in() { # NAME SCRIPT
  printf '#!/bin/bash\n%s\n' "$2" >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

bazelw() { # VAR=VALUE... ARGS...
  local settings=()
  while [[ ${1:-} == [A-Z]*=* ]]; do
    settings+=("$1")
    shift
  done
  (cd "$machine/clone" && env -i PATH="$machine/bin:/usr/bin:/bin" HOME="$machine/home" "${settings[@]}" ./bazelw "$@") \
    >"$machine/out" 2>&1 </dev/null && code=0 || code=$?
}

check() { # WHAT CONDITION...
  local what=$1
  shift
  if ! "$@"; then
    printf 'FAILED: %s (exit %s)\n--- output\n%s\n--- apt-get\n%s\n' "$what" "$code" "$(<"$machine/out")" "$(<"$machine/log")"
    failures=$((failures + 1))
  fi
}

printed() { grep -q -- "$1" "$machine/out"; }
called() { grep -q -- "$1" "$machine/log"; }
not() { ! "$@"; }
exited() { ((code == $1)); }

test_passes_arguments_to_bazel_on_path() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw test //... --config=asan
  check "exit code" exited 0
  check "arguments" printed 'ran: --bazelrc=.*/rules/bazelrc test //... --config=asan$'
  check "no install" not called install
}

test_prefers_the_bazel_of_the_environment() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  stand_in mine 'if [[ " $* " == *" --version "* ]]; then echo "bazel 7.7.1"; else echo "mine: $*"; fi'
  bazelw BAZEL="$machine/bin/mine" info
  check "runs it" printed 'mine: .*info'
}

test_bazelisk_is_asked_where_it_finds_the_version_wanted() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  rm "$machine/bin/bazel"
  echo 7.7.1 >"$machine/clone/.bazelversion"
  stand_in bazelisk 'version=$(cat .bazelversion 2>/dev/null || echo 9.9.9)
    if [[ " $* " == *" --version "* ]]; then echo "bazel $version"; else echo "isk $version: $*"; fi'
  bazelw info
  check "runs it" printed 'isk 7.7.1: .*info'
}

test_refuses_another_major_version_in_the_environment() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  stand_in old 'echo "bazel 4.2.3"'
  bazelw BAZEL="$machine/bin/old" info
  check "fails" exited 1
  check "says which" printed 'old is not a Bazel 7 (it says: bazel 4.2.3)'
}

test_refuses_a_bazel_that_is_no_program() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw BAZEL=/nowhere/bazel info
  check "fails" exited 1
  check "says so" printed 'BAZEL is set to /nowhere/bazel, which is not a program'
}

test_no_install_prints_the_line_and_stops() {
  new_machine
  bazelw KUBELET_CM_NO_INSTALL=1 info
  check "fails" exited 1
  check "prints the line" printed '^apt-get install --no-install-recommends g++ patchelf$'
  check "installs nothing" not called .
  check "does not go on" not printed 'ran:'
}

test_names_only_what_is_missing() {
  new_machine
  echo g++ >"$machine/installed"
  bazelw KUBELET_CM_NO_INSTALL=1 info
  check "prints the line" printed '^apt-get install --no-install-recommends patchelf$'
}

test_installs_what_is_missing() {
  new_machine
  ((EUID == 0)) || stand_in sudo '[[ $1 != -n ]] || shift; exec "$@"'
  bazelw info
  check "goes on" printed 'ran: .*info'
  check "installs" called 'install --no-install-recommends g++ patchelf'
}

test_takes_new_package_lists_when_an_install_fails() {
  new_machine
  ((EUID == 0)) || stand_in sudo '[[ $1 != -n ]] || shift; exec "$@"'
  stand_in apt-get "echo \"apt-get \$*\" >>'$machine/log'
    case \" \$* \" in
      *' update '*) touch '$machine/updated' ;;
      *' install '*) [[ -e '$machine/updated' ]] || exit 100; printf 'g++\npatchelf\n' >'$machine/installed' ;;
    esac"
  bazelw info
  check "updates" called ' update'
  check "goes on" printed 'ran: .*info'
}

test_says_when_the_install_brought_nothing() {
  new_machine
  ((EUID == 0)) || stand_in sudo '[[ $1 != -n ]] || shift; exec "$@"'
  stand_in apt-get 'exit 0'
  bazelw info
  check "fails" exited 1
  check "names them" printed 'still not installed: g++ patchelf'
}

test_without_root_prints_the_line() {
  ((EUID != 0)) || return 0 # shown to a user who is not root only; CI runs the tests as such a user too
  new_machine
  bazelw info
  check "fails" exited 1
  check "says why" printed 'takes root'
  check "prints the line" printed '^apt-get install --no-install-recommends g++ patchelf$'
}

test_a_second_run_starts_nothing() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw info
  stand_in dpkg-query 'echo dpkg-query was called; exit 1'
  bazelw info
  check "runs" printed 'ran: .*info'
  check "asks nobody" not printed 'dpkg-query was called'
}

test_a_changed_package_list_runs_the_set_up_again() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw info
  echo libnew-dev >>"$machine/clone/tools/bazel/packages.txt"
  bazelw KUBELET_CM_NO_INSTALL=1 info
  check "prints the line" printed '^apt-get install --no-install-recommends libnew-dev$'
}

test_a_replaced_bazel_is_looked_at_again() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw info
  stand_in bazel 'echo "bazel 4.2.3"'
  touch -d '+1 hour' "$machine/bin/bazel"
  bazelw BAZEL="$machine/bin/bazel" info
  check "fails" exited 1
  check "says which" printed 'is not a Bazel 7'
}

test_two_at_once_set_up_once() {
  new_machine
  ((EUID == 0)) || stand_in sudo '[[ $1 != -n ]] || shift; exec "$@"'
  local run
  for run in 1 2 3 4; do
    (cd "$machine/clone" && env -i PATH="$machine/bin:/usr/bin:/bin" HOME="$machine/home" ./bazelw info) \
      >"$machine/out.$run" 2>&1 &
  done
  wait
  cat "$machine"/out.* >"$machine/out"
  code=0
  check "all ran" test "$(grep -c 'ran: .*info' "$machine/out")" = 4
  check "one install" test "$(grep -c ' install ' "$machine/log")" = 1
}

test_needs_a_home_for_its_cache() {
  new_machine
  (cd "$machine/clone" && env -i PATH="$machine/bin:/usr/bin:/bin" ./bazelw info) >"$machine/out" 2>&1 && code=0 || code=$?
  check "fails" exited 2
  check "says why" printed 'neither HOME nor XDG_CACHE_HOME is set'
}

test_works_from_another_folder() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  stand_in bazel 'if [[ " $* " == *" --version "* ]]; then echo "bazel 7.4.1"; else echo "in $PWD"; fi'
  (cd / && env -i PATH="$machine/bin:/usr/bin:/bin" HOME="$machine/home" "$machine/clone/bazelw" info) >"$machine/out" 2>&1 &&
    code=0 || code=$?
  check "goes to the clone" printed "in $(cd "$machine/clone" && pwd -P)\$"
}

for test in $(compgen -A function test_); do
  "$test"
done
((failures == 0)) || exit 1
echo "all passed"
