"""bugs_table_test.py DOCUMENT BUGS SOURCES SCENARIO...: whether DOCUMENT says of every bug of the list BUGS where it is.

A bug is "k/k#<number>" or "<the kubelet that mended it> <what was wrong>". A row names a scenario, by its folder and name,
which refers to the bug ("k/k#1", "fixed in 1.9"); or a case of a test, which has to be there among SOURCES, the tar file of
the repository's sources; or it says that it is none of this project's business. What a scenario refers to as an issue
has a row.
"""

import posixpath
import re
import sys
import tarfile

ROW = re.compile(r"^\| ((?:k/k#\d+(?:, )?)+|\d\.\d+) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
NOT_OURS = "no behaviour of ours: "


def bugs_of(keys, text):
    """What a row is about, as the list has it."""
    return keys.split(", ") if keys.startswith("k/k#") else [f"{keys} {text}"]


def reference_to(bug):
    return bug if bug.startswith("k/k#") else "fixed in " + bug.split()[0]


def problems_of(where, bugs, scenarios, text_of):
    names = re.findall(r"`(\w+/\w+)`", where)
    cases = re.findall(r"`([\w/]+_test\.cc)` (\w+)", where)
    if not names and not cases and not where.startswith(NOT_OURS):
        yield f"{bugs[0]}: neither a scenario nor a test"
    for name in names:
        references = re.findall(r'^references: "([^"]*)"', scenarios.get(name, ""), re.MULTILINE)
        if name not in scenarios:
            yield f"{bugs[0]}: there is no scenario {name}"
        for bug in bugs:
            if name in scenarios and reference_to(bug) not in references:
                yield f'{name} does not say: references: "{reference_to(bug)}"'
    for path, case in cases:
        if not re.search(rf"^TEST(_F|_P)?\(\w+, {case}\) {{", text_of(path) or "", re.MULTILINE):
            yield f"{bugs[0]}: {path} has no test {case}"


def problems(document, wanted, scenarios, text_of):
    there = []
    for keys, text, where in ROW.findall(document):
        bugs = bugs_of(keys, text)
        there += bugs
        yield from problems_of(where, bugs, scenarios, text_of)
    for bug in sorted(set(wanted) - set(there)):
        yield f"{bug} is not in the table"
    for bug in sorted({bug for bug in there if there.count(bug) > 1}):
        yield f"{bug} is in the table twice"
    for bug in sorted(bug for bug in set(there) - set(wanted) if not bug.startswith("k/k#")):
        yield f"{bug} is not in the list"
    for name, text in sorted(scenarios.items()):
        for number in re.findall(r'^references: "(k/k#\d+)"', text, re.MULTILINE):
            if number not in there:
                yield f"{name} refers to {number}, which is not in the table"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(document_path, bugs_path, sources_path, *scenario_paths):
    scenarios = {"/".join(path.removesuffix(".textproto").split("/")[-2:]): read(path) for path in scenario_paths}
    with tarfile.open(sources_path) as sources:
        by_path = {posixpath.normpath(member.name): member for member in sources.getmembers()}

        def text_of(path):
            return sources.extractfile(by_path[path]).read().decode() if path in by_path else None

        found = list(problems(read(document_path), read(bugs_path).splitlines(), scenarios, text_of))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
