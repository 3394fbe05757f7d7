"""Tests of verdict.py and plant_bug.py."""

import unittest

import plant_bug
import verdict

RUN = "[ RUN      ] A.B\n"
FAILURE = "a_test.cc:7: Failure\nExpected: 1\n"
FAILED = "[  FAILED  ] A.B (3 ms)\n"
END = "[==========] 1 test from 1 test suite ran. (3 ms total)\n"


class VerdictTest(unittest.TestCase):

    def missed(self, exit_code, output, why):
        with self.assertRaisesRegex(verdict.Missed, why):
            verdict.verdict("bug", exit_code, output)

    def test_a_case_that_fails_has_found_the_bug(self):
        self.assertEqual(verdict.verdict("bug", 1, RUN + FAILURE + FAILED + END), "bug: caught by A.B")
        self.assertEqual(verdict.first_failure(RUN + FAILURE), FAILURE.rstrip("\n"))

    def test_a_parametrised_case_is_named_once(self):
        failed = "[  FAILED  ] Seeds/A.B/0, where GetParam() = 0 (3 ms)\n"
        self.assertEqual(verdict.verdict("bug", 1, RUN + FAILURE + failed * 2 + END), "bug: caught by Seeds/A.B/0")

    def test_a_test_that_passes_has_not(self):
        self.missed(0, RUN + END, "SURVIVED")

    def test_nor_one_that_does_not_start(self):
        self.missed(127, "error while loading shared libraries\n", "did not run")

    def test_nor_one_that_dies(self):
        self.missed(-6, RUN + FAILURE, "died with exit code -6")

    def test_nor_one_that_fails_without_an_assertion(self):
        self.missed(1, RUN + END, "no case failed by an assertion")


class PlantBugTest(unittest.TestCase):

    def test_the_only_place_is_changed(self):
        self.assertEqual(plant_bug.mutated("a b c", [{"find": "b", "replace": "x"}], "s.cc"), '#line 1 "s.cc"\na x c')

    def test_what_is_not_there_or_there_twice_is_an_error(self):
        for text in ("a c", "b b"):
            with self.assertRaisesRegex(ValueError, "instead of once"):
                plant_bug.mutated(text, [{"find": "b", "replace": "x"}], "s.cc")

    def test_so_is_an_edit_that_changes_nothing(self):
        with self.assertRaisesRegex(ValueError, "changes nothing"):
            plant_bug.mutated("b", [{"find": "b", "replace": "b"}], "s.cc")


if __name__ == "__main__":
    unittest.main()
