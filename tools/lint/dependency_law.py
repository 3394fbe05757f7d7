"""dependency_law.py FILE [ALLOWED]: who may depend on whom, checked on `bazel query --output=xml '//...:*'`.

The law, in the words of ARCHITECTURE.md:

    common <- checkpointmanager <- deviceplugin, dra <- kubelet_cm <- tools; testing sits on all     ("<-": is used by)

deviceplugin and dra do not know each other; the pure packages reach no gRPC, no thread, no clock and no file;
kubelet_cm/main is linked by nothing else; nothing that is not testonly depends on testing; no library is public.
"""

import collections
import dataclasses
import os
import re
import sys
import xml.etree.ElementTree

import allow_list
from source_tree import Finding

RULES = ("layer", "product-needs-testing", "links-main", "impure", "public")

# The folders of the product, and which of them each may use. Tests may in addition use testing.
_PRODUCT = {
    "common": {"common"},
    "checkpointmanager": {"common", "checkpointmanager"},
    "deviceplugin": {"common", "checkpointmanager", "deviceplugin"},
    "dra": {"common", "checkpointmanager", "dra"},
    "kubelet_cm": {"common", "checkpointmanager", "deviceplugin", "dra", "kubelet_cm"},
    "tools": {"common", "checkpointmanager", "deviceplugin", "dra", "kubelet_cm", "tools", "examples"},
    "examples": {"examples"},  # manifests
}
_ALLOWED = {**_PRODUCT, "testing": set(_PRODUCT) | {"testing"}, "third_party": {"third_party"}, ".ci": {".ci"}}
_MAIN = "kubelet_cm/main"
_PURE = ("deviceplugin/inventory", "deviceplugin/allocation", "deviceplugin/topology", "dra/claim", "deviceplugin/checkpoint",
         "dra/checkpoint", "checkpointmanager/checksum", "common/cdi", "common/gotext", "common/node",
         "kubelet_cm/manifest")
# What a pure package may not reach, by whatever way. A repository's name is the canonical one without its marks.
_IMPURE_FOLDERS = ("common/threads", "common/clock", "common/filesystem", "common/folderwatch", "common/unixsocket", "common/random")
_IMPURE_REPOSITORIES = ("@grpc//",)
# Values that stand in such a folder: an instant is a number, only a clock tells which one it is.
_PURE_TARGETS = ("//common/clock:monotonic_time", "//common/clock:monotonic_time.h")
# Build tools may be used from everywhere: they make code, they are not part of it.
_BUILD_FOLDERS = ("tools/bazel", "tools/lint")


@dataclasses.dataclass
class Rule:
    """One target. `edges` are the labels it names, sources included."""

    label: str
    kind: str
    edges: list
    is_testonly: bool = False
    is_public: bool = False

    @property
    def package(self):
        return package_of(self.label)


def package_of(label):
    """The folder of a label of this repository; None for other repositories' labels."""
    return label[2:].partition(":")[0] if label.startswith("//") else None


def _plain(label):
    """Labels as a reader writes them: @@grpc~1.51//:grpc++ and @@grpc~//... are @grpc//..., //x is //x."""
    match = re.match(r"@@?([\w.-]*?)(?:[~+][^/]*)?//", label)
    if not match:
        return label
    return f"@{match.group(1)}//{label[match.end():]}" if match.group(1) else f"//{label[match.end():]}"


def _is_public(labels, attribute):
    return any(label.get(attribute, "").endswith("//visibility:public") for label in labels)


def parse(text):
    """The rules in a query's XML output, by label."""
    rules = {}
    for element in xml.etree.ElementTree.fromstring(text):
        label = _plain(element.get("name", ""))
        if element.tag == "generated-file":
            rules[label] = Rule(label, "file", [_plain(element.get("generating-rule"))])
        if element.tag == "source-file" and label.endswith((":BUILD", ":BUILD.bazel")):
            # Who sees a BUILD file is who sees the package's targets where they do not say otherwise.
            rules[label] = Rule(label, "package", [], is_public=_is_public(element.findall("visibility-label"), "name"))
        if element.tag != "rule":
            continue
        own_outputs = {output.get("name") for output in element.findall("rule-output")}
        rule = Rule(label, element.get("class"), [])
        rule.edges = [_plain(i.get("name")) for i in element.findall("rule-input") if i.get("name") not in own_outputs]
        testonly = element.find("boolean[@name='testonly']")
        rule.is_testonly = testonly is not None and testonly.get("value") == "true" or rule.kind.endswith("_test")
        rule.is_public = _is_public(element.findall("list[@name='visibility']/label"), "value")
        rules[label] = rule
    return rules


