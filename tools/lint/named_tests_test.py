import unittest

import named_tests
from planting import tree

TESTS = """\
    TEST(PlainTest, Works) {}
    TEST_F(FixtureTest, WorksToo) {}
    TEST_P(FixtureTest, WorksForAll) {}
    """


def found(text, path="docs/a.md"):
    return [(finding.line, finding.message) for finding in named_tests.check(tree({"a_test.cc": TESTS, path: text}))]


class NamedTestsTest(unittest.TestCase):

    def test_tests_that_exist_are_fine(self):
        self.assertEqual(found("`PlainTest.Works`, `FixtureTest.WorksToo`, `.WorksForAll`, `FixtureTest.Works...`\n"), [])
        self.assertEqual(found("`PlainTest` and `./bazelw`, `std::vector`, `a.sock`\n"), [])

    def test_a_test_that_does_not_exist_is_named_with_its_line(self):
        self.assertEqual(found("x\n`PlainTest.WorksToo`\n"), [(2, "there is no test PlainTest.WorksToo")])
        self.assertEqual(found("`OtherTest`\n"), [(1, "there is no test OtherTest")])
        self.assertEqual(found("`FixtureTest.WorksToo`, `.Fails`\n"), [(1, "there is no test FixtureTest.Fails")])
        self.assertEqual(found("`FixtureTest.Fail...`\n"), [(1, "there is no test FixtureTest.Fail")])

    def test_every_row_of_a_table_of_behaviours_names_a_test(self):
        table = "| behaviour | test |\n|---|---|\n| a | `PlainTest.Works` |\n| b | by hand |\n\n| other | table |\n"
        self.assertEqual(found(table), [(4, "no test is named for this behaviour")])

    def test_other_tables_need_none(self):
        self.assertEqual(found("| what | why |\n|---|---|\n| a | b |\n"), [])

    def test_history_is_not_looked_at(self):
        self.assertEqual(found("`GoneTest.Was`\n", "CHANGELOG.md"), [])


if __name__ == "__main__":
    unittest.main()
