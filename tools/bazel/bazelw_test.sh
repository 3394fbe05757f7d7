#!/usr/bin/env bash
# bazelw's decisions, with stand-ins for apt, dpkg and Bazel on PATH: nothing is installed or downloaded.
set -euo pipefail

# shellcheck source=tools/bazel/stand_ins.sh
source "${0%/*}/stand_ins.sh"

test_passes_arguments_to_bazel_on_path() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw test //... --config=asan
  check "exit code" exited 0
  check "arguments" printed 'ran: --bazelrc=.*/bazelrc test //... --config=asan$'
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
  let_sudo_work
  bazelw info
  check "goes on" printed 'ran: .*info'
  check "installs" called 'install --no-install-recommends g++ patchelf'
  if ((EUID == 0)); then
    check "as root, without sudo" not called '^sudo'
  else
    check "through sudo" called '^sudo env .*apt-get .*install'
  fi
}

test_an_install_that_was_killed_is_taken_up_again() {
  new_machine
  let_sudo_work
  stand_in dpkg "echo \"dpkg \$*\" >>'$machine/log'"
  stand_in apt-get "echo \"apt-get \$*\" >>'$machine/log'
    [[ -e '$machine/killed' ]] || { touch '$machine/killed'; kill -KILL \$(ps -o ppid= \$PPID) \$PPID; exit 1; }
    printf 'g++\npatchelf\n' >'$machine/installed'"
  bazelw info
  check "the first is killed" test "$code" != 0
  check "it did not go on" not printed 'ran:'
  bazelw info
  check "exit code" exited 0
  check "what dpkg left half done is finished" called '^dpkg --configure -a'
  check "goes on" printed 'ran: .*info'
}

test_takes_new_package_lists_when_an_install_fails() {
  new_machine
  let_sudo_work
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
  let_sudo_work
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

test_another_distribution_is_told_what_the_build_needs() {
  new_machine
  take_away_apt
  bazelw info
  check "says so" printed 'this system has no apt-get'
  check "names it" printed ' g++ patchelf'
  check "takes the Bazel on PATH" printed 'ran: .*info'
}

test_another_distribution_without_bazel_is_told_where_it_goes() {
  new_machine
  take_away_apt
  rm "$machine/bin/bazel"
  bazelw info
  check "fails" exited 1
  check "says what to do" printed 'install Bazel 7 (or bazelisk) and put it on PATH, or set BAZEL'
}

test_results_are_kept_below_the_users_cache() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  # Says what it is told to read, as it stands.
  stand_in bazel 'if [[ " $* " == *" --version "* ]]; then echo "bazel 7.4.1"; else cat "${1#--bazelrc=}"; fi'
  bazelw info
  check "below HOME" printed "^common \"--disk_cache=$machine/home/.cache/kubelet_cm/disk\"\$"
  mkdir -p "$machine/x dg/kubelet_cm/rules"
  : >"$machine/x dg/kubelet_cm/rules/bazelrc"
  bazelw XDG_CACHE_HOME="$machine/x dg" info
  check "below XDG_CACHE_HOME" printed "^common \"--disk_cache=$machine/x dg/kubelet_cm/disk\"\$"
  check "with the rules" printed "^import \"$machine/x dg/kubelet_cm/rules/bazelrc\"\$"
}

test_a_second_run_starts_nothing() {
  new_machine
  printf 'g++\npatchelf\n' >"$machine/installed"
  bazelw BAZEL="$machine/bin/bazel" info
  mkdir "$machine/only"
  ln -s "$BASH" "$machine/only/bash"
  path=$machine/only # no other program can be found
  bazelw BAZEL="$machine/bin/bazel" info
  check "exit code" exited 0
  check "runs Bazel, and says nothing else" test "$(<"$machine/out")" = "ran: --bazelrc=$machine/home/.cache/kubelet_cm/bazelrc info"
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
  let_sudo_work
  local run
  for run in 1 2 3 4; do
    (cd "$machine/clone" && env -i PATH="$machine/bin:/usr/bin:/bin" HOME="$machine/home" ./bazelw info) \
      >"$machine/out.$run" 2>&1 &
  done
  wait
  cat "$machine"/out.* >"$machine/out"
  code=0
  check "all ran" test "$(grep -c 'ran: .*info' "$machine/out")" = 4
  check "one install" test "$(grep -c '^apt-get.* install ' "$machine/log")" = 1
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

run_tests
