"""What may not be written, and where its one home is."""

import dataclasses
import posixpath
import re

import cpp_lexer
import script_code
import source_tree
from source_tree import Finding


@dataclasses.dataclass(frozen=True)
class Pattern:
    """`regex` may not match; `homes` are the folders to which that does not apply, `instead` says what to do."""

    rule: str
    regex: str
    instead: str
    homes: tuple = ()


def _call(names):
    """A call of one of these functions of the global namespace or std: not a method, not a name of another namespace, and
    not a declaration, which has a type before the name as in `bool open() const` or `FILE* open()`."""
    keyword = "|".join(rf"(?<=\b{word} )" for word in ("return", "co_return", "else", "do"))
    call = rf"(?:std::|::)?(?:{names})\s*\("
    # The call first, as a look ahead: most places fail there, and looking back is the slower part.
    return rf"(?={call})(?:(?<!\w )|{keyword})(?<!\w[*&>] )(?<!\w&& )(?<![\w.>:~]){call}"


_NO_SLEEP = "nothing sleeps: wait for a condition with a time limit"
CPP_PATTERNS = (
    Pattern("clock",
            r"\babsl::(?:Now|GetCurrentTimeNanos)\b|(?<![\w/\"])(?:system_clock|steady_clock|high_resolution_clock|utc_clock)\b"
            r"|\b(?:gettimeofday|clock_gettime|timespec_get|ftime)\b"
            r"|(?<![\w.>:])(?:std::|::)?time\s*\(\s*(?:nullptr|NULL|0|&\w+)\s*\)",
            "time comes in as a Clock (common/clock)", ("common/clock/",)),
    Pattern("sleep",
            r"\b(?:sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep|SleepFor)\b|" + _call("sleep"),
            "nothing sleeps: advance a FakeClock, or wait for a condition with a time limit", ("common/clock/",)),
    Pattern("file",
            r"\bstd::filesystem\b|\bstd::(?:basic_)?[io]?fstream\b|\bstd::filebuf\b|#\s*include\s*<(?:filesystem|fstream)>|"
            + _call("open|openat2?|creat|fopen|freopen|fdopen|rename|renameat2?|unlink|unlinkat|fsync|fdatasync|syncfs|"
                    "mkdir|mkdirat|mkdtemp|mkstemp|tmpfile|rmdir|opendir|fdopendir|readdir|scandir|truncate|ftruncate|"
                    "symlink|symlinkat|linkat|readlink|realpath|chmod|fchmod|chown|stat|lstat|fstatat"),
            "files are reached through FileSystem (common/filesystem)", ("common/filesystem/",)),
    Pattern("thread",
            r"\bstd::(?:thread|jthread|async|this_thread|future|promise|packaged_task)\b|\bpthread_create\b"
            r"|#\s*include\s*<(?:thread|future)>",
            "threads come in through a constructor (common/threads)", ("common/threads/",)),
    Pattern("fork", _call("v?fork|system|popen"), "a fork copies gRPC's threads and locks: posix_spawn"),
    Pattern("mutex",
            r"\bstd::(?:(?:recursive_|shared_)?(?:timed_)?mutex|condition_variable\w*|lock_guard|unique_lock|scoped_lock"
            r"|shared_lock|call_once|once_flag|latch|barrier|counting_semaphore|binary_semaphore)\b"
            r"|\babsl::(?:\w*Mutex\w*|CondVar|Notification|BlockingCounter|Barrier|call_once|once_flag)\b"
            r"|\bpthread_(?:mutex|cond|rwlock)_\w+",
            "locks are common/threads/mutex.h, waits are its CondVar or Notification", ("common/threads/",)),
    Pattern("random",
            r"\bstd::random_device\b|\babsl::(?:Insecure)?BitGen\b|\b(?:getrandom|getentropy|arc4random\w*)\b|"
            + _call("s?rand|rand_r|drand48"),
            "randomness comes in as a seeded source (common/random)", ("common/random/",)),
    Pattern("environment",
            r"\b(?:secure_)?getenv\b|\b(?:setenv|unsetenv|putenv|clearenv)\b|\bextern\s+char\s*\*\*\s*environ\b",
            "what the process was given is read once, in main, and passed on"),
    Pattern("grpc",
            r"\bgrpc::(?:experimental::)?(?:CreateChannel|CreateCustomChannel\w*|CreateInsecureChannelFromFd"
            r"|InsecureServerCredentials|InsecureChannelCredentials)\b",
            "channels and servers on unix sockets are made in common/unixsocket", ("common/unixsocket/",)),
    Pattern("typedef", r"\btypedef\b", "using NAME = ..."),
    Pattern("using-namespace", r"\busing\s+namespace\b", "name what is used"),
    Pattern("empty-test", r"\b(?:EXPECT|ASSERT)_(?:TRUE\(\s*true|FALSE\(\s*false)\s*\)|\bSUCCEED\s*\(",
            "a test must be able to fail"),
    Pattern("skipped-test", r"\bGTEST_SKIP\b|\bDISABLED_\w*", "a test that does not run protects nothing"),
    Pattern("name",
            r"\b(?:class|struct|enum|namespace)\s+(?:\w+::)*(?:\w*(?:Impl|Utils?|Helpers?|Manager\d+)|(?:\w+_)?(?:utils?|helpers?))\b"
            r"(?=\s*(?:final\b\s*)?[{:;])",
            "name it by what it does"),
)

