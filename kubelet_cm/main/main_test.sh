#!/usr/bin/env bash
# The process: its face, its exit codes, a start, a stop, and a second one on the same folder.
set -euo pipefail

program=$1
root=$(mktemp -d /tmp/kcm.XXXXXX)  # socket paths are short
daemon=0
trap '((daemon == 0)) || kill -9 "$daemon" 2>/dev/null || true; rm -rf "$root"' EXIT

fail() {
  printf '%s\n' "$*"
  cat "$root"/out "$root"/err 2>/dev/null || true
  exit 1
}

expect() { # EXIT PATTERN ARGS...
  local want=$1 pattern=$2 out code=0
  shift 2
  out=$("$program" "$@" 2>&1) || code=$?
  if ((code != want)) || ! grep -q -- "$pattern" <<<"$out"; then
    fail "kubelet_cm $*: exit $code (wanted $want), or no \"$pattern\" in: $out"
  fi
}

start() { # ARGS...
  local line
  : >"$root/out"
  coproc DAEMON { exec "$program" --root-dir "$root/state" --healthz-port 0 "$@" 2>"$root/err"; }
  daemon=$DAEMON_PID
  exec 3<&"${DAEMON[0]}"
  # The greeting is the last thing of a start.
  while read -r -t 30 line <&3; do
    printf '%s\n' "$line" >>"$root/out"
    [[ $line != 'Try, in another terminal'* ]] || return 0
  done
  fail "the daemon does not say that it is ready"
}

# Ends the daemon with a signal; returns its exit code.
stop() { # SIGNAL
  local code=0
  kill "-$1" "$daemon"
  wait "$daemon" 2>/dev/null || code=$?
  daemon=0
  return "$code"
}

expect 0 '^kubelet_cm [0-9]*\.[0-9]*\.[0-9]*$' --version
expect 0 '--root-dir' --help
expect 2 '--no-such-flag' --no-such-flag
expect 2 'emulate-kubelet' --emulate-kubelet=sixteen

start
grep -q "device plugins register at  $root/state/device-plugins/kubelet.sock" "$root/out" || fail "no word of the socket"
expect 4 "process $daemon" --root-dir "$root/state" --healthz-port 0
stop TERM || fail "stopped with exit $?"
for socket in device-plugins/kubelet.sock pod-resources/kubelet.sock kubelet_cm.sock; do
  [[ ! -e "$root/state/$socket" ]] || fail "$socket is still there"
done

start
stop KILL || true
[[ -S "$root/state/kubelet_cm.sock" ]] || fail "a kill removed a socket"
start
stop TERM || fail "stopped with exit $?"

# A folder of claims that cannot be listed does not hold up the start, nor the end.
touch "$root/no-folder"
start --claim-manifest-path "$root/no-folder"
grep -q 'Could not follow the folder of manifests' "$root/err" || fail "no word of the folder"
stop TERM || fail "stopped with exit $?"

printf 'rubbish' >"$root/state/dra_manager_state"
expect 3 'dra_manager_state' --root-dir "$root/state" --healthz-port 0 --recover=strict
