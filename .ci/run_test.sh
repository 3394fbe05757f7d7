#!/usr/bin/env bash
# run_test.sh RUN: what .ci/run says at its end, and whether it fails, with a stand-in for bazelw that leaves Bazel's record
# of a run behind, and with all packages installed.
set -euo pipefail

run=$PWD/$1
failures=0

# A clone in which bazelw exits with CODE after writing the EVENTS, one a line.
new_clone() { # CODE EVENTS
  clone=$(mktemp -d "$TEST_TMPDIR/clone.XXXX")
  mkdir "$clone/.ci" "$clone/bin"
  cp "$run" "${run%/*}"/*.py "$clone/.ci"
  printf '%s' "$2" >"$clone/record"
  cat >"$clone/bazelw" <<EOF
#!/bin/bash
echo "\$*" >>'$clone/calls'
[[ \$1 != query ]] || { echo '<query/>'; exit 0; }
for flag in "\$@"; do
  [[ \$flag != --build_event_json_file=* ]] || cat '$clone/record' >"\${flag#*=}"
done
exit $1
EOF
  printf '#!/bin/bash\nprintf installed\n' >"$clone/bin/dpkg-query"
  printf '#!/bin/bash\nexit 1\n' >"$clone/bin/apt-get"
  chmod +x "$clone/bazelw" "$clone"/bin/*
}

test_event() { # LABEL STATUS
  printf '{"id": {"testSummary": {"label": "%s"}}, "testSummary": {"overallStatus": "%s"}}\n' "$1" "$2"
}

expect() { # WHAT CODE LAST_LINE STEP...
  local what=$1 wanted=$2 last=$3 code=0
  shift 3
  PATH=$clone/bin:$PATH "$clone/.ci/run" "$@" >"$clone/out" 2>&1 || code=$?
  if ((code != wanted)) || [[ $(tail -n 1 "$clone/out") != "$last" ]]; then
    printf 'FAILED: %s: exit code %s, wanted %s and the last line "%s":\n%s\n' "$what" "$code" "$wanted" "$last" "$(<"$clone/out")"
    failures=$((failures + 1))
  fi
}

both=$(test_event //a PASSED && test_event //b PASSED)
new_clone 0 "$both"
expect "all passed" 0 "2 passed, 0 failed" test
expect "configurations add up" 0 "4 passed, 0 failed" test asan
grep -q 'test .*--config=clang-asan //\.\.\.' "$clone/calls" || failures=$((failures + 1))

new_clone 3 "$(test_event //a PASSED && test_event //b FAILED)"
expect "a test failed" 1 "1 passed, 1 failed" test

new_clone 1 ""
expect "nothing was built" 1 "0 passed, 1 failed" test

new_clone 0 ""
expect "no test ran" 1 "0 passed, 1 failed" test

new_clone 0 "not JSON"
expect "a record that cannot be read" 1 "0 passed, 1 failed" test

new_clone 0 "$both"
mkdir -p "$clone/tools/bazel"
printf '#!/bin/bash\nexit 1\n' >"$clone/tools/bazel/missing_library_check.sh"
chmod +x "$clone/tools/bazel/missing_library_check.sh"
expect "a check failed" 1 "2 passed, 1 failed" test library
printf '#!/bin/bash\n' >"$clone/tools/bazel/missing_library_check.sh"
expect "a check passed" 0 "3 passed, 0 failed" test library

expect "a step that there is not" 2 "no such step: tests (see the head of $clone/.ci/run)" tests

printf '#!/bin/bash\n' >"$clone/bin/dpkg-query"
expect "packages that cannot be installed" 1 "2 passed, 1 failed" test

((failures == 0)) || exit 1
echo "all passed"
