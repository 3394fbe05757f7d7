"""What the BUILD files declare, read without Bazel.

A BUILD file is close enough to Python to be run as such: rules become records, glob() looks into the source tree, and
whatever load() brings stands for something that can be called, and then is recorded as a rule by that name.
"""

import dataclasses
import posixpath
import re


@dataclasses.dataclass
class Target:
    """One call of a rule or macro with a name. `attributes` are as written, selects and globs resolved to lists."""

    rule: str
    name: str
    attributes: dict

    def files(self, *names):
        """The entries of these list attributes that may be files of the package."""
        return [entry.removeprefix(":") for name in names for entry in _strings(self.attributes.get(name))]


@dataclasses.dataclass
class Package:
    path: str  # of the folder
    file: str  # of the BUILD file
    targets: list
    strings: set  # all strings anywhere in it: what they name is not forgotten
    error: str = ""


def label(package, name):
    """`name` as written in `package`, as //package:target."""
    if name.startswith("//"):
        return name if ":" in name else f"{name}:{posixpath.basename(name)}"
    return f"//{package.path}:{name.removeprefix(':')}" if not name.startswith("@") else name


def _strings(value):
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _strings(part)]
    if isinstance(value, (list, tuple, set)):
        return [text for part in value for text in _strings(part)]
    return []


class _Loaded:
    """A symbol from load(): can be called, indexed, iterated and added, and is nothing in particular."""

    def __init__(self, package, name):
        self._package = package
        self._name = name

    def __call__(self, *args, **kwargs):
        _record(self._package, self._name, args, kwargs)
        return []

    def __getattr__(self, name):
        return _Loaded(self._package, name)

    def __getitem__(self, key):
        return _Loaded(self._package, self._name)

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __add__(self, other):
        return other

    __radd__ = __add__


def _record(package, rule, args, kwargs):
    package.strings.update(_strings(list(args)) + _strings(kwargs))
    name = kwargs.get("name", args[0] if args and isinstance(args[0], str) else "")
    if name:
        package.targets.append(Target(rule, name, kwargs))


class _Scope(dict):
    """The names a BUILD file sees. Any that is not defined is taken for a native rule."""

    def __init__(self, package, glob):
        super().__init__(
            __builtins__={}, glob=glob, load=self._load, select=self._select, package=lambda **_: None, native=None,
            licenses=lambda *_: None, len=len, range=range, sorted=sorted, str=str, dict=dict, list=list, zip=zip,
            enumerate=enumerate, any=any, all=all, min=min, max=max, reversed=reversed, tuple=tuple, int=int, bool=bool,
            repr=repr, type=type, hasattr=hasattr, getattr=getattr, Label=str, fail=lambda *_: None)
        self._package = package

    def __missing__(self, name):
        return _Loaded(self._package, name)

    def _load(self, _, *names, **renamed):
        for name in names:
            self[name] = _Loaded(self._package, name)
        for name, original in renamed.items():
            self[name] = _Loaded(self._package, original)

    def _select(self, branches, no_match_error=""):
        return [entry for branch in branches.values() for entry in _strings(branch)]


def _glob_regex(pattern):
    parts = re.split(r"(\*\*/?|\*)", pattern)
    regex = "".join({"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
    return re.compile(regex + r"\Z")


class BuildFiles:
    """All packages of a source tree."""

    def __init__(self, tree):
        self._folders = sorted({posixpath.dirname(path) for path in tree.paths() if _is_build_file(path)}, key=len)
        files = {folder: [] for folder in self._folders}
        for path in tree.paths():
            owner = self.package_of(path)
            if owner is not None:
                files[owner].append(posixpath.relpath(path, owner or "."))
        self.packages = {}
        for path in tree.paths():
            if _is_build_file(path):
                folder = posixpath.dirname(path)
                self.packages[folder] = _evaluate(folder, path, tree.text(path), files[folder])

    def package_of(self, path):
        """The folder of the package that `path` lies in, or None."""
        folder = posixpath.dirname(path)
        while folder not in self._folders:
            if not folder:
                return None
            folder = posixpath.dirname(folder)
        return folder


def _is_build_file(path):
    return posixpath.basename(path) in ("BUILD", "BUILD.bazel")


def _evaluate(folder, path, text, files):
    package = Package(folder, path, [], set())

    def glob(include=(), exclude=(), **_):
        wanted = [_glob_regex(pattern) for pattern in include]
        unwanted = [_glob_regex(pattern) for pattern in exclude]
        return [
            file for file in files
            if any(regex.match(file) for regex in wanted) and not any(regex.match(file) for regex in unwanted)
        ]

    try:
        exec(compile(text, path, "exec"), _Scope(package, glob))
    except Exception as error:  # pylint: disable=broad-except  (whatever a BUILD file can raise)
        package.error = f"{type(error).__name__}: {error}"
    return package
