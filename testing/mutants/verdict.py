"""verdict.py NAME PROGRAM [ARGUMENT...]: whether a scenario finds a planted bug.

PROGRAM is //testing/scenarios:run with the bug. The scenario has found it when it was played and something was not as it
has to be. A run that passes, dies, does not start or does not end has not. Says what was found first.
"""

import re
import subprocess
import sys

LIMIT_SECONDS = 240
_FAILED = 1  # the exit code of a scenario that is not as it says


class Missed(Exception):
    """The bug was not found, and why."""


def verdict(name, exit_code, output):
    """A text that says what was seen of the bug first. Missed, if nothing was."""
    if exit_code == 0:
        raise Missed(f"{name} SURVIVED: everything is as it should be with the bug")
    if exit_code != _FAILED:
        raise Missed(f"{name}: the run ended with exit code {exit_code}")
    if not re.search(r"^\w+: .*FAILED$", output, re.MULTILINE):
        raise Missed(f"{name}: no scenario failed")
    found = re.search(r"^(?P<where>\S.*):\n {4}(?P<what>\S.*)$", output, re.MULTILINE)
    if not found:
        raise Missed(f"{name}: nothing is said to be wrong")
    return f"{name}: caught: {found['where']}: {found['what']}"


def main(name, program, *arguments):
    try:
        run = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", timeout=LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        sys.exit(f"{name}: the run did not end within {LIMIT_SECONDS} s")
    try:
        print(verdict(name, run.returncode, run.stdout))
    except Missed as missed:
        sys.exit(f"{missed}; its output:\n{run.stdout[-20000:]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
