"""Scripts and build files: which files they are, and their code without what only looks like code."""

import io
import posixpath
import re
import tokenize

_SHELL_FIRST_LINE = re.compile(r"#!\s*(?:/usr/bin/env\s+)?(?:/\S*/)?(?:ba|da)?sh\b")
_COMMENT = re.compile(r"(?m)(?:^|(?<=[ \t;]))#(?!!).*$")


def is_shell(path, text):
    return path.endswith(".sh") or _SHELL_FIRST_LINE.match(text) is not None


def is_build(path):
    name = posixpath.basename(path)
    return path.endswith((".bzl", ".bazel", ".bazelrc")) or name in ("BUILD", "WORKSPACE", ".bazelrc")


def without_comments(text):
    """Shell, Starlark or an rc file with its comments blank. A "#" after a space in a string begins one, too: what stands
    behind it there is not looked at."""
    return _COMMENT.sub("", text)


def python_code(text):
    """Python with comments and strings blank, line by line as before. An f-string is kept: there is code in it."""
    lines = text.splitlines(keepends=True)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text  # budgets.py says that it is not Python.
    for token in reversed(tokens):
        is_string = token.type == tokenize.STRING and "f" not in re.match(r"\w*", token.string).group().lower()
        if token.type == tokenize.COMMENT or is_string:
            _blank(lines, token.start, token.end)
    return "".join(lines)


def _blank(lines, start, end):
    """Takes away what lies between two (row, column); line breaks stay."""
    for row in range(start[0] - 1, end[0]):
        line = lines[row]
        first = start[1] if row == start[0] - 1 else 0
        last = end[1] if row == end[0] - 1 else len(line.rstrip("\r\n"))
        lines[row] = line[:first] + " " * (last - first) + line[last:]
