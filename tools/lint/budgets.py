"""How long files and functions may be, and how many parameters a function may take."""

import ast

import cpp_functions
import source_tree
from source_tree import Finding

FUNCTION_LINES = 70
SOURCE_LINES = 400
HEADER_LINES = 200
PARAMETERS = 5

RULES = ("function-lines", "source-lines", "header-lines", "parameters")
_SOURCES = (".cc", ".py", ".sh", ".bzl", "bazelw")


def _file_findings(path, text):
    lines = text.count("\n")
    limit, rule = (HEADER_LINES, "header-lines") if path.endswith(".h") else (SOURCE_LINES, "source-lines")
    if lines > limit:
        yield Finding(path, lines, rule, f"{lines} lines, the budget is {limit}: is this one subject?")


def _cpp_findings(path, text):
    for function in cpp_functions.functions(text):
        if function.lines > FUNCTION_LINES:
            yield Finding(path, function.line, "function-lines",
                          f"{function.name} has {function.lines} lines, the budget is {FUNCTION_LINES}")
        # TEST(...), MATCHER_P(...): what a macro takes is not ours to choose.
        if function.parameters > PARAMETERS and not cpp_functions.is_macro(function.name):
            yield Finding(path, function.line, "parameters",
                          f"{function.name} takes {function.parameters} parameters: more than {PARAMETERS} want an Options struct")


def _python_findings(path, text):
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        yield Finding(path, error.lineno or 1, "function-lines", f"is not Python: {error.msg}")
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = node.end_lineno - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield Finding(path, node.lineno, "function-lines",
                              f"{node.name} has {lines} lines, the budget is {FUNCTION_LINES}")


def check(tree):
    findings = []
    for path in tree.paths(".h", *_SOURCES):
        text = tree.text(path)
        findings += _file_findings(path, text)
        if path.endswith(source_tree.CPP):
            findings += _cpp_findings(path, text)
        elif path.endswith(".py"):
            findings += _python_findings(path, text)
    return findings
