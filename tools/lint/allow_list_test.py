import unittest

from allow_list import PATH, AllowList
from planting import rules
from source_tree import Finding


class AllowListTest(unittest.TestCase):

    def test_an_entry_permits_its_rule_on_its_paths_only(self):
        allowed = AllowList("# why\n\nclock | common/*.cc | boot time is read once\n", {"clock", "file"})
        findings = [Finding("common/x.cc", 1, "clock", ""), Finding("common/x.cc", 1, "file", ""), Finding("dra/x.cc", 1, "clock", "")]
        self.assertEqual(rules(allowed.filter(findings)), [("common/x.cc", 1, "file"), ("dra/x.cc", 1, "clock")])
        self.assertEqual(allowed.findings({"clock", "file"}), [])

    def test_an_entry_without_a_reason_is_a_finding_and_permits_nothing(self):
        for entry in ("clock | x.cc", "clock | x.cc |", "clock", "clock | | because"):
            allowed = AllowList(entry, {"clock"})
            self.assertEqual(len(allowed.filter([Finding("x.cc", 1, "clock", "")])), 1)
            self.assertEqual(rules(allowed.findings({"clock"})), [(PATH, 1, "allowed")])

    def test_an_entry_that_is_not_needed_any_more_is_a_finding(self):
        allowed = AllowList("\nclock | gone.cc | was needed", {"clock"})
        allowed.filter([])
        self.assertEqual(rules(allowed.findings({"clock"})), [(PATH, 2, "allowed")])

    def test_an_entry_of_a_rule_that_was_not_checked_may_be_unused(self):
        self.assertEqual(AllowList("clock | x.cc | reason", {"clock", "file"}).findings({"file"}), [])

    def test_an_unknown_rule_is_a_finding(self):
        self.assertEqual(rules(AllowList("clocks | x.cc | reason", {"clock"}).findings(set())), [(PATH, 1, "allowed")])


if __name__ == "__main__":
    unittest.main()
