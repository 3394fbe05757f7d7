#!/bin/sh
# python_test.sh FILE ARGS...: a Python program of this folder, out of the test's own runfiles.
set -eu
file=$1
shift
exec python3 -B "testing/scenarios/catalogue/$file" "$@"
