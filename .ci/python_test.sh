#!/usr/bin/env bash
# python_test.sh FILE: runs a Python test.
set -euo pipefail
exec python3 -B "$1"
