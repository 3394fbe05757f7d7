"""Whether every integration test has a restart twin (testing/harness/restart_twin.bzl).

Such a test stands on several rooms, on real sockets or on the daemon: it names one of the marks below, itself or by the
way of other targets that are for tests only. One for which a restart in the middle means nothing is in allowed.txt, with
the reason.
"""

import build_files
from source_tree import Finding

RULES = ("restart-twin",)
_MARKS = {
    "//testing/harness:pod_node": "several rooms",
    "//common/unixsocket:short_temp_dir": "real sockets",
    "//testing/fakes:fake_api_server": "real sockets",
    "//kubelet_cm/main:kubelet_cm": "the daemon",
}
_TESTS = ("cc_test", "sh_test", "py_test")


class _Targets:
    """All targets, by label."""

    def __init__(self, builds):
        self.by_label = {}
        self._reached = {}
        for package in builds.packages.values():
            for target in package.targets:
                self.by_label[build_files.label(package, target.name)] = (package, target)

    def mark_of(self, label):
        """The first mark that `label` reaches, or None."""
        if label not in self._reached:
            self._reached[label] = None  # a target is not looked at while it is looked at
            self._reached[label] = self._find_mark(label)
        return self._reached[label]

    def _find_mark(self, label):
        if label in _MARKS:
            return label
        package, target = self.by_label.get(label, (None, None))
        if target is None or not self._is_for_tests(label, target):
            return None
        marks = (self.mark_of(build_files.label(package, name)) for name in target.files("deps", "data"))
        return next((mark for mark in marks if mark), None)

    @staticmethod
    def _is_for_tests(label, target):
        return bool(target.rule in _TESTS or target.attributes.get("testonly") or label.startswith("//testing/"))


def check(tree):
    targets = _Targets(build_files.BuildFiles(tree))
    twins = {
        build_files.label(package, target.attributes.get("test", ""))
        for package, target in targets.by_label.values() if target.rule == "restart_twin"
    }
    findings = []
    for label, (_, target) in targets.by_label.items():
        mark = targets.mark_of(label) if target.rule in _TESTS and label not in twins else None
        if mark:
            findings.append(Finding(label, 0, "restart-twin", f"stands on {_MARKS[mark]} ({mark}) and has no restart twin"))
    return findings
