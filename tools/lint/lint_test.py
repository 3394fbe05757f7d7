import contextlib
import io
import os
import tempfile
import unittest

import allow_list
import lint
from planting import rules, tree


class LintTest(unittest.TestCase):

    def test_an_exception_with_a_reason_lets_one_finding_pass(self):
        files = {"dra/x.cc": "absl::Now();", "dra/y.cc": "absl::Now();"}
        files[allow_list.PATH] = "clock | dra/x.cc | prints the time of the build"
        self.assertEqual(rules(lint.run(tree(files), ["banned"])), [("dra/y.cc", 1, "clock")])

    def test_an_exception_is_stale_only_for_the_check_that_owns_its_rule(self):
        files = {allow_list.PATH: "clock | dra/x.cc | prints the time of the build"}
        self.assertEqual(lint.run(tree(files), ["budgets"]), [])
        self.assertEqual(rules(lint.run(tree(files), ["banned"])), [(allow_list.PATH, 1, "allowed")])

    def test_no_two_checks_share_a_rule(self):
        names = [rule for check in lint.CHECKS.values() for rule in check.RULES]
        self.assertEqual(len(names), len(set(names)))

    def test_a_finding_fails_the_command_and_names_its_place(self):
        with tempfile.TemporaryDirectory() as root:
            with open(os.path.join(root, "x.cc"), "w", encoding="utf-8") as file:
                file.write("\nusing namespace std;\n")
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self.assertEqual(lint.main(["--root", root, "banned"]), 1)
                self.assertEqual(lint.main(["--root", root, "budgets"]), 0)
        self.assertIn("x.cc:2: `using namespace`", out.getvalue())


if __name__ == "__main__":
    unittest.main()