def _finding(rule, name, message):
    return Finding(rule.label, 0, name, message)


def _top(package):
    return package.partition("/")[0]


def _is_below(package, folder):
    return package == folder or package.startswith(folder + "/")


def _layers(rule, rules):
    top = _top(rule.package)
    if not top:
        return  # The root's own targets.
    if top not in _ALLOWED:
        yield _finding(rule, "layer", f"the law has no place for the folder {top}/: add it to tools/lint/dependency_law.py")
        return
    for edge in rule.edges:
        package = package_of(edge)
        if package is None or not _top(package) or any(_is_below(package, folder) for folder in _BUILD_FOLDERS):
            continue
        other = _top(package)
        if other == "testing" and top != "testing":
            if not rule.is_testonly:
                yield _finding(rule, "product-needs-testing", f"is no test and depends on {edge}")
        elif other not in _ALLOWED[top]:
            yield _finding(rule, "layer", f"depends on {edge}: {top} may not use {other}")
        yield from _main(rule, edge, package, rules)


def _main(rule, edge, package, rules):
    """The daemon's binary may be run by tests and packed by a release; its libraries are linked by itself alone."""
    if not _is_below(package, _MAIN) or _is_below(rule.package, _MAIN):
        return
    target = rules.get(edge)
    is_binary = target is not None and target.kind == "cc_binary"
    if not is_binary:
        yield _finding(rule, "links-main", f"depends on {edge}; only {_MAIN} itself links its code")
    elif not rule.is_testonly and rule.kind != "alias" and not _is_below(rule.package, "tools"):
        yield _finding(rule, "links-main", f"depends on {edge}; only tests and tools run the daemon")


def _is_impure(label):
    package = package_of(label)
    if package is None:
        return label.startswith(_IMPURE_REPOSITORIES)
    return label not in _PURE_TARGETS and any(_is_below(package, folder) for folder in _IMPURE_FOLDERS)


def _impure_path(rule, rules):
    """The shortest way from `rule` to something impure, or None."""
    came_from = {rule.label: None}
    queue = collections.deque([rule.label])
    while queue:
        label = queue.popleft()
        if _is_impure(label):
            way = []
            while label is not None:
                way.append(label)
                label = came_from[label]
            return way[::-1]
        for edge in rules[label].edges if label in rules else ():
            if edge not in came_from:
                came_from[edge] = label
                queue.append(edge)
    return None


def check(rules):
    findings = []
    for rule in rules.values():
        if rule.package is None or rule.kind == "file":
            continue
        findings += _layers(rule, rules)
        if rule.is_public and _top(rule.package) != "third_party":
            findings.append(_finding(rule, "public", "is visible to everybody: name an audience of the root BUILD file"))
        if not rule.is_testonly and any(_is_below(rule.package, folder) for folder in _PURE):
            way = _impure_path(rule, rules)
            if way:
                findings.append(_finding(rule, "impure", "is in a pure package and reaches " + " -> ".join(way[1:])))
    return findings


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        rules = parse(file.read())
    path = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(os.path.realpath(__file__)), "allowed.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line if line.split("|")[0].strip() in RULES else "" for line in file.read().split("\n")]
    allowed = allow_list.AllowList("\n".join(lines), RULES)
    findings = sorted(allowed.filter(check(rules)) + allowed.findings(RULES))
    for finding in findings:
        print(finding)
    if not any(rule.package is not None for rule in rules.values()):
        print("dependency_law: the query names no target of this repository", file=sys.stderr)
        return 1
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
