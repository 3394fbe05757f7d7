"""Whether the tests that documents name exist, and whether every row of a table of behaviours names what shows it.

A document names a test as `SuiteTest.Name`, `.Other` for one of the suite before it on the line, `SuiteTest.Begin...`
for all that begin so, or `SuiteTest` for the whole suite. What changes are logged in is history, and not looked at.
"""

import re

from source_tree import Finding

RULES = ("named-test",)
_HISTORY = "CHANGELOG.md"
_MACRO = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
_QUOTED = re.compile(r"`([^`\s]+)`")
_NAME = re.compile(r"(?P<suite>[A-Z]\w*Test)?(?:\.(?P<test>[A-Za-z]\w*)(?P<more>\.\.\.)?)?")
_TABLE_OF_BEHAVIOURS = re.compile(r"^\|.*\|\s*tests?\s*\|$")


def _tests(tree):
    """The names of all tests, by suite."""
    suites = {}
    for path in tree.paths(".cc"):
        for suite, test in _MACRO.findall(tree.text(path)):
            suites.setdefault(suite, set()).add(test)
    return suites


def _names(line):
    """What the line names, as (suite, test or None, whether more may follow)."""
    suite = None
    for quoted in _QUOTED.findall(line):
        name = _NAME.fullmatch(quoted)
        if not name or not quoted or not (name["suite"] or (suite and name["test"])):
            continue
        suite = name["suite"] or suite
        yield suite, name["test"], bool(name["more"])


def _cells(line):
    """Of a row of a table that is not its rule."""
    return [] if not line.startswith("|") or set(line) <= set("|- ") else line.strip().strip("|").split("|")


def _exists(suites, suite, test, more):
    tests = suites.get(suite, ())
    if test is None:
        return bool(tests)
    return any(known.startswith(test) for known in tests) if more else test in tests


def _check(path, text, suites):
    in_table = False
    for number, line in enumerate(text.splitlines(), 1):
        for suite, test, more in _names(line):
            if not _exists(suites, suite, test, more):
                full = f"{suite}.{test}" if test else suite
                yield Finding(path, number, "named-test", f"there is no test {full}")
        if in_table and _cells(line) and "`" not in _cells(line)[-1]:
            yield Finding(path, number, "named-test", "no test is named for this behaviour")
        in_table = line.startswith("|") and (in_table or bool(_TABLE_OF_BEHAVIOURS.match(line)))


def check(tree):
    suites = _tests(tree)
    return [
        finding for path in tree.paths(".md") if path != _HISTORY
        for finding in _check(path, tree.text(path), suites)
    ]
