# What the tests of bazelw share: a machine with stand-ins for apt, dpkg and Bazel on PATH, on which nothing is installed or
# downloaded. Sourced by them.

src=$PWD
failures=0

# A clone with the scripts in it, a HOME, and a PATH that begins with the stand-ins.
new_machine() {
  machine=$(mktemp -d "$TEST_TMPDIR/machine.XXXX")
  path=$machine/bin:/usr/bin:/bin
  mkdir -p "$machine/clone/tools/bazel" "$machine/bin" "$machine/home"
  cp "$src/bazelw" "$machine/clone/"
  cp "$src"/tools/bazel/{setup.sh,debian_bazel.sh,packages.txt} "$machine/clone/tools/bazel/"
  printf 'g++\npatchelf\n' >"$machine/clone/tools/bazel/packages.txt"
  : >"$machine/installed"
  stand_in bazel 'if [[ " $* " == *" --version "* ]]; then echo "bazel 7.4.1"; else echo "ran: $*"; fi'
  stand_in dpkg 'exit 0'
  stand_in dpkg-query "while read -r name; do echo \"\$name installed\"; done <'$machine/installed'"
  stand_in apt-get "echo \"apt-get \$*\" >>'$machine/log'; case \" \$* \" in *' install '*) printf 'g++\npatchelf\n' >'$machine/installed' ;; esac"
  stand_in sudo "echo \"sudo \$*\" >>'$machine/log'; exit 1"
  mkdir -p "$machine/home/.cache/kubelet_cm/rules"
  : >"$machine/home/.cache/kubelet_cm/rules/bazelrc" # as unpacked by an earlier set-up
  : >"$machine/log"
}

# A sudo that asks for no password.
let_sudo_work() {
  stand_in sudo "echo \"sudo \$*\" >>'$machine/log'; [[ \$1 != -n ]] || shift; exec \"\$@\""
}

# From now on the machine has no package manager, as another distribution: PATH is links to the other programs alone.
take_away_apt() {
  ln -s /usr/bin/* "$machine/bin/" 2>/dev/null || true # stand-ins stay
  rm -f "$machine"/bin/{apt-get,dpkg,dpkg-query}
  path=$machine/bin
}

stand_in() { # NAME SCRIPT
  rm -f "$machine/bin/$1"
  printf '#!/bin/bash\n%s\n' "$2" >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

bazelw() { # VAR=VALUE... ARGS...
  local settings=()
  while [[ ${1:-} == [A-Z]*=* ]]; do
    settings+=("$1")
    shift
  done
  (cd "$machine/clone" && env -i PATH="$path" HOME="$machine/home" "${settings[@]}" ./bazelw "$@") \
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

# Runs the functions that are named test_..., and fails if one of their checks did.
run_tests() {
  local test
  for test in $(compgen -A function test_); do
    "$test"
  done
  ((failures == 0)) || exit 1
  echo "all passed"
}
