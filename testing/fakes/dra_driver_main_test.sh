#!/usr/bin/env bash
# The fake DRA driver as a program: help, bad flags, serving until it is told to stop.
set -euo pipefail
driver=$1

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

"$driver" --help | grep -e '--registry' >/dev/null || fail "--help names the flags"
if "$driver" --api v9 2>/dev/null; then fail "an unknown API is refused"; fi
if "$driver" --fault 'act: DIE' 2>/dev/null; then fail "half a fault is refused"; fi
if "$driver" --socket-dir relative 2>/dev/null; then fail "a relative folder is refused"; fi

folder=$(mktemp -d /tmp/fakedriver.XXXXXX)
trap 'rm -rf "$folder"' EXIT
coproc DRIVER { exec "$driver" --driver gpu.example.com --socket-dir "$folder/data" --registry "$folder/registry"; }
pid=$DRIVER_PID
exec 3<&"${DRIVER[0]}"
read -r -t 30 line <&3 || fail "it says nothing"
[ "$line" = "serving gpu.example.com on $folder/data/dra.sock, announced at $folder/registry/gpu.example.com-reg.sock" ] ||
    fail "it says: $line"
[ -S "$folder/data/dra.sock" ] || fail "it has a socket"
[ -S "$folder/registry/gpu.example.com-reg.sock" ] || fail "it can be found"
kill -TERM "$pid"
read -r -t 30 line <&3 || fail "it says nothing about its end"
[ "$line" = "stopping" ] || fail "it says: $line"
wait "$pid" || fail "it ends with exit code $?"
[ ! -e "$folder/registry/gpu.example.com-reg.sock" ] || fail "its socket goes with it"
