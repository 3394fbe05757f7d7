#!/usr/bin/env bash
# restart_twin.sh TEST ARGS...: the test as its own restart twin (restart_twin.bzl). One in which nothing was restarted fails.
set -euo pipefail

code=0
KUBELET_CM_RESTART_TWIN=1 GTEST_COLOR=no "$@" >"$TEST_TMPDIR/output" 2>&1 || code=$?
cat "$TEST_TMPDIR/output"
restarts=$(grep -c '^restart twin: ' "$TEST_TMPDIR/output" || true)
echo "$restarts restarts"
((code == 0 && restarts > 0))
