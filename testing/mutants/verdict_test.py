"""Tests of verdict.py and plant_bug.py."""

import unittest

import plant_bug
import verdict

STEP = "a/b.textproto:7: step 2 (as kubelet latest; pod a asks for 1 of x/y):\n    D1 is broken: dev-0 is held by pods a and b\n"
FAILED = "b: FAILED\n"


class VerdictTest(unittest.TestCase):

    def missed(self, exit_code, output, why):
        with self.assertRaisesRegex(verdict.Missed, why):
            verdict.verdict("bug", exit_code, output)

    def test_a_step_that_is_not_as_it_says_has_found_the_bug(self):
        self.assertEqual(verdict.verdict("bug", 1, STEP + FAILED),
                         "bug: caught: a/b.textproto:7: step 2 (as kubelet latest; pod a asks for 1 of x/y): "
                         "D1 is broken: dev-0 is held by pods a and b")

    def test_so_has_a_sweep(self):
        swept = "kill before operation 7 (write /a):\n" + STEP + "b, as kubelet latest\n\nb: 7 crash points: FAILED\n"
        self.assertIn("D1 is broken", verdict.verdict("bug", 1, "b: passed\n" + swept))

    def test_a_scenario_that_passes_has_not(self):
        self.missed(0, "b: passed\n", "SURVIVED")

    def test_nor_a_file_that_is_wrong(self):
        self.missed(2, "a/b.textproto:7:3: no kubelet runs at this step\n", "exit code 2")

    def test_nor_one_that_dies(self):
        self.missed(-6, STEP, "exit code -6")

    def test_nor_one_that_fails_without_saying_why(self):
        self.missed(1, FAILED, "nothing is said to be wrong")
        self.missed(1, STEP, "no scenario failed")


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
