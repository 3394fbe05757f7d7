#!/usr/bin/env bash
# The sample as its user has it: a workspace of its own, next to which kubelet_cm is a module. Compiles the bench a second
# time, because in another workspace it is another repository.
set -euo pipefail

cd "$(dirname "$0")/scenario_user"
exec ../../../bazelw test --noshow_progress //...
