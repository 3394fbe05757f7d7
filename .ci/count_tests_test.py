"""Tests of count_tests.py on events as Bazel writes them."""

import unittest

import count_tests


def summary(label, status):
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


def configured(label):
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"testSize": "SMALL"}}


def completed(label, success):
    return {"id": {"targetCompleted": {"label": label}}, "completed": {"success": True} if success else {}}


class CountTest(unittest.TestCase):
    def test_adds_up_what_passed_and_failed(self):
        events = [summary("//a", "PASSED"), summary("//b", "FAILED"), summary("//c", "TIMEOUT")]
        self.assertEqual(count_tests.count(events, 3), (1, 2))

    def test_a_test_that_passed_only_when_repeated_has_failed(self):
        self.assertEqual(count_tests.count([summary("//a", "FLAKY")], 0), (0, 1))

    def test_a_test_that_was_not_built_has_failed(self):
        events = [configured("//a"), completed("//a", False), configured("//b"), completed("//b", True), summary("//b", "PASSED")]
        self.assertEqual(count_tests.count(events, 1), (1, 1))

    def test_a_test_that_was_left_out_by_its_tags_counts_for_nothing(self):
        events = [configured("//a"), completed("//a", True)]
        self.assertEqual(count_tests.count(events, 0), (0, 0))

    def test_a_failure_that_no_test_is_to_blame_for_is_one_failure(self):
        self.assertEqual(count_tests.count([summary("//a", "PASSED")], 1), (1, 1))
        self.assertEqual(count_tests.count([], 37), (0, 1))


if __name__ == "__main__":
    unittest.main()