_UNREASONED = r"\bTODO\b(?!\([^)\s][^)]*\): \S)"
TEXT_PATTERNS = (
    Pattern("todo", _UNREASONED, "say why it is left: TODO(why): what"),
    Pattern("todo", r"\b(?:FIXME|XXX|HACK)\b", "mend it, or say why not: TODO(why): what"),
    Pattern("machine-path", r"(?<![\w.~$})/])/(?:root|work|home/[a-z]\w*)/", "a path of one machine"),
    Pattern("package-host",
            r"\b(?:(?:deb|security|snapshot|ftp\.\w+)\.debian\.org|(?:archive|security)\.ubuntu\.com|registry\.npmjs\.org"
            r"|registry\.yarnpkg\.com|pypi\.org|files\.pythonhosted\.org|proxy\.golang\.org|mirror\.bazel\.build"
            r"|bcr\.bazel\.build|dl\.google\.com)\b",
            "where packages come from is the system's choice"),
    Pattern("private-note",
            r"\b(?:DESIGN|RELIABILITY|MODELS|RULES|NOTES)\.md\b|\bDESIGN's\b|\bRELIABILITY [A-Z]\d|//(?:[^\n]*,)? A(?:1?\d|20)\b"
            r"|(?i:\bissue [\"']?\d+ of \d|\b(?:another|an earlier|the last|previous|next) session\b|\bsession \d)",
            "readers of this repository do not have what it names: say what is meant"),
)
PYTHON_PATTERNS = (
    Pattern("sleep", r"\b(?:time|asyncio)\.sleep\b|(?<![\w.])sleep\s*\(|\bfrom\s+(?:time|asyncio)\s+import\b[^\n]*\bsleep\b", _NO_SLEEP),
    Pattern("clock",
            r"\btime\.(?:time|time_ns|localtime|gmtime|ctime|strftime)\b|\b(?:datetime|date)\.(?:now|utcnow|today)\b"
            r"|\bfrom\s+time\s+import\b[^\n]*\b(?:time|time_ns|localtime|gmtime|ctime)\b",
            "the wall clock makes two runs differ: take time.monotonic() for a limit, or the time as an argument"),
    Pattern("random",
            r"\brandom\.(?!Random\s*\(\s*[^\s)])\w+|\bos\.urandom\b|\buuid\.uuid[14]\b"
            r"|\bimport\s+secrets\b|\bfrom\s+(?:random|secrets)\s+import\b",
            "randomness has a seed: random.Random(seed)"),
    Pattern("dropped-error", r"\bexcept\s*:|\bexcept\s+(?:Base)?Exception\b[^:\n]*:\s*(?:pass|continue|\.\.\.)\b",
            "name the errors that are expected, and do something about them"),
    Pattern("empty-test", r"\bassertTrue\(\s*True\b|\bassertFalse\(\s*False\b|\bassert\s+True\b", "a test must be able to fail"),
    Pattern("skipped-test", r"\bunittest\.(?:skip\w*|expectedFailure)\b|\bskipTest\b|\bpytest\.(?:skip|mark\.(?:skip|xfail))",
            "a test that does not run protects nothing"),
)
SHELL_PATTERNS = (
    Pattern("sleep", r"(?m)(?:^|[;&|({`]|\b(?:do|then|else|exec|command|timeout\s+\S+))[ \t]*(?:/\S*/)?u?sleep[ \t]+\S", _NO_SLEEP),
    Pattern("clock", r"(?m)(?:^|[;&|({`]|\b(?:do|then|else))[ \t]*date\b(?![ \t]+[^\n;|&]*(?:-d[ \t]*|--date=)[\"']?@)"
            r"|\bEPOCH(?:SECONDS|REALTIME)\b",
            "the wall clock makes two runs differ: take the time as an argument, or SECONDS for a limit"),
    Pattern("random", r"\$\{?RANDOM\b|/dev/u?random\b|\bshuf\b", "what a script does is the same each time"),
    Pattern("dropped-error", r"(?m)^[ \t]*set[ \t]+\+\w*e", "a command that may fail says so: `|| code=$?`"),
)
BUILD_PATTERNS = (
    Pattern("flaky", r"\bflaky\s*=\s*(?:True|1)\b|\bflaky_test_attempts\b", "a retry hides what is wrong: mend the test"),
    Pattern("fetch", r"\b(?:http_archive|http_file|http_jar|git_repository|new_git_repository|download_and_extract)\b",
            "dependencies are the distribution's packages (third_party/README.md)"),
)
_FILE_NAME = re.compile(r"(?:^|_)(?:impl|utils?|helpers?|misc|manager\d+)$")

