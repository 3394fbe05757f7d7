#!/usr/bin/env bash
# completion_shells_test.sh CMCTL: by the path of Debian's python3, as for every test in Python.
set -euo pipefail
exec /usr/bin/python3 -B tools/cmctl/completion_shells_test.py "$@"
