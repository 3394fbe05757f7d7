#!/usr/bin/env bash
# dependency_law.sh: asks Bazel for the graph of this repository, and dependency_law.py whether it keeps the law.
#
# Not deps(//...): the implicit dependencies of test rules lead to tools that Bazel would download. So the graph ends
# at the labels of other repositories; none of the libraries there brings gRPC along unnamed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
graph=$(mktemp)
trap 'rm -f "$graph"' EXIT
./bazelw query --output=xml --noimplicit_deps --notool_deps --ui_event_filters=-info --noshow_progress '//...:*' >"$graph"
python3 -B tools/lint/dependency_law.py "$graph"