_STRICT = re.compile(r"(?m)^set -e?uo pipefail$|\A#!/bin/sh\n(?:.*\n)*?set -eu$")

_ALL = CPP_PATTERNS + TEXT_PATTERNS + PYTHON_PATTERNS + SHELL_PATTERNS + BUILD_PATTERNS
RULES = tuple(sorted({p.rule for p in _ALL} | {"lax-shell"}))
_COMPILED = {pattern: re.compile(pattern.regex) for pattern in _ALL}


def _matches(path, text, patterns):
    for pattern in patterns:
        if path.startswith(pattern.homes):
            continue
        for match in _COMPILED[pattern].finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found = " ".join(match.group().split())
            yield Finding(path, line, pattern.rule, f"`{found}`: {pattern.instead}")


def _file_name(path):
    stem = posixpath.basename(path).partition(".")[0]
    for suffix in ("_test", "_benchmark", "_fuzzer"):
        stem = stem.removesuffix(suffix)
    if _FILE_NAME.search(stem):
        yield Finding(path, 1, "name", f"a file named {stem}: name it by what it holds")


def _lax_shell(path, text):
    if text.startswith("#!") and not _STRICT.search(text):
        yield Finding(path, 1, "lax-shell", "a script goes on after a failure unless it says: set -euo pipefail")


def _code_findings(path, text):
    """What only holds for the code of one language; comments and, but for shell, strings are left out."""
    if path.endswith(source_tree.CPP):
        return [*_matches(path, cpp_lexer.code_only(text), CPP_PATTERNS)]
    if path.endswith(".py"):
        return [*_matches(path, script_code.python_code(text), PYTHON_PATTERNS)]
    if script_code.is_shell(path, text):
        return [*_matches(path, script_code.without_comments(text), SHELL_PATTERNS), *_lax_shell(path, text)]
    if script_code.is_build(path):
        # Commands of genrules are shell.
        return [*_matches(path, script_code.without_comments(text), SHELL_PATTERNS + BUILD_PATTERNS)]
    return []


def check(tree):
    findings = []
    for path in tree.paths():
        text = tree.text(path)
        findings += _matches(path, text, TEXT_PATTERNS)
        findings += _file_name(path)
        findings += _code_findings(path, text)
    return findings
