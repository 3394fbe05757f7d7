#!/usr/bin/env bash
# The test of a scenario: plays it, as its arguments say (scenario.bzl).
set -euo pipefail

# Bazel is told that shards are understood.
[[ -z ${TEST_SHARD_STATUS_FILE:-} ]] || touch "$TEST_SHARD_STATUS_FILE"
[[ ${TEST_TOTAL_SHARDS:-0} -le 1 ]] || set -- "$@" --shard "$TEST_SHARD_INDEX" --shards "$TEST_TOTAL_SHARDS"
exec "$@"
