#!/bin/sh
# python_test.sh ARGS...: `python3 -m ARGS...` with this folder's modules, out of the test's own runfiles.
# (py_test would want a Python toolchain of rules_python, which a build without network does not have.)
set -eu
PYTHONPATH=$PWD/tools/lint exec python3 -B -m "$@"
