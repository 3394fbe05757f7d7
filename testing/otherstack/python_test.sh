#!/bin/sh
# python_test.sh FILE ARGS...: a test of this folder, with the generated messages.
# By its path: Debian's packages are for Debian's python3, and another one may come before it on PATH.
set -eu
file=$1
shift
PYTHONPATH=$PWD/testing/otherstack/messages exec /usr/bin/python3 -B "testing/otherstack/$file" "$@"
