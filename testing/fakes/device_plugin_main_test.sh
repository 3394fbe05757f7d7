#!/usr/bin/env bash
# The fake device plugin as a program: help, bad flags, serving until it is told to stop.
set -euo pipefail
plugin=$1

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

"$plugin" --help | grep -e '--kubelet-socket' >/dev/null || fail "--help names the flags"
if "$plugin" --api v2 2>/dev/null; then fail "an unknown API is refused"; fi
if "$plugin" --devices -1 2>/dev/null; then fail "a negative number of devices is refused"; fi
if "$plugin" --fault 'call: ALLOCATE' 2>/dev/null; then fail "half a fault is refused"; fi
if "$plugin" --socket-dir relative 2>/dev/null; then fail "a relative folder is refused"; fi

folder=$(mktemp -d /tmp/fakeplugin.XXXXXX)
trap 'rm -rf "$folder"' EXIT
coproc PLUGIN { exec "$plugin" --resource example.com/gpu --devices 3 --numa 2 --api v1alpha2 --socket-dir "$folder"; }
pid=$PLUGIN_PID
exec 3<&"${PLUGIN[0]}"
read -r -t 30 line <&3 || fail "it says nothing"
[ "$line" = "serving 3 devices of example.com/gpu on $folder/fake.sock" ] || fail "it says: $line"
[ -S "$folder/fake.sock" ] || fail "it has a socket"
kill -TERM "$pid"
read -r -t 30 line <&3 || fail "it says nothing about its end"
[ "$line" = "stopping" ] || fail "it says: $line"
wait "$pid" || fail "it ends with exit code $?"
[ ! -e "$folder/fake.sock" ] || fail "its socket goes with it"
