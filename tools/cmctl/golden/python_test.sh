#!/bin/sh
# python_test.sh ARGS...: verbs_test.py, out of the test's own runfiles.
set -eu
exec python3 -B tools/cmctl/golden/verbs_test.py "$@"
