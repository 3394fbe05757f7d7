"""table_test.py DOCUMENT IDS SOURCES SCENARIO...: whether DOCUMENT says of every id of the catalogue where it is.

A row names scenarios of this folder that carry the id, or, with a reason, a case of a test, which has to be there among
SOURCES, the tar file of the repository's sources. Every scenario of the folder is in the table.
"""

import posixpath
import re
import sys
import tarfile


def rows_of(document):
    """{id: the text of its last column}"""
    return {match[1]: match[2] for match in re.finditer(r"^\| ([A-Z]{2}-\d\d) \|.*\| ([^|]*) \|$", document, re.MULTILINE)}


def problems(document, ids, scenarios, text_of):
    rows = rows_of(document)
    for wanted in sorted(set(ids) - set(rows)):
        yield f"{wanted} is not in the table"
    for row in sorted(set(rows) - set(ids)):
        yield f"{row} is no id of the catalogue"
    mentioned = set()
    for row, where in rows.items():
        names = re.findall(r"`([a-z]{2}_\d\d_\w+)`", where)
        cases = re.findall(r"`([\w/]+_test\.cc)` (\w+)", where)
        mentioned.update(names)
        if not names and not cases:
            yield f"{row} names neither a scenario nor a test"
        prefix = row.lower().replace("-", "_") + "_"
        for name in names:
            if name not in scenarios:
                yield f"{row}: there is no scenario {name}"
            if not name.startswith(prefix):
                yield f"{row}: {name} does not carry its id"
        for path, case in cases:
            if not re.search(rf"^TEST(_F|_P)?\(\w+, {case}\) {{", text_of(path) or "", re.MULTILINE):
                yield f"{row}: {path} has no test {case}"
    for name in sorted(set(scenarios) - mentioned):
        yield f"the scenario {name} is not in the table"


def main(document_path, ids_path, sources_path, *scenario_paths):
    with open(document_path, encoding="utf-8") as file:
        document = file.read()
    with open(ids_path, encoding="utf-8") as file:
        ids = file.read().split()
    scenarios = {posixpath.basename(path).removesuffix(".textproto") for path in scenario_paths}
    with tarfile.open(sources_path) as sources:
        by_path = {posixpath.normpath(member.name): member for member in sources.getmembers()}

        def text_of(path):
            return sources.extractfile(by_path[path]).read().decode() if path in by_path else None

        found = list(problems(document, ids, scenarios, text_of))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
