import unittest

import layout
from planting import rules, tree

GUARDED = "#ifndef KUBELET_CM_A_X_H_\n#define KUBELET_CM_A_X_H_\nint f();\n#endif  // KUBELET_CM_A_X_H_\n"
GOOD = {
    "a/BUILD": """\
        package(default_visibility = ["//:everyone"])
        cc_library(
            name = "x",
            srcs = ["x.cc"],
            hdrs = ["x.h"],
        )
        cc_test(
            name = "x_test",
            size = "small",
            srcs = ["x_test.cc"],
            deps = [":x"],
        )
        """,
    "a/x.h": GUARDED,
    "a/x.cc": "",
    "a/x_test.cc": "",
}


def found(changes):
    files = {**GOOD, **changes}
    return rules(layout.check(tree({path: text for path, text in files.items() if text is not None})))


def build(old, new):
    return {"a/BUILD": GOOD["a/BUILD"].replace(old, new)}


class LayoutTest(unittest.TestCase):

    def test_a_tidy_package_has_no_findings(self):
        self.assertEqual(found({}), [])

    def test_an_include_guard_names_its_path(self):
        self.assertEqual(found({"a/x.h": GUARDED.replace("_A_", "_B_")}), [("a/x.h", 1, "include-guard")])
        self.assertEqual(found({"a/x.h": "// Why.\n#pragma once\n"}), [("a/x.h", 2, "include-guard")])
        self.assertEqual(found({"a/x.h": GUARDED.replace("  // KUBELET_CM_A_X_H_", "")}), [("a/x.h", 4, "include-guard")])
        self.assertEqual(found({"a/x.h": "// Why.\n" + GUARDED}), [])

    def test_a_file_that_no_target_names_is_dead(self):
        self.assertEqual(found({"a/y.cc": ""}), [("a/y.cc", 1, "dead-file")])
        self.assertEqual(found({"b/y.cc": ""}), [("b/y.cc", 1, "dead-file")])
        self.assertEqual(found({"a/sub/y.proto": "", "a/sub/BUILD": ""}), [("a/sub/y.proto", 1, "dead-file")])

    def test_globs_labels_and_macros_name_files_too(self):
        text = ("load('//b:b.bzl', 'fuzz', renamed = 'x')\nfuzz(name = 'f', src = ':y.cc')\nrenamed(name = 'g', src = '//a:z.cc')\n"
                "cc_library(name = 'h', hdrs = glob(['h*.h'], exclude = ['huge.h']) + select({'//c': ['w.h'], '//d': []}))\n"
                "[cc_library(name = n, hdrs = [n + '.h']) for n in ['v']]\n")
        guard = "#ifndef KUBELET_CM_A_{0}_H_\n#define KUBELET_CM_A_{0}_H_\n#endif  // KUBELET_CM_A_{0}_H_\n"
        headers = {f"a/{name}.h": guard.format(name.upper()) for name in ("hat", "huge", "w", "v")}
        changes = {"a/BUILD": text, "a/y.cc": "", "a/z.cc": "", "a/x.h": None, "a/x.cc": None, "a/x_test.cc": None}
        self.assertEqual(found({**changes, **headers}), [("a/huge.h", 1, "dead-file")])

    def test_a_library_with_code_has_a_test_in_its_package(self):
        self.assertEqual(found(build('deps = [":x"]', "deps = []")), [("//a:x", 0, "untested-library")])
        self.assertEqual(found(build('deps = [":x"]', 'deps = ["//a:x"]')), [])

    def test_a_test_states_its_size(self):
        self.assertEqual(found(build('size = "small",', "")), [("//a:x_test", 0, "test-size")])

    def test_a_source_has_a_header_of_its_name_and_a_test_ends_in_test(self):
        self.assertEqual(found({**build('"x.cc"', '"y.cc"'), "a/y.cc": "", "a/x.cc": None}), [("a/y.cc", 1, "file-name")])
        self.assertEqual(found({**build('"x_test.cc"', '"check_x.cc"'), "a/check_x.cc": "", "a/x_test.cc": None}),
                         [("a/check_x.cc", 1, "file-name")])

    def test_names_of_files_are_lower_case(self):
        self.assertEqual(found({**build('"x.cc"]', '"x.cc", "Yy.h"]'), "a/Yy.h": GUARDED.replace("_X_", "_YY_")}),
                         [("a/Yy.h", 1, "file-name")])
        self.assertEqual(found({"a/y.cpp": ""}), [("a/y.cpp", 1, "file-name")])

    def test_a_build_file_that_cannot_be_read_is_a_finding_not_a_crash(self):
        self.assertIn(("a/BUILD", 1, "build-file"), found({"a/BUILD": "cc_library(name = 1 +"}))

    def test_descriptions_of_other_libraries_are_left_alone(self):
        self.assertEqual(found({"third_party/modules/z/main.cc": "", "third_party/modules/z/BUILD": "cc_test(name = 't')"}), [])


if __name__ == "__main__":
    unittest.main()
