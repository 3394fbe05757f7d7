"""Where things lie and what they are called: include guards, dead files, a test for each library, test sizes, names."""

import posixpath
import re

import build_files
import cpp_lexer
from source_tree import Finding

RULES = ("include-guard", "dead-file", "untested-library", "test-size", "file-name", "build-file")
# Descriptions of other people's libraries, which follow the Bazel Central Registry.
_NOT_OURS = ("third_party/",)
_NATIVE_TESTS = ("cc_test", "sh_test", "py_test")
_CC_RULES = ("cc_library", "cc_binary", "cc_test")
_GOOD_NAME = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*\.(?:h|cc|proto)\Z")


def _guard(path):
    return "KUBELET_CM_" + re.sub(r"\W", "_", path).upper() + "_"


def _include_guard(path, text):
    wanted = _guard(path)
    tokens = [token for token in cpp_lexer.tokens(text)]
    directives = [token for token in tokens if token.kind == "directive"]
    words = [directive.text.split() for directive in directives]
    first_code = next((token.line for token in tokens if token.kind != "comment"), 1)
    if len(words) < 3 or words[0] != ["#ifndef", wanted] or words[1] != ["#define", wanted]:
        yield Finding(path, first_code, "include-guard", f"the include guard of this header is {wanted}")
        return
    last = tokens[-1]
    if words[-1] != ["#endif"] or last.kind != "comment" or last.text.split() != ["//", wanted]:
        yield Finding(path, directives[-1].line, "include-guard", f"a header ends with: #endif  // {wanted}")


def _headers(tree, paths):
    for path in paths:
        if path.endswith(".h"):
            yield from _include_guard(path, tree.text(path))


def _dead_files(builds, paths):
    named = {build_files.label(package, text) for package in builds.packages.values() for text in package.strings}
    for path in paths:
        if not path.endswith((".cc", ".h", ".proto")):
            continue
        owner = builds.package_of(path)
        if owner is None:
            yield Finding(path, 1, "dead-file", "no folder above this file has a BUILD file")
        elif f"//{owner}:{posixpath.relpath(path, owner or '.')}" not in named:
            yield Finding(path, 1, "dead-file", f"no target in {owner or '.'}/BUILD names this file")


def _untested_libraries(package):
    tested = {
        build_files.label(package, dep)
        for target in package.targets if target.rule.endswith("_test")
        for dep in target.files("deps", "data", "embed")
    }
    for target in package.targets:
        has_source = any(file.endswith(".cc") for file in target.files("srcs"))
        if target.rule == "cc_library" and has_source and build_files.label(package, target.name) not in tested:
            yield Finding(build_files.label(package, target.name), 0, "untested-library",
                          "is a library with code, and no test in its package depends on it")


def _test_sizes(package):
    for target in package.targets:
        if target.rule in _NATIVE_TESTS and target.attributes.get("size") is None:
            yield Finding(build_files.label(package, target.name), 0, "test-size", "states no size")


def _source_names(package):
    """In a library x.cc goes with x.h; the sources of a cc_test end in _test."""
    for target in package.targets:
        if target.rule not in _CC_RULES:
            continue
        sources = [file for file in target.files("srcs") if file.endswith(".cc") and not file.startswith(("//", "@"))]
        headers = target.files("hdrs", "srcs", "textual_hdrs")
        for file in sources:
            path = posixpath.join(package.path, file)
            if target.rule == "cc_library" and file.removesuffix(".cc") + ".h" not in headers:
                yield Finding(path, 1, "file-name", f"library :{target.name} has {file} and no header of that name")
            if (target.rule == "cc_test") != file.endswith("_test.cc"):
                yield Finding(path, 1, "file-name", f"in {target.rule} :{target.name}; a test's sources, and no others, end in _test.cc")


def _file_names(paths):
    for path in paths:
        name = posixpath.basename(path)
        if name.endswith((".cpp", ".hpp", ".cxx", ".hh", ".c")):
            yield Finding(path, 1, "file-name", "C++ is in .cc and .h files")
        elif name.endswith((".cc", ".h", ".proto")) and not _GOOD_NAME.match(name):
            yield Finding(path, 1, "file-name", "names of files are lower case, words joined by _")


def check(tree):
    builds = build_files.BuildFiles(tree)
    paths = [path for path in tree.paths() if not path.startswith(_NOT_OURS)]
    findings = [*_headers(tree, paths), *_dead_files(builds, paths), *_file_names(paths)]
    for package in builds.packages.values():
        if package.path.startswith(_NOT_OURS) or package.path + "/" in _NOT_OURS:
            continue
        if package.error:
            findings.append(Finding(package.file, 1, "build-file", f"cannot be read: {package.error}"))
        findings += [*_untested_libraries(package), *_test_sizes(package), *_source_names(package)]
    return findings
