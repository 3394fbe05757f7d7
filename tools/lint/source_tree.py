"""The source files of a repository: which they are, and their text.

source_tree.py ROOT: prints their paths.
"""

import dataclasses
import os
import sys
import tarfile

CPP = (".cc", ".h")
SOURCE_SUFFIXES = CPP + (".py", ".sh", ".bzl", ".bazel", ".proto", ".textproto", ".md", ".txt", ".yaml", ".yml", ".toml",
                         ".json", ".service", ".cpp", ".hpp", ".cxx", ".hh", ".c", ".go")
SOURCE_NAMES = ("BUILD", "WORKSPACE", "bazelw", ".bazelrc", ".bazelignore", ".clang-tidy", ".clang-format", ".gitignore",
                "run", "Dockerfile", "Makefile")
# Neither sources nor text: version control, editors, what tools leave behind.
FOLDERS_LEFT_OUT = (".git", ".cache", ".idea", ".vscode", ".clangd", "__pycache__", "node_modules")
# What was recorded elsewhere is not ours to tidy: below these folders only code counts.
DATA_FOLDERS = ("testdata", "golden")
DATA_SUFFIXES = (".json", ".txt", ".yaml", ".yml", ".toml", ".textproto")
FILES_LEFT_OUT = ("user.bazelrc", "MODULE.bazel.lock")
LARGEST_BYTES = 1 << 20


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    """One thing wrong. `rule` is the name under which allowed.txt can permit it; `path` is a label and `line` is 0 where
    what is wrong is a target."""

    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message} [{self.rule}]"


def is_source(path):
    folder, name = os.path.split(path)
    if name in FILES_LEFT_OUT or (name.endswith(DATA_SUFFIXES) and set(folder.split(os.sep)) & set(DATA_FOLDERS)):
        return False
    return name.endswith(SOURCE_SUFFIXES) or name in SOURCE_NAMES


def walk(root):
    """Yields the paths, relative to `root`, of all source files below it."""
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name for name in folders
            if name not in FOLDERS_LEFT_OUT and not (folder == root and name.startswith("bazel-"))
        ]
        for name in files:
            full = os.path.join(folder, name)
            path = os.path.relpath(full, root)
            if is_source(path) and not os.path.islink(full) and os.path.getsize(full) <= LARGEST_BYTES:
                yield path


class SourceTree:
    """Files by path, relative to the root of the repository. Immutable."""

    def __init__(self, texts):
        self._texts = dict(sorted(texts.items()))

    @staticmethod
    def of_folder(root):
        texts = {}
        for path in walk(root):
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                texts[path] = file.read()
        return SourceTree(texts)

    @staticmethod
    def of_archive(archive):
        texts = {}
        with tarfile.open(archive) as tar:
            for member in tar:
                texts[member.name] = tar.extractfile(member).read().decode("utf-8", errors="replace")
        return SourceTree(texts)

    def paths(self, *suffixes):
        """All paths, or those that end in one of `suffixes`."""
        return [path for path in self._texts if not suffixes or path.endswith(suffixes)]

    def text(self, path):
        return self._texts[path]

    def __contains__(self, path):
        return path in self._texts


if __name__ == "__main__":
    print("\n".join(sorted(walk(sys.argv[1]))))
