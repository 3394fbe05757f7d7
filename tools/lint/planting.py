"""What the tests of the checks share: a source tree written down in the test, and what a check says of it."""

import textwrap

import source_tree


def tree(files):
    """A SourceTree of {path: text}; the texts may be indented."""
    return source_tree.SourceTree({path: textwrap.dedent(text) for path, text in files.items()})


def rules(findings):
    """The findings as sorted (path, line, rule)."""
    return sorted((finding.path, finding.line, finding.rule) for finding in findings)
