import unittest

import banned
from planting import rules, tree

# Words that the lint would find in this file are put together here.
_TODO, _FIXME = "TO" + "DO", "FIX" + "ME"


def found(text, path="deviceplugin/x.cc"):
    return [rule for _, _, rule in rules(banned.check(tree({path: text})))]


class BannedTest(unittest.TestCase):

    def test_the_wall_clock_is_found_where_it_stands(self):
        planted = {"deviceplugin/x.cc": "int a;\nauto t = absl::Now();\n"}
        self.assertEqual(rules(banned.check(tree(planted))), [("deviceplugin/x.cc", 2, "clock")])

    def test_every_rule_catches_its_examples(self):
        examples = {
            "clock": ["std::chrono::system_clock::now();", "steady_clock::now();", "time(nullptr);", "x = ::time(NULL);",
                      "clock_gettime(CLOCK_REALTIME, &now);"],
            "sleep": ["std::this_thread::sleep_for(d);", "absl::SleepFor(d);", "usleep(5);", "::sleep(1);"],
            "file": ["int fd = open(path, 0);", "if (::rename(a, b) != 0) {}", "return fopen(p, m);", "std::rename(a, b);",
                     "a && unlink(p);", "std::ifstream in(p);", "#include <filesystem>", "(void)mkdir(p, 0);"],
            "thread": ["std::thread t(f);", "std::jthread t;", "std::async(f);", "pthread_create(&t, 0, f, 0);"],
            "mutex": ["std::mutex m;", "std::lock_guard l(m);", "absl::Mutex m;", "absl::MutexLock l(&m);", "absl::Notification n;"],
            "random": ["std::random_device d;", "absl::BitGen g;", "int x = rand();"],
            "environment": ["std::getenv(\"HOME\");", "::setenv(\"A\", \"b\", 1);"],
            "fork": ["if (fork() == 0) {}", "std::system(\"ls\");"],
            "grpc": ["grpc::CreateChannel(target, credentials);", "grpc::InsecureServerCredentials();"],
            "typedef": ["typedef int Count;"],
            "using-namespace": ["using namespace std;"],
            "empty-test": ["EXPECT_TRUE(true);", "ASSERT_FALSE( false );"],
            "skipped-test": ["GTEST_SKIP() << 1;", "TEST(A, DISABLED_b) {}"],
            "name": ["class StoreImpl {};", "struct FooUtil final {};", "class StoreHelper;", "class Manager2 {};", "namespace test_util {"],
        }
        for rule, texts in examples.items():
            for text in texts:
                self.assertIn(rule, found(text), text)

    def test_what_only_looks_alike_is_not_found(self):
        for text in ("// absl::Now() would be wrong\n", 'Log("std::mutex, open(2)");', "file->open(p);", "bool open() const;",
                     "FILE* open(int);", "auto&& open(int);", "Foo::open(p);", "absl::Time time() const;", "x.time(nullptr);",
                     "Renamed(a);", "reopen(p);", "MutexLock lock(&mu_);", "std::mt19937 random(7); random();",
                     '#include "common/clock/system_clock.h"', "class Implication {};", "class HelperFree {};", "using std::string;",
                     "template <class Util> void f();", "EXPECT_TRUE(truth);", "struct stat status;"):
            self.assertEqual(found(text), [], text)

    def test_a_seam_may_do_what_it_is_there_for(self):
        self.assertEqual(found("std::thread t; std::mutex m;", "common/threads/x.cc"), [])
        self.assertEqual(found("std::thread t;", "common/threadsafe/x.cc"), ["thread"])
        self.assertEqual(found("int fd = open(p);", "common/threads/x.cc"), ["file"])


