import contextlib
import io
import os
import tempfile
import unittest

import dependency_law
from planting import rules


def element(name, deps=(), kind="cc_library", testonly=False, visibility="//:everyone"):
    inputs = "".join(f'<rule-input name="{dep}"/>' for dep in deps)
    return (f'<rule class="{kind}" location="a/BUILD:1:1" name="{name}"><string name="name" value="x"/>'
            f'<boolean name="testonly" value="{str(testonly).lower()}"/>'
            f'<list name="visibility"><label value="{visibility}"/></list>{inputs}</rule>')


def query(*elements):
    return f'<?xml version="1.1" encoding="UTF-8" standalone="no"?><query version="2">{"".join(elements)}</query>'


def found(*elements):
    return rules(dependency_law.check(dependency_law.parse(query(*elements))))


class LayerTest(unittest.TestCase):

    def test_what_the_law_allows_passes(self):
        self.assertEqual(found(
            element("//common/a:a", ["@@abseil-cpp~//absl/status:status", "//common/b:b", "//common/a:a.cc"]),
            element("//checkpointmanager:m", ["//common/a:a"]),
            element("//deviceplugin:m", ["//checkpointmanager:m", "//common/a:a"]),
            element("//dra:m", ["//checkpointmanager:m"]),
            element("//kubelet_cm:m", ["//dra:m", "//deviceplugin:m"]),
            element("//tools/cmctl:m", ["//kubelet_cm:m"]),
            element("//testing/harness:h", ["//kubelet_cm:m", "//dra:m"], testonly=True),
            element("//dra:m_test", ["//dra:m", "//testing/harness:h"], kind="cc_test"),
        ), [])

    def test_every_forbidden_edge_is_found(self):
        for user, used in (("common/a", "checkpointmanager"), ("common/a", "dra"), ("common/a", "tools/cmctl"),
                           ("checkpointmanager", "deviceplugin"), ("checkpointmanager", "kubelet_cm/api"), ("deviceplugin/api", "dra/api"),
                           ("dra/api", "deviceplugin/api"), ("dra", "kubelet_cm"), ("kubelet_cm", "tools/bench"), ("surprise", "common/a")):
            self.assertEqual(found(element(f"//{user}:x", [f"//{used}:y"])), [(f"//{user}:x", 0, "layer")], (user, used))

    def test_a_test_keeps_the_law_too(self):
        self.assertEqual(found(element("//dra:x_test", ["//deviceplugin:y"], kind="cc_test")), [("//dra:x_test", 0, "layer")])

    def test_only_what_is_testonly_depends_on_testing(self):
        self.assertEqual(found(element("//dra:x", ["//testing/fakes:y"])), [("//dra:x", 0, "product-needs-testing")])
        self.assertEqual(found(element("//tools/bench:x", ["//testing/fakes:y"], testonly=True)), [])

    def test_build_tools_are_used_from_everywhere(self):
        self.assertEqual(found(element("//dra/api:x", ["//tools/bazel:plugin"])), [])

    def test_no_library_is_public(self):
        self.assertEqual(found(element("//dra:x", visibility="//visibility:public")), [("//dra:x", 0, "public")])
        package = '<source-file name="//dra:BUILD"><visibility-label name="//visibility:public"/></source-file>'
        self.assertEqual(found(package), [("//dra:BUILD", 0, "public")])
        self.assertEqual(found(element("@@grpc~//:grpc++", visibility="//visibility:public")), [])


class MainTest(unittest.TestCase):

    def test_the_daemons_code_is_linked_by_itself_alone(self):
        library = element("//kubelet_cm/main:flags")
        self.assertEqual(found(library, element("//kubelet_cm/main:daemon", ["//kubelet_cm/main:flags"], kind="cc_binary")), [])
        self.assertEqual(found(library, element("//testing/harness:h", ["//kubelet_cm/main:flags"], testonly=True)),
                         [("//testing/harness:h", 0, "links-main")])

    def test_the_daemons_binary_is_run_by_tests_and_packed_by_tools(self):
        daemon = element("//kubelet_cm/main:daemon", kind="cc_binary")
        self.assertEqual(found(daemon, element("//testing/process:t", ["//kubelet_cm/main:daemon"], kind="cc_test"),
                               element("//kubelet_cm:short_name", ["//kubelet_cm/main:daemon"], kind="alias"),
                               element("//tools/release:tar", ["//kubelet_cm/main:daemon"], kind="genrule")), [])
        self.assertEqual(found(daemon, element("//kubelet_cm:x", ["//kubelet_cm/main:daemon"])), [("//kubelet_cm:x", 0, "links-main")])


class PureTest(unittest.TestCase):

    def test_a_pure_package_reaches_nothing_impure_by_any_way(self):
        graph = dependency_law.parse(query(
            element("//dra/claim:table", ["//common/node:node"]),
            element("//common/node:node", ["//common/json:json"]),
            element("//common/json:json", ["@@grpc~//:grpc++_unsecure"]),
        ))
        findings = dependency_law.check(graph)
        self.assertEqual(rules(findings), [("//common/node:node", 0, "impure"), ("//dra/claim:table", 0, "impure")])
        self.assertIn("//common/node:node -> //common/json:json -> @grpc//:grpc++_unsecure", findings[0].message)

    def test_each_seam_is_impure(self):
        for seam in ("//common/threads:mutex", "//common/clock:clock", "//common/filesystem/posix:x", "//common/unixsocket:x", "@grpc//:grpc++"):
            self.assertEqual(found(element("//deviceplugin/allocation:pick", [seam])), [("//deviceplugin/allocation:pick", 0, "impure")], seam)

    def test_an_instant_is_a_value(self):
        self.assertEqual(found(element("//deviceplugin/inventory:x", ["//common/clock:monotonic_time"]),
                               element("//common/clock:monotonic_time", ["//common/clock:monotonic_time.h"])), [])

    def test_names_that_only_begin_alike_and_tests_are_free(self):
        self.assertEqual(found(element("//deviceplugin/checkpointing:x", ["//common/clock:clock"]),
                               element("//dra/claim:x_test", ["//common/clock:fake"], kind="cc_test"),
                               element("//dra/claim:x", ["//common/clockwork:x", "@@grpcish~//:x"])), [])

    def test_generated_files_lead_to_the_rule_that_makes_them(self):
        generated = '<generated-file name="//common/gotext:x.h" generating-rule="//common/gotext:gen"/>'
        self.assertEqual(found(generated, element("//common/gotext:x", ["//common/gotext:x.h"]),
                               element("//common/gotext:gen", ["//common/threads:x"], kind="genrule", testonly=True)),
                         [("//common/gotext:x", 0, "impure")])


class CommandTest(unittest.TestCase):

    def run_on(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".xml", delete=False) as file:
            file.write(text)
        self.addCleanup(os.unlink, file.name)
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            return dependency_law.main([file.name, os.devnull]), out.getvalue()

    def test_a_forbidden_edge_fails_the_command(self):
        status, text = self.run_on(query(element("//dra:x", ["//deviceplugin:y"])))
        self.assertEqual(status, 1)
        self.assertIn("//dra:x: depends on //deviceplugin:y: dra may not use deviceplugin", text)

    def test_a_graph_without_our_targets_fails(self):
        self.assertEqual(self.run_on(query(element("@@x//:y")))[0], 1)
        self.assertEqual(self.run_on(query(element("//common:y")))[0], 0)


if __name__ == "__main__":
    unittest.main()
