#!/usr/bin/env python3
"""Which tests reach a thread, a lock or gRPC: prints their labels, a line each.

    ./bazelw query --output=xml --noimplicit_deps --notool_deps '//...:*' | threaded_tests.py

The others have one thread and nothing to race with. rdeps() would need what test rules depend on unnamed, which Bazel would
have to download.
"""

import sys
import xml.etree.ElementTree

# Several threads, or what starts them.
THREADED = ("//common/threads", "//common/unixsocket", "@grpc//")


def tests(graph):
    """(all tests that are not manual, those of them with threads), sorted, of a query's XML."""
    inputs, candidates = {}, set()
    for rule in xml.etree.ElementTree.fromstring(graph).iter("rule"):
        name = rule.get("name")
        inputs[name] = [entry.get("name") for entry in rule.iter("rule-input")]
        tags = {tag.get("value") for tag in rule.findall("list[@name='tags']/string")}
        if rule.get("class").endswith("_test") and "manual" not in tags:
            candidates.add(name)
    return sorted(candidates), sorted(name for name in candidates if _reaches(name, inputs))


def _reaches(start, inputs):
    seen, left = {start}, [start]
    while left:
        for name in inputs.get(left.pop(), ()):
            if name.startswith(THREADED):
                return True
            if name not in seen:
                seen.add(name)
                left.append(name)
    return False


def main():
    everything, threaded = tests(sys.stdin.read())
    print(*threaded, sep="\n")
    print(f"{len(threaded)} of {len(everything)} tests have threads", file=sys.stderr)
    return 0 if threaded else 1


if __name__ == "__main__":
    sys.exit(main())
