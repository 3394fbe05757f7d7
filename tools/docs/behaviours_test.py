#!/usr/bin/env -S python3 -B
"""behaviours_test.py DOCUMENT SOURCES: whether every test that DOCUMENT's tables name is there.

The last column of a row names tests as `Suite.Case`. SOURCES is the tar file of the repository's sources.
"""

import re
import sys
import tarfile

ROW = re.compile(r"^\| (?P<behaviour>.*\S) +\| (?P<tests>[^|]*)\|$")
NAME = re.compile(r"`(\w+\.\w+)`")
CASE = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)


def rows_of(document):
    """Each row's behaviour and the text of its last column, without what heads a table."""
    lines = document.splitlines()
    for number, line in enumerate(lines):
        heads = number + 1 < len(lines) and lines[number + 1].startswith("|--")
        row = ROW.match(line)
        if row and not heads:
            yield row["behaviour"], row["tests"]


def problems(document, tests):
    rows = list(rows_of(document))
    if not rows:
        yield "there is no row in any table"
    for behaviour, column in rows:
        names = NAME.findall(column)
        if not names:
            yield f"no test for: {behaviour}"
        for name in names:
            if name not in tests:
                yield f"there is no test {name}, which is named for: {behaviour}"
        rest = NAME.sub("", column).replace(",", "").strip()
        if rest:
            yield f"not the name of a test: {rest}"


def tests_in(sources_path):
    with tarfile.open(sources_path) as sources:
        files = [member for member in sources.getmembers() if member.name.endswith("_test.cc")]
        texts = [sources.extractfile(file).read().decode() for file in files]
    return {f"{suite}.{case}" for text in texts for suite, case in CASE.findall(text)}


def main(document_path, sources_path):
    with open(document_path, encoding="utf-8") as file:
        found = list(problems(file.read(), tests_in(sources_path)))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
