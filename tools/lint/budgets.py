"""How long files and functions may be, and how many parameters a function may take."""

import ast
import re

import cpp_functions
import script_code
import source_tree
from source_tree import Finding

FUNCTION_LINES = 70
SOURCE_LINES = 400
HEADER_LINES = 200
PARAMETERS = 5

RULES = ("function-lines", "source-lines", "header-lines", "parameters")
_SOURCES = (".h", ".cc", ".py", ".bzl")
_SHELL_FUNCTION = re.compile(r"(?m)^(?:function )?([\w-]+)(?:\s*\(\))?\s*\{(?:[ \t]*#.*)?\n")


def _file_findings(path, text):
    lines = text.count("\n")
    limit, rule = (HEADER_LINES, "header-lines") if path.endswith(".h") else (SOURCE_LINES, "source-lines")
    if lines > limit:
        yield Finding(path, lines, rule, f"{lines} lines, the budget is {limit}: is this one subject?")


def _too_long(path, line, name, lines):
    if lines > FUNCTION_LINES:
        yield Finding(path, line, "function-lines", f"{name} has {lines} lines, the budget is {FUNCTION_LINES}")


def _cpp_findings(path, text):
    for function in cpp_functions.functions(text):
        yield from _too_long(path, function.line, function.name, function.lines)
        # TEST(...), MATCHER_P(...): what a macro takes is not ours to choose.
        if function.parameters > PARAMETERS and not cpp_functions.is_macro(function.name):
            yield Finding(path, function.line, "parameters",
                          f"{function.name} takes {function.parameters} parameters: more than {PARAMETERS} want an Options struct")


def _python_findings(path, text):
    """Python, and Starlark, which parses as Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        yield Finding(path, error.lineno or 1, "function-lines", f"is not Python: {error.msg}")
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _too_long(path, node.lineno, node.name, node.end_lineno - node.lineno + 1)
            # What a macro of a BUILD file takes are attributes, which are named where it is called.
            if path.endswith(".py"):
                yield from _python_parameters(path, node)


def _python_parameters(path, node):
    names = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
    count = len([name for name in names if name not in ("self", "cls")])
    if count > PARAMETERS:
        yield Finding(path, node.lineno, "parameters", f"{node.name} takes {count} parameters: more than {PARAMETERS} want a dataclass")


def _shell_findings(path, text):
    """A function of more than one line ends at the first line that is nothing but its closing brace."""
    for match in _SHELL_FUNCTION.finditer(text):
        end = text.find("\n}", match.end() - 1)
        body = text[match.start():end + 2] if end >= 0 else text[match.start():]
        line = text.count("\n", 0, match.start()) + 1
        yield from _too_long(path, line, match.group(1), body.count("\n") + 1)


def check(tree):
    findings = []
    for path in tree.paths():
        text = tree.text(path)
        if path.endswith(_SOURCES) or script_code.is_shell(path, text):
            findings += _file_findings(path, text)
        if path.endswith(source_tree.CPP):
            findings += _cpp_findings(path, text)
        elif path.endswith((".py", ".bzl")):
            findings += _python_findings(path, text)
        elif script_code.is_shell(path, text):
            findings += _shell_findings(path, text)
    return findings
