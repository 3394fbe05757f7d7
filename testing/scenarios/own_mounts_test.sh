#!/usr/bin/env bash
# own_mounts_test.sh COMMAND...: runs it where a process may have mounts of its own, where only root has them, and where
# nobody has; elsewhere it says so, and looks at nothing.
set -euo pipefail

root=(unshare --user --map-root-user --mount)
if ! "${root[@]}" true && ! unshare --mount true; then
  echo "NOT RUN: this system gives nobody here mounts of his own"
  exit 0
fi
"$@"

# Limits of a user namespace of our own.
limit=/proc/sys/user
if ! "${root[@]}" sh -c "echo 0 >$limit/max_user_namespaces"; then
  echo "NOT RUN: nobody here may say how many namespaces there are"
  exit 0
fi
"${root[@]}" sh -c "echo 0 >$limit/max_user_namespaces; exec \"\$@\"" sh "$@"
code=0
output=$("${root[@]}" sh -c "echo 0 >$limit/max_user_namespaces; echo 0 >$limit/max_mnt_namespaces; exec \"\$@\"" sh "$@") || code=$?
if [[ $code -ne 1 || $output != *"this system gives nobody here mounts of his own"* ]]; then
  printf '%s\n' "without mounts: expected exit code 1 and the reason, got $code and:" "$output" >&2
  exit 1
fi
