#!/bin/sh
# python_test.sh FILE ARGS...: a Python program, out of the test's own runfiles.
set -eu
exec python3 -B "$@"
