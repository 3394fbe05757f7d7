"""verbs_test.py CMCTL DAEMON PLUGIN DRIVER TESTDATA: every verb and output of cmctl on a node of programs.

What it printed lies in $TEST_UNDECLARED_OUTPUTS_DIR; a golden file that changes for a reason is replaced by that.
"""

import os
import re
import shutil
import sys
import tarfile
import tempfile
import unittest

from node import Node, PATIENCE

POD = """
apiVersion: v1
kind: Pod
metadata: {name: %(name)s, namespace: %(namespace)s, uid: %(name)s-uid}
spec:
  containers:
  - name: app
    resources: {limits: {example.com/widget: %(count)s}}
"""
TRAINER = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: default, uid: trainer-uid}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: gpu}]
  containers:
  - name: app
    resources: {claims: [{name: gpu}]}
"""
CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpu, namespace: default, uid: gpu-uid}
status:
  reservedFor: [{resource: pods, name: trainer, uid: trainer-uid}]
  allocation:
    devices:
      results: [{request: gpu, driver: fake.example.com, pool: node-1, device: gpu-0}]
"""
KINDS = ["devices", "resources", "plugins", "pods", "claims", "endpoints"]
FAKE = "<ROOT>/device-plugins/fake.sock"


class VerbsTest(unittest.TestCase):

    maxDiff = None

    def setUp(self):
        root = tempfile.mkdtemp(prefix="kcm.", dir="/tmp")  # paths of sockets are short
        self.addCleanup(shutil.rmtree, root)
        self.node = Node(PROGRAMS, root)
        self.addCleanup(self.node.stop)
        self.node.write("claims/claim.yaml", CLAIM)
        self.node.write("web.yaml", POD % {"name": "web", "namespace": "default", "count": 2})
        self.node.write("big.yaml", POD % {"name": "big", "namespace": "batch", "count": 9})
        self.node.write("trainer.yaml", TRAINER)

    def expect(self, name, *lines):
        """The transcript of the lines is what the golden file says."""
        self.expect_text(name, "".join(self.node.cmctl(line) for line in lines))

    def expect_text(self, name, transcript):
        folder = os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR", self.node.root)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(transcript)
        # So that one run says all that has changed.
        with self.subTest(name), open(os.path.join(TESTDATA, name), encoding="utf-8") as file:
            self.assertEqual(file.read(), transcript)

    def expect_gets(self, name, formats):
        self.expect(name, *[f"get {kind} -o {output}" for kind in KINDS for output in formats])

    def expect_bundle(self, name):
        """The files of the bundle are those of the golden file, and the secrets of plugins are in none of them."""
        with tarfile.open(self.node.path("bundle.tar.gz")) as bundle:
            files = {member.name.partition("/")[2]: bundle.extractfile(member).read() for member in bundle.getmembers()}
        self.assertEqual(os.stat(self.node.path("bundle.tar.gz")).st_mode & 0o777, 0o600)
        self.expect_text(name, "".join(file + "\n" for file in files))
        for file, content in files.items():
            # The value of the plugin's variable, as it is and as the state file has it.
            self.assertNotIn(b"dev-0,dev-1", content, file)
            self.assertNotIn(b"RkFLRV9ERVZJQ0VT", content, file)

    def start_all(self):
        self.node.start_daemon()
        plugin = self.node.start("plugin", "--resource", "example.com/widget", "--devices", "3", "--numa", "2",
                                 "--socket-dir", self.node.path("device-plugins"))
        self.node.wait_for(r"widget +3 +3 +0 +Connected", "get", "resources")
        self.node.start("driver", "--driver", "fake.example.com", "--socket-dir", self.node.path("plugins", "fake"),
                        "--registry", self.node.path("plugins_registry"))
        self.node.wait_for("fake.example.com +DRAPlugin +connected", "get", "plugins")
        return plugin

    def test_nobody_is_there(self):
        self.expect("nobody.txt", "get pods", "version", "version -o json", "describe pod web", "podres list",
                    "podres allocatable", "drain", "admit -f web.yaml", "admit -f none.yaml", f"plugin probe {FAKE}", "get pdos", "get pods --no-haders",
                    "bundle -o none/bundle.tar.gz --healthz-port 0", "bundle -o bundle.tar.gz --healthz-port 0")
        self.expect_bundle("nobody_bundle.txt")

    def test_a_node_with_nothing_on_it(self):
        self.node.start_daemon()
        self.expect_gets("empty.txt", ["table", "json", "name"])

    def test_a_node_with_pods(self):
        self.start_all()
        self.expect("admit.txt", "admit -f web.yaml", "admit -f big.yaml -o json", "admit -f trainer.yaml -o yaml",
                    "admit -f claims/claim.yaml", "prepare trainer", "start web app", "start web none",
                    "prepare pod/default/trainer", "prepare none")
        for output in ["table", "wide", "json", "yaml", "name"]:
            self.expect_gets(f"get_{output}.txt", [output])
        self.expect("get_one.txt", "get pods web", "get pods web-uid -o name", "-n batch get pods big --no-headers",
                    "get device/example.com/widget/dev-1", "get devices example.com/widget -o name",
                    "get claim/default/gpu -o name", "get endpoints none", "get pods default/big",
                    *[f"get events PodRefused -o {output}" for output in ["table", "wide", "json", "yaml", "name"]])
        self.expect("tell.txt", "describe pod web", "describe pod/batch/big", "describe claim gpu",
                    "describe resource example.com/widget", "describe plugin fake.example.com", "describe pod none",
                    "explain pod web", "explain pod batch/big", "explain pod web -o json", "explain pod web -o yaml",
                    "explain claim gpu", "explain resource example.com/widget", "explain resource example.com/none",
                    "explain claim none", "options web app", "options web app -o json --show-secrets",
                    "options trainer app -o yaml", "options web none", "version", "version -o json", "version -o yaml",
                    "claim forget gpu", "claim forget none")
        self.expect("podres.txt", *[f"podres {call} -o {output}" for call in ["list", "get web", "allocatable"]
                                    for output in ["table", "json", "yaml"]], "podres get none")
        self.expect("bundle.txt", "bundle -o bundle.tar.gz --healthz-port 0",
                    "bundle -o bundle.tar.gz --healthz-port 0")
        self.expect_bundle("bundle_files.txt")
        self.expect("leave.txt", "exit web app", "delete pod trainer", "delete pod/default/web", "delete pod none",
                    "delete pod --force batch/big", "get pods", "drain", "admit -f web.yaml")

    def test_plugins_are_called_without_a_daemon_between(self):
        self.start_all()
        driver = os.listdir(self.node.path("plugins", "fake"))[0]
        registration = os.listdir(self.node.path("plugins_registry"))[0]
        self.expect("plugin.txt", f"plugin probe {FAKE}", f"plugin probe {FAKE} -o json", f"plugin probe {FAKE} -o yaml",
                    f"plugin probe plugins/fake/{driver}", f"plugin probe plugins_registry/{registration}",
                    "plugin probe kubelet_cm.sock", "plugin probe pod-resources/kubelet.sock", "plugin probe web.yaml",
                    f"plugin call {FAKE} options", f"plugin call {FAKE} list", f"plugin call {FAKE} list -o json",
                    f"plugin call {FAKE} allocate dev-0", f"plugin call {FAKE} allocate dev-0 -o yaml --show-secrets",
                    f"plugin call {FAKE} prestart dev-0", f"plugin call {FAKE} preferred dev-0 dev-1 --size 1",
                    f"plugin call {FAKE} allocate")

    def test_every_list_is_watched_until_the_daemon_goes(self):
        self.start_all()
        self.node.cmctl("admit -f web.yaml")
        self.node.cmctl("admit -f trainer.yaml")
        self.node.cmctl("prepare trainer")
        watches = [self.node.watch("get", kind, "-o", "name") for kind in KINDS + ["events"]]
        self.assertEqual([first.split("/")[0] for _, first in watches],
                         ["device", "resource", "plugin", "pod", "claim", "endpoint", "event"])
        self.node.end(self.node.daemon)
        for process, _ in watches:
            _, errors = process.communicate(timeout=PATIENCE)
            self.assertIn(b"cmctl: the watch has ended", errors)
            self.assertEqual(process.returncode, 6)

    def test_every_verb_of_the_table_has_its_lines_here(self):
        script = self.node.cmctl("completion bash")
        verbs = set(re.findall(r'^ +"cmctl ([^"]+)"\) candidates', script, re.MULTILINE))
        leaves = {verb for verb in verbs if not any(other.startswith(verb + " ") for other in verbs)}
        with open(__file__, encoding="utf-8") as file:
            lines = file.read()
        for verb in sorted(leaves):
            if verb.startswith(("checkpoint ", "get ")):
                continue  # checkpoint has golden files of its own; get is run with each of KINDS
            self.assertRegex(lines, rf'["\'f]{verb}[ "]', "no line runs it")
        self.assertEqual({"get " + kind for kind in KINDS + ["events"]},
                         {verb for verb in leaves if verb.startswith("get ")})


if __name__ == "__main__":
    PROGRAMS = dict(zip(["cmctl", "daemon", "plugin", "driver"], map(os.path.abspath, sys.argv[1:5])))
    TESTDATA = os.path.abspath(sys.argv[5])
    unittest.main(argv=[sys.argv[0]])
