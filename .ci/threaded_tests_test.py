import unittest

import threaded_tests


def rule(kind, name, *inputs, tags=()):
    listed = "".join(f'<string value="{tag}"/>' for tag in tags)
    return (f'<rule class="{kind}" name="{name}"><list name="tags">{listed}</list>' +
            "".join(f'<rule-input name="{entry}"/>' for entry in inputs) + "</rule>")


def graph(*rules):
    return f'<query version="2">{"".join(rules)}</query>'


class ThreadedTestsTest(unittest.TestCase):

    def test_a_test_is_threaded_by_what_it_reaches_through_others(self):
        found = threaded_tests.tests(graph(rule("cc_test", "//a:test", "//a:library"), rule("cc_library", "//a:library", "//b:b"),
                                           rule("cc_library", "//b:b", "//common/threads:mutex")))
        self.assertEqual(found, (["//a:test"], ["//a:test"]))

    def test_a_test_of_pure_code_is_not(self):
        found = threaded_tests.tests(graph(rule("cc_test", "//a:test", "//a:library", "@googletest//:gtest")))
        self.assertEqual(found, (["//a:test"], []))

    def test_grpc_brings_threads_and_so_does_a_program_that_a_script_runs(self):
        found = threaded_tests.tests(graph(rule("sh_test", "//a:script", "//a:program"),
                                           rule("cc_binary", "//a:program", "@grpc//:grpc++")))
        self.assertEqual(found[1], ["//a:script"])

    def test_manual_tests_and_circles_do_no_harm(self):
        found = threaded_tests.tests(graph(rule("cc_test", "//a:manual", "//common/threads:mutex", tags=["manual"]),
                                           rule("cc_test", "//a:test", "//a:x"), rule("alias", "//a:x", "//a:y"),
                                           rule("alias", "//a:y", "//a:x")))
        self.assertEqual(found, (["//a:test"], []))


if __name__ == "__main__":
    unittest.main()
