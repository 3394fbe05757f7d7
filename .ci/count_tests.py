#!/usr/bin/env python3
"""Counts test results in Bazel's build event file: prints "PASSED FAILED".

    count_tests.py EVENTS EXIT_CODE

A test that did not come to run because it failed to build has failed. When Bazel itself failed without blaming a test,
that is one failure.
"""

import json
import sys


def count(events, exit_code):
    """(passed, failed) of an iterable of decoded events."""
    passed, failed, tests, unbuilt = set(), set(), set(), set()
    for event in events:
        ident = event.get("id", {})
        if "testSummary" in event:
            good = event["testSummary"].get("overallStatus") == "PASSED"
            (passed if good else failed).add(ident["testSummary"]["label"])
        elif event.get("configured", {}).get("testSize"):
            tests.add(ident["targetConfigured"]["label"])
        elif "targetCompleted" in ident and not event.get("completed", {}).get("success"):
            unbuilt.add(ident["targetCompleted"]["label"])
    failed |= tests & unbuilt
    if exit_code != 0 and not failed:
        return len(passed), 1
    return len(passed), len(failed)


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        print(*count(map(json.loads, lines), int(sys.argv[2])))


if __name__ == "__main__":
    main()
