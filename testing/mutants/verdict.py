"""verdict.py NAME PROGRAM [ARGUMENT...]: whether a test with a planted bug finds it.

PROGRAM is the test. It has found the bug when it ran, and one of its cases failed by an assertion. One that passes, dies,
does not start or does not end has not. Says which case found it.
"""

import re
import subprocess
import sys

LIMIT_SECONDS = 240
_SHOWN_LINES = 12


class Missed(Exception):
    """The bug was not found, and why."""


def verdict(name, exit_code, output):
    """A text that says which cases of the test found the bug. Missed, if none did."""
    if not re.search(r"^\[ RUN      \] ", output, re.MULTILINE):
        raise Missed(f"{name}: the test did not run")
    if exit_code == 0:
        raise Missed(f"{name} SURVIVED: every case passes with the bug")
    if not re.search(r"^\[==========\] \d+ tests? from \d+ test suites? ran\.", output, re.MULTILINE):
        raise Missed(f"{name}: the test died with exit code {exit_code} instead of failing")
    cases = re.findall(r"^\[  FAILED  \] (\S+?),? .*\(\d+ ms\)$", output, re.MULTILINE)
    failures = re.findall(r"^\S+:\d+: Failure$", output, re.MULTILINE)
    if not cases or not failures:
        raise Missed(f"{name}: no case failed by an assertion, exit code {exit_code}")
    return f"{name}: caught by {', '.join(dict.fromkeys(cases))}"


def first_failure(output):
    lines = output.splitlines()
    start = next(i for i, line in enumerate(lines) if line.endswith(": Failure"))
    return "\n".join(lines[start:start + _SHOWN_LINES])


def main(name, program, *arguments):
    try:
        run = subprocess.run([program, *arguments, "--gtest_color=no", "--gtest_fail_fast"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        sys.exit(f"{name}: the test did not end within {LIMIT_SECONDS} s")
    try:
        print(verdict(name, run.returncode, run.stdout))
    except Missed as missed:
        sys.exit(f"{missed}; its output:\n{run.stdout[-20000:]}")
    print(first_failure(run.stdout))


if __name__ == "__main__":
    main(*sys.argv[1:])
