"""What may not be written, and where its one home is."""

import dataclasses
import posixpath
import re

import cpp_lexer
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
)
PYTHON_PATTERNS = (Pattern("sleep", r"\btime\.sleep\b|\bfrom time import\b.*\bsleep\b",
                           "nothing sleeps: wait for a condition with a time limit"),)
SHELL_PATTERNS = (Pattern("sleep", r"(?m)(?:^|[;&|]|\bdo|\bthen)[ \t]*sleep[ \t]+[\d.$]",
                          "nothing sleeps: wait for a condition with a time limit"),)
_FILE_NAME = re.compile(r"(?:^|_)(?:impl|utils?|helpers?|misc|manager\d+)$")

RULES = tuple(sorted({p.rule for p in CPP_PATTERNS + TEXT_PATTERNS}))
_COMPILED = {pattern: re.compile(pattern.regex) for pattern in CPP_PATTERNS + TEXT_PATTERNS + PYTHON_PATTERNS + SHELL_PATTERNS}


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


def check(tree):
    findings = []
    for path in tree.paths():
        text = tree.text(path)
        findings += _matches(path, text, TEXT_PATTERNS)
        findings += _file_name(path)
        if path.endswith(source_tree.CPP):
            findings += _matches(path, cpp_lexer.code_only(text), CPP_PATTERNS)
        elif path.endswith(".py"):
            findings += _matches(path, text, PYTHON_PATTERNS)
        elif path.endswith(".sh"):
            findings += _matches(path, text, SHELL_PATTERNS)
    return findings
