import contextlib
import io
import os
import stat
import tempfile
import unittest

import clang_tidy

ACTION = {
    "mnemonic": "CppCompile",
    "arguments": [
        "/usr/bin/gcc", "-Wall", "-std=c++20", "-MD", "-MF", "x.d", "-include", "bazel-out/bin/tests.h",
        "--param=ggc-min-heapsize=512000", "-frandom-seed=x.o", "-iquote", ".", "-iquote", "bazel-out/bin",
        "-isystem", "external/z/include", "-DA=\"b\"", "-fno-canonical-system-headers", "-c", "dra/x.cc", "-o", "x.o"
    ],
}
# Stands for clang-tidy: counts its calls, and complains about any file that contains "bad".
PROGRAM = """#!/bin/sh
case $1 in --version) echo "version 14.0.0"; exit 0 ;; esac
echo "$@ " >> calls
shift
case $1 in --checks=*) shift ;; esac
if grep -q bad "$1"; then echo "$1:1: complaint"; exit 1; fi
"""


class CommandsTest(unittest.TestCase):

    def test_flags_are_what_clang_understands_with_paths_that_exist(self):
        commands = clang_tidy.compile_commands({"actions": [ACTION]}, "/out", "/base")
        self.assertEqual(commands, {"dra/x.cc": ["-x", "c++", "-w", "-std=c++20", "-iquote", ".", "-iquote", "/out/bin",
                                                 "-isystem", "/base/external/z/include", "-DA=\"b\""]})

    def test_tests_can_be_left_out_unless_they_are_named(self):
        commands = {"a.cc": [], "a_test.cc": [], "testing/b.cc": []}
        self.assertEqual(clang_tidy.wanted(commands, []), ["a.cc", "a_test.cc", "testing/b.cc"])
        self.assertEqual(clang_tidy.wanted(commands, [], tests=False), ["a.cc"])
        self.assertEqual(clang_tidy.wanted(commands, ["a_test.cc"], tests=False), ["a.cc", "a_test.cc"])

    def test_generated_and_foreign_sources_are_left_alone(self):
        actions = [{"arguments": ["gcc", "-c", source]} for source in ("bazel-out/x/a.pb.cc", "external/z/a.cc", "dra/a.cc")]
        self.assertEqual(list(clang_tidy.compile_commands({"actions": actions}, "/out", "/base")), ["dra/a.cc"])

    def test_a_header_stands_for_what_lies_beside_it(self):
        commands = {"a/x.cc": [], "a/x_test.cc": [], "a/xy.cc": [], "b/x.cc": []}
        self.assertEqual(clang_tidy.wanted(commands, ["a/x.h"]), ["a/x.cc", "a/x_test.cc"])
        self.assertEqual(clang_tidy.wanted(commands, ["./a/xy.cc"]), ["a/xy.cc"])
        self.assertEqual(clang_tidy.wanted(commands, []), list(commands))


class TidyTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.write("program", PROGRAM)
        os.chmod("program", stat.S_IRWXU)
        self.write(".clang-tidy", "Checks: x")
        self.write("x.cc", '#include "x.h"\n#include "absl/x.h"\n')
        self.write("x.h", '#include "deep.h"\n')
        self.write("deep.h", "int x;\n")
        self.write("x_test.cc", "")

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def tidy(self, flags=()):
        commands = {"x.cc": list(flags), "x_test.cc": []}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            counts = clang_tidy.tidy("./program", commands, list(commands), clang_tidy.Inputs(["."]), clang_tidy.Cache("cache"))
        self.output = out.getvalue()
        return counts

    def test_what_passed_is_not_looked_at_again(self):
        self.assertEqual(self.tidy(), (2, 0))
        self.assertEqual(self.tidy(), (0, 0))

    def test_whatever_a_file_is_made_of_makes_it_new(self):
        self.tidy()
        self.write("deep.h", "int y;\n")
        self.assertEqual(self.tidy(), (1, 0))
        self.assertEqual(self.tidy(flags=["-DX"]), (1, 0))
        self.write(".clang-tidy", "Checks: y")
        self.assertEqual(self.tidy(), (2, 0))

    def test_what_passed_in_one_clone_passes_in_another(self):
        self.tidy(flags=["-I/home/x/.cache/bazel/_bazel_x/" + "a" * 32 + "/external/re2"])
        self.assertEqual(self.tidy(flags=["-I/home/x/.cache/bazel/_bazel_x/" + "b" * 32 + "/external/re2"]), (0, 0))
        self.assertEqual(self.tidy(flags=["-I/home/x/.cache/bazel/_bazel_x/" + "b" * 32 + "/external/re3"]), (1, 0))

    def test_complaints_are_shown_again_until_they_are_mended(self):
        self.write("x.cc", "bad")
        self.assertEqual(self.tidy(), (2, 1))
        self.assertEqual(self.tidy(), (1, 1))
        self.assertIn("x.cc:1: complaint", self.output)
        self.write("x.cc", "good")
        self.assertEqual(self.tidy(), (1, 0))

    def test_tests_get_fewer_checks(self):
        self.tidy()
        with open("calls", encoding="utf-8") as file:
            calls = {line.split(" -- ")[0].split()[-1]: line for line in file}
        self.assertNotIn("--checks", calls["x.cc"])
        self.assertIn("--checks=-*,", calls["x_test.cc"])

    def test_the_cache_forgets_what_was_not_asked_for_the_longest(self):
        cache = clang_tidy.Cache("cache")
        for number in range(4):
            cache.add(str(number))
            os.utime(f"cache/{number}", (number, number))
        self.assertTrue(cache.has("0"))
        cache.prune(kept=3)
        self.assertEqual([cache.has(str(number)) for number in range(4)], [True, False, True, True])


if __name__ == "__main__":
    unittest.main()
