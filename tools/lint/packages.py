"""Whether bazelw installs every Debian package that the build's libraries come from."""

from source_tree import Finding

LIBRARIES = "third_party/debian/libraries.bzl"
PACKAGES = "tools/bazel/packages.txt"
RULES = ("packages",)


class _Struct:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def _libraries(text):
    scope = {"__builtins__": {}, "struct": _Struct}
    exec(compile(text, LIBRARIES, "exec"), scope)  # Starlark without load() is Python.
    return scope["LIBRARIES"]


def check(tree):
    for path in (LIBRARIES, PACKAGES):
        if path not in tree:
            return [Finding(path, 1, "packages", "is missing")]
    installed = set(tree.text(PACKAGES).split())
    findings = []
    for library, row in sorted(_libraries(tree.text(LIBRARIES)).items()):
        for package in [row.package, *getattr(row, "programs", {}).values()]:
            if package not in installed:
                findings.append(
                    Finding(PACKAGES, 1, "packages", f"lacks {package}, which {LIBRARIES} names for {library}"))
    return findings
