import unittest

import allow_list
import twins
from planting import rules, tree

TWIN = 'restart_twin(name = "x_test_restart", test = ":x_test")\n'


def found(build, more=None):
    return rules(twins.check(tree({"a/BUILD": build, **(more or {})})))


def cc_test(*deps):
    return f'cc_test(name = "x_test", size = "small", deps = {list(deps)})\n'


class TwinsTest(unittest.TestCase):

    MISSING = [("//a:x_test", 0, "restart-twin")]

    def test_a_test_of_several_rooms_or_on_sockets_has_a_twin(self):
        for mark in ["//testing/harness:pod_node", "//common/unixsocket:short_temp_dir", "//testing/fakes:fake_api_server"]:
            self.assertEqual(found(cc_test(mark)), self.MISSING)
            self.assertEqual(found(cc_test(mark) + TWIN), [])

    def test_a_test_that_runs_the_daemon_has_a_twin(self):
        script = 'sh_test(name = "x_test", size = "small", srcs = ["x.sh"], data = ["//kubelet_cm/main:kubelet_cm"])\n'
        self.assertEqual(found(script), self.MISSING)
        self.assertEqual(found(script + TWIN.replace(":x", "x")), [])

    def test_other_tests_need_none(self):
        self.assertEqual(found(cc_test("//common/unixsocket:server", ":x")), [])

    def test_what_is_for_tests_only_leads_to_a_mark(self):
        fixture = 'cc_library(name = "fixture", testonly = True, hdrs = ["f.h"], deps = ["//testing/harness:machine"])\n'
        harness = {"testing/harness/BUILD": 'cc_library(name = "machine", deps = ["//common/unixsocket:short_temp_dir"])\n'}
        self.assertEqual(found(cc_test(":fixture") + fixture, harness), self.MISSING)
        self.assertEqual(found(cc_test(":fixture") + fixture.replace("testonly = True, ", ""), harness), [])

    def test_a_twin_is_of_its_own_package(self):
        self.assertEqual(found(cc_test("//testing/harness:pod_node"), {"b/BUILD": TWIN}), self.MISSING)

    def test_an_exception_for_a_test_that_has_a_twin_or_is_not_there_is_stale(self):
        text = "restart-twin | //a:x_test | it restarts by itself\n"
        for build in [cc_test("//testing/harness:pod_node") + TWIN, ""]:
            allowed = allow_list.AllowList(text, twins.RULES)
            self.assertEqual(allowed.filter(twins.check(tree({"a/BUILD": build}))), [])
            self.assertEqual([finding.rule for finding in allowed.findings(twins.RULES)], ["allowed"])
        allowed = allow_list.AllowList(text, twins.RULES)
        self.assertEqual(allowed.filter(twins.check(tree({"a/BUILD": cc_test("//testing/harness:pod_node")}))), [])
        self.assertEqual(allowed.findings(twins.RULES), [])


if __name__ == "__main__":
    unittest.main()