class ScriptTest(unittest.TestCase):

    def test_every_rule_for_python_catches_its_examples(self):
        examples = {
            "sleep": ["time.sleep(1)", "await asyncio.sleep(1)", "from time import monotonic, sleep", "sleep(1)"],
            "clock": ["time.time()", "datetime.datetime.now()", "date.today()", "time.strftime('%H')", "from time import time",
                      "f'{time.time()}'"],
            "random": ["random.randint(1, 2)", "random.Random()", "os.urandom(4)", "uuid.uuid4()", "import secrets",
                       "from random import choice"],
            "dropped-error": ["try:\n  f()\nexcept:\n  g()", "try:\n  f()\nexcept Exception as e:\n  pass"],
            "empty-test": ["self.assertTrue(True)", "assert True"],
            "skipped-test": ["@unittest.skip('later')", "self.skipTest('later')", "@unittest.expectedFailure"],
        }
        for rule, texts in examples.items():
            for text in texts:
                self.assertEqual(found(text + "\n", "tools/x.py"), [rule], text)

    def test_python_that_only_looks_alike_is_not_found(self):
        for text in ("# time.sleep(1)", "'time.sleep(1)'", "time.monotonic()", "random.Random(7)", "self.sleep(1)", "x.time()",
                     "except OSError: pass", "generator.random()"):
            self.assertEqual(found(text + "\n", "tools/x.py"), [], text)

    def test_every_rule_for_shell_catches_its_examples(self):
        examples = {
            "sleep": ["sleep 1", "while x; do sleep 0.1; done", "f && sleep \"$t\"", "$(sleep 1)", "exec /bin/sleep 5", "usleep 9"],
            "clock": ["date", "now=$(date +%s)", "x; date --iso", "echo $EPOCHSECONDS", "echo \"${EPOCHREALTIME}\""],
            "random": ["n=$RANDOM", "n=$((${RANDOM} % 3))", "head -c 4 /dev/urandom", "shuf -n 1 x"],
            "dropped-error": ["set +e", "set +eu"],
        }
        for rule, texts in examples.items():
            for text in texts:
                self.assertEqual(found(text + "\n", "tools/x.sh"), [rule], text)

    def test_shell_that_only_looks_alike_is_not_found(self):
        for text in ("# sleep 1", "x # date", "echo sleeping", "date -u -d @0 +%F", "touch --date=@0 x", "validate x", "sleepy 1",
                     "update date", "set -e", "up-to-date"):
            self.assertEqual(found(text + "\n", "tools/x.sh"), [], text)

    def test_a_script_is_shell_by_its_first_line_too(self):
        self.assertEqual(found("#!/usr/bin/env bash\nset -euo pipefail\nsleep 1\n", ".ci/run"), ["sleep"])
        self.assertEqual(found("#!/usr/bin/python3\nsleep = 1\n", ".ci/run"), [])

    def test_a_script_stops_at_a_failure(self):
        for text, wanted in (("#!/bin/bash\nset -eu\n", ["lax-shell"]), ("#!/usr/bin/env bash\nf\n", ["lax-shell"]),
                             ("#!/usr/bin/env bash\nset -uo pipefail\n", []), ("#!/bin/sh\n# x\nset -eu\n", []),
                             ("# sourced by others\n", [])):
            self.assertEqual(found(text, "tools/x.sh"), wanted, text)

    def test_build_files_hide_no_flake_and_fetch_nothing(self):
        self.assertEqual(found("cc_test(name = 'x', flaky = True)\n", "dra/BUILD"), ["flaky"])
        self.assertEqual(found("test --flaky_test_attempts=3\n", ".bazelrc"), ["flaky"])
        self.assertEqual(found("http_archive(name = 'x')\n", "WORKSPACE"), ["fetch"])
        self.assertEqual(found("genrule(cmd = \"x $$(date +%s)\")\n", "dra/BUILD"), ["clock"])
        self.assertEqual(found("# flaky = True\n", "dra/BUILD"), [])


class TextTest(unittest.TestCase):

    def test_work_left_over_has_a_reason(self):
        for text in (f"// {_TODO}: later", f"// {_TODO} later", f"// {_TODO}(): x", f"// {_TODO}(why):", f"// {_FIXME}(why): x"):
            self.assertEqual(found(text), ["todo"], text)
        self.assertEqual(found(f"// {_TODO}(kernel 6.1 lacks it): use openat2"), [])

    def test_comments_and_documents_name_no_machine(self):
        self.assertEqual(found("see /" + "work/notes\n", "docs/x.md"), ["machine-path"])
        self.assertEqual(found("# cd /" + "root/x\n", "tools/x.sh"), ["machine-path"])
        self.assertEqual(found("$HOME/work/x ~/root/ a/work/b /var/lib/kubelet/\n", "docs/x.md"), [])

    def test_package_hosts_are_not_named(self):
        self.assertEqual(found("wget https://deb.debian" + ".org/x\n", "tools/x.sh"), ["package-host"])

    def test_what_readers_do_not_have_is_not_named(self):
        for text in ("see DESIGN" + ".md", "as DESIGN" + "'s table has it", "// A" + "18", "// D4, A" + "7: again", "RELIABILITY A" + "12",
                     "done in an earlier " + "session", "issue \"3 " + "of 6\"", "Issue 3 " + "of 6"):
            self.assertEqual(found(text + "\n"), ["private-note"], text)
        for text in ("// D4, C1", "k/k#102880", "the session of a plugin", "// 0xA7", "// then A8 or A9", "docs/design.md", "issue a token"):
            self.assertEqual(found(text + "\n"), [], text)

    def test_files_are_named_by_what_they_hold(self):
        self.assertEqual(found("", "common/string_util.cc"), ["name"])
        self.assertEqual(found("", "common/helpers_test.cc"), ["name"])
        self.assertEqual(found("", "common/utility_row.cc"), [])


if __name__ == "__main__":
    unittest.main()
