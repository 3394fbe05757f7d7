"""every_file_test.py SCENARIO...: whether a kubelet starts on each damaged state file of the test data, once on a node that
sets damaged files aside, and, if it is set aside there, once on a strict one.

What else there is of either is said, too: a name that no file has would be found by the scenario itself.
"""

import collections
import glob
import os.path
import re
import sys

# How many there are: what upstream's verdict was recorded about.
FILES_OF = {
    "deviceplugin/checkpoint/testdata/devicemanager-v0-1.8-mutated": 23,
    "deviceplugin/checkpoint/testdata/devicemanager-v0-1.9-mutated": 24,
    "deviceplugin/checkpoint/testdata/devicemanager-v1-mutated": 181,
    "deviceplugin/checkpoint/testdata/devicemanager-v2-mutated": 213,
    "dra/checkpoint/testdata/dra-head-mutated": 68,
    "dra/checkpoint/testdata/dra-v1.27-mutated": 23,
    "dra/checkpoint/testdata/dra-v1.28-mutated": 24,
}

STEP = re.compile(r"^  start_on_each \{\n(.*?)^  \}", re.DOTALL | re.MULTILINE)


def starts_of(text):
    """The files that the scenario's steps start on, and whether they are set aside."""
    for body in STEP.findall(text):
        folder = re.search(r'folder: "([^"]+)"', body)[1]
        for name in re.findall(r'"(\w+)"', re.search(r"names: \[(.*?)\]", body, re.DOTALL)[1]):
            yield f"{folder}/{name}.json", "set_aside: true" in body


def miscounted(files):
    there = collections.Counter(os.path.dirname(file) for file in files)
    for folder in sorted(FILES_OF.keys() | there.keys()):
        if there[folder] != FILES_OF.get(folder, 0):
            yield f"{folder}: there are {there[folder]} damaged files, and not {FILES_OF.get(folder, 0)}"


def problems(files, scenarios):
    quarantine, damaged, strict = [], set(), []
    for text in scenarios:
        starts = list(starts_of(text))
        if "recover: STRICT" in text:
            strict += [file for file, _ in starts]
            continue
        quarantine += [file for file, _ in starts]
        damaged |= {file for file, set_aside in starts if set_aside}
    for what, wanted, there in (("a start", set(files), quarantine), ("a strict start", damaged, strict)):
        for file in sorted(wanted.symmetric_difference(there)):
            yield f"{file}: {what} is {'missing' if file in wanted else 'one too many'}"
        for file in sorted({file for file in there if there.count(file) > 1}):
            yield f"{file}: {what} is there twice"


def main(*paths):
    files = [path for path in glob.glob("*/checkpoint/testdata/*-mutated/*.json") if not path.endswith(".expect.json")]
    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    found = list(miscounted(files)) + list(problems(files, texts))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
