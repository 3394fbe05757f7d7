import unittest

import script_code


class ScriptCodeTest(unittest.TestCase):

    def test_comments_and_strings_of_python_go_and_its_lines_stay(self):
        text = 'a = "x" + b  # c\n"""d\ne"""\nf = f"{g}"\n'
        code = script_code.python_code(text)
        self.assertEqual(code.split(), ["a", "=", "+", "b", "f", "=", 'f"{g}"'])
        self.assertEqual(code.count("\n"), text.count("\n"))

    def test_two_strings_in_a_row_go_both(self):
        self.assertEqual(script_code.python_code("x = 'a' 'b' + c\n").split(), ["x", "=", "+", "c"])

    def test_what_is_not_python_is_left_as_it_is(self):
        self.assertEqual(script_code.python_code("x = (\n"), "x = (\n")

    def test_comments_of_shell_go_and_expansions_stay(self):
        self.assertEqual(script_code.without_comments("#!/bin/sh\n# a\nb ${c#d} $# # e\n"), "#!/bin/sh\n\nb ${c#d} $# \n")

    def test_shell_is_known_by_its_name_or_its_first_line(self):
        self.assertTrue(script_code.is_shell("x.sh", ""))
        for line in ("#!/bin/sh\n", "#!/usr/bin/env bash\n", "#! /bin/bash -e\n"):
            self.assertTrue(script_code.is_shell("run", line), line)
        self.assertFalse(script_code.is_shell("run", "#!/usr/bin/env python3\n"))

    def test_build_files_are_known_by_their_name(self):
        for path in ("a/BUILD", "a/x.bzl", "MODULE.bazel", "WORKSPACE", ".bazelrc"):
            self.assertTrue(script_code.is_build(path), path)
        self.assertFalse(script_code.is_build("a/BUILDING.md"))


if __name__ == "__main__":
    unittest.main()
