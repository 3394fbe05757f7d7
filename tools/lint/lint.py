"""lint.py [--root FOLDER | --archive FILE] CHECK...: prints what is wrong, one a line; fails when something is.

Without a root it takes the repository that it lies in; without a check, all of them.
"""

import argparse
import os
import sys

import allow_list
import banned
import budgets
import dependency_law
import layout
import named_tests
import packages
import source_tree
import twins

CHECKS = {
    "banned": banned,
    "budgets": budgets,
    "layout": layout,
    "named_tests": named_tests,
    "packages": packages,
    "twins": twins,
}
# Rules of steps that do not read the source tree, but whose exceptions are in the same list.
_OTHER_RULES = dependency_law.RULES


def run(tree, names):
    """The findings of these checks that allowed.txt does not permit, and what is wrong with allowed.txt itself."""
    known = {rule for check in CHECKS.values() for rule in check.RULES} | set(_OTHER_RULES)
    text = tree.text(allow_list.PATH) if allow_list.PATH in tree else ""
    allowed = allow_list.AllowList(text, known)
    findings = []
    for name in names:
        findings += allowed.filter(CHECKS[name].check(tree))
    return sorted(findings + allowed.findings({rule for name in names for rule in CHECKS[name].RULES}))


def main(arguments):
    parser = argparse.ArgumentParser(description="Checks the rules of this repository over all its sources.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--root", default=os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
    where.add_argument("--archive", help="a tar of the sources, as sources.bzl makes it")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=" ".join(CHECKS))
    options = parser.parse_args(arguments)
    unknown = set(options.checks) - set(CHECKS)
    if unknown:
        parser.error(f"no such check: {' '.join(sorted(unknown))}")
    if options.archive:
        tree = source_tree.SourceTree.of_archive(options.archive)
    else:
        tree = source_tree.SourceTree.of_folder(os.path.realpath(options.root))
    findings = run(tree, options.checks or list(CHECKS))
    for finding in findings:
        print(finding)
    if findings:
        print(f"lint: {len(findings)} finding(s); tools/lint/README.md says how an exception is made", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
