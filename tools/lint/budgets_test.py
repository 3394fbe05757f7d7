import unittest

import budgets
from planting import rules, tree


def function(lines):
    return "int f() {\n" + "  Do();\n" * (lines - 2) + "}\n"


class BudgetsTest(unittest.TestCase):

    def test_a_function_may_fill_its_budget_and_no_more(self):
        self.assertEqual(budgets.check(tree({"a/x.cc": function(70)})), [])
        self.assertEqual(rules(budgets.check(tree({"a/x.cc": function(71)}))), [("a/x.cc", 1, "function-lines")])

    def test_a_test_body_is_a_function(self):
        text = "\nTEST(Suite, Name) {\n" + "  Do();\n" * 100 + "}\n"
        self.assertEqual(rules(budgets.check(tree({"a/x_test.cc": text}))), [("a/x_test.cc", 2, "function-lines")])

    def test_files_have_budgets_by_kind(self):
        found = budgets.check(tree({
            "x.cc": "\n" * 400, "y.cc": "\n" * 401, "x.h": "\n" * 200, "y.h": "\n" * 201,
            "y.py": "\n" * 401, "y.sh": "\n" * 401, "y.bzl": "\n" * 401, "y.md": "\n" * 999,
            "run": "#!/bin/bash\n" + "\n" * 400,
        }))
        self.assertEqual(rules(found), [("run", 401, "source-lines"), ("y.bzl", 401, "source-lines"), ("y.cc", 401, "source-lines"), ("y.h", 201, "header-lines"),
                                        ("y.py", 401, "source-lines"), ("y.sh", 401, "source-lines")])

    def test_six_parameters_want_an_options_struct(self):
        found = budgets.check(tree({
            "x.h": "class C {\n  C(int a, int b, int c, int d, int e);\n  C(int a, int b, int c, int d, int e, int f);\n};\n",
            "x.cc": "MATCHER_P6(M, a, b, c, d, e, \"\") { return true; }\nint g(int a, int b, int c, int d, int e, int f) { return 0; }\n",
        }))
        self.assertEqual(rules(found), [("x.cc", 2, "parameters"), ("x.h", 3, "parameters")])

    def test_python_and_starlark_functions_have_the_same_budget(self):
        text = "def f():\n" + "    pass\n" * 70
        self.assertEqual(rules(budgets.check(tree({"x.py": text}))), [("x.py", 1, "function-lines")])
        self.assertEqual(rules(budgets.check(tree({"x.bzl": text}))), [("x.bzl", 1, "function-lines")])
        self.assertEqual(budgets.check(tree({"x.py": text.removesuffix("    pass\n")})), [])

    def test_shell_functions_have_the_same_budget(self):
        for start in ("f() {", "function f {", "f() { # NAME"):
            text = f"#!/bin/bash\n{start}\n" + "  x\n" * 69 + "}\n"
            self.assertEqual(rules(budgets.check(tree({".ci/run": text}))), [(".ci/run", 2, "function-lines")], start)
        self.assertEqual(budgets.check(tree({"x.sh": "f() {\n" + "  x\n" * 68 + "}\n" + "y\n" * 99})), [])

    def test_six_parameters_are_too_many_for_python_and_fine_for_a_macro(self):
        text = "class C:\n    def f(self, a, b, c, d, e):\n        pass\n    def g(self, a, b, c, *, d, e, f):\n        pass\n"
        self.assertEqual(rules(budgets.check(tree({"x.py": text}))), [("x.py", 4, "parameters")])
        self.assertEqual(budgets.check(tree({"x.bzl": "def m(a, b, c, d, e, f):\n    pass\n"})), [])


if __name__ == "__main__":
    unittest.main()
