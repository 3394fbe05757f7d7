#!/usr/bin/env bash
set -euo pipefail
exec python3 -B .ci/count_tests_test.py
