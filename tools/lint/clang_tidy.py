"""clang_tidy.py --actions FILE --output-path FOLDER --output-base FOLDER [SOURCE...]: clang-tidy over this repository.

Takes the compile commands from `bazel aquery --output=jsonproto 'mnemonic("CppCompile", //...)'`. A file that passed is
not looked at again while nothing changes that it is made of: its text and that of every header of ours that it includes,
its flags, .clang-tidy and clang-tidy's version. clang_tidy.sh calls this; the working directory is the repository's root.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

# Tests are half of the files and the slower half, for gMock's headers. They get the checks that find bugs in tests.
TEST_CHECKS = ",".join(("-*", "bugprone-argument-comment", "bugprone-dangling-handle", "bugprone-use-after-move",
                        "google-explicit-constructor", "misc-unused-using-decls", "modernize-use-override",
                        "performance-for-range-copy"))
# What is g++'s own (its --param, too), or names outputs; warnings are the compilers' business.
_DROPPED = re.compile(r"-(?:c|MD|-param=.*|W.*|frandom-seed=.*|fno-canonical-system-headers|fdiagnostics-.*)\Z")
_DROPPED_WITH_VALUE = ("-o", "-MF", "-include")  # -include: what g++ precompiled
# Bazel's folder for one clone: another clone's results are as good.
_CLONES_FOLDER = re.compile(r"/[^=]*/_bazel_[^/]+/[0-9a-f]{32}/")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def compile_commands(actions, output_path, output_base):
    """{source: flags} for the sources of this repository; the flags are what clang-tidy needs."""
    commands = {}
    for action in actions.get("actions", ()):
        arguments = action["arguments"]
        source = next((text for text in arguments[1:] if text.endswith(".cc")), None)
        if source and not source.startswith(("external/", "bazel-out/")):
            commands[source] = _flags(arguments[1:], source, output_path, output_base)
    return dict(sorted(commands.items()))


def _flags(arguments, source, output_path, output_base):
    flags = ["-x", "c++", "-w"]
    rest = iter(arguments)
    for flag in rest:
        if flag in _DROPPED_WITH_VALUE:
            next(rest)
        elif flag != source and not _DROPPED.match(flag):
            flag = re.sub(r"(^|[=I])bazel-out/", lambda m: f"{m.group(1)}{output_path}/", flag)
            flags.append(re.sub(r"(^|[=I])external/", lambda m: f"{m.group(1)}{output_base}/external/", flag))
    return flags


class Inputs:
    """The texts that a source is made of, as far as they are ours; each file is read once."""

    def __init__(self, folders):
        self._folders = folders  # where "a/b.h" is looked for
        self._files = {}  # path -> (digest, included names)

    def _read(self, path):
        if path not in self._files:
            try:
                with open(path, "rb") as file:
                    content = file.read()
            except OSError:
                return None
            names = _INCLUDE.findall(content.decode("utf-8", errors="replace"))
            self._files[path] = (hashlib.sha256(content).hexdigest(), names)
        return self._files[path]

    def digest(self, source):
        """A digest of `source` and of all that it includes, directly or not."""
        seen = {}
        waiting = [source]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            found = next(filter(None, (self._read(os.path.join(folder, name)) for folder in self._folders)), None)
            seen[name] = found[0] if found else ""  # "": the system's.
            waiting += found[1] if found else ()
        return hashlib.sha256(json.dumps(sorted(seen.items())).encode()).hexdigest()


class Cache:
    """Remembers what passed, as empty files named by digest."""

    def __init__(self, folder):
        self._folder = folder
        os.makedirs(folder, exist_ok=True)

    def has(self, key):
        path = os.path.join(self._folder, key)
        if not os.path.exists(path):
            return False
        os.utime(path)
        return True

    def add(self, key):
        with open(os.path.join(self._folder, key), "w", encoding="utf-8"):
            pass

    def prune(self, kept=5000):
        """Forgets the entries that were not asked for the longest; no tree of ours has as many as are kept."""
        with os.scandir(self._folder) as entries:
            oldest_first = sorted(entries, key=lambda entry: entry.stat().st_mtime)
        for entry in oldest_first[:-kept]:
            os.unlink(entry.path)


def wanted(commands, files, tests=True):
    """The sources to look at: all (but tests, on request), or those among `files` and those that stand beside a header
    among them."""
    if not files:
        return [source for source in commands if tests or not source.endswith("_test.cc") and not source.startswith("testing/")]
    stems = {re.sub(r"(_test)?\.(cc|h)$", "", os.path.relpath(file)) for file in files}
    return [source for source in commands if re.sub(r"(_test)?\.cc$", "", source) in stems]


def run_one(program, source, flags):
    """clang-tidy's complaints about one file; empty when it passes."""
    checks = [f"--checks={TEST_CHECKS}"] if source.endswith("_test.cc") else []
    done = subprocess.run([program, "--quiet", *checks, source, "--", *flags], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return (done.stdout.strip() or done.stderr.strip() or f"clang-tidy failed with {done.returncode}") + "\n"


def _cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME") or tempfile.gettempdir(), ".cache")
    return os.path.join(base, "kubelet_cm", "tidy")


def tidy(program, commands, sources, inputs, cache):
    """Looks at `sources`, two at a time; returns how many were looked at and how many of those have findings."""
    common = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout + TEST_CHECKS
    with open(".clang-tidy", encoding="utf-8") as file:
        common += file.read()
    keys = {}
    for source in sources:
        flags = [_CLONES_FOLDER.sub("", flag) for flag in commands[source]]
        keys[source] = hashlib.sha256(json.dumps([common, flags, inputs.digest(source)]).encode()).hexdigest()
    todo = [source for source in sources if not cache.has(keys[source])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        runs = {pool.submit(run_one, program, source, commands[source]): source for source in todo}
        for done in concurrent.futures.as_completed(runs):
            complaints = done.result()
            if complaints:
                failed += 1
                print(complaints, flush=True)
            else:
                cache.add(keys[runs[done]])
    return len(todo), failed


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="clang-tidy")
    parser.add_argument("--actions", required=True)
    parser.add_argument("--output-path", required=True)
    parser.add_argument("--output-base", required=True)
    parser.add_argument("--no-tests", action="store_true", help="leave tests and testing/ out when no source is named")
    parser.add_argument("sources", nargs="*")
    options = parser.parse_args(arguments)
    with open(options.actions, encoding="utf-8") as file:
        commands = compile_commands(json.load(file), options.output_path, options.output_base)
    sources = wanted(commands, options.sources, not options.no_tests)
    if not sources:
        print("clang_tidy: no target compiles any of these files", file=sys.stderr)
        return 1
    generated = sorted({flag for flags in commands.values() for flag in flags if flag.startswith(options.output_path)})
    cache = Cache(_cache_folder())
    looked_at, failed = tidy(options.program, commands, sources, Inputs([".", *generated]), cache)
    cache.prune()
    print(f"clang_tidy: {len(sources)} files, {len(sources) - looked_at} known to pass, {failed} with findings", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
