"""life_test.py DAEMON: the daemon's program as a service manager, a monitoring system and an operator see it."""

import concurrent.futures
import http.client
import os
import re
import shutil
import socket
import sys
import tempfile
import time
import unittest

import grpc

from daemon import Daemon
from device_plugin import DevicePlugin
from dra_driver import DraDriver
from manifests import CLAIM, DRIVER, LEARNER, RESOURCE, pod
from ports import free_port
import wire
from wire import control, pod_resources

WEB = pod("web", 1)
STOP_SECONDS = 2
WATCHERS = 24
# How long what was measured took.
TIMES = re.compile(r'(_sum(?:{.*})?|_bucket{.*le="[^+"]+"}) \S+$', re.MULTILINE)


def seconds_lost():
    """For how long in all somebody has waited for a processor or the disk since the machine started: under load that is
    the others' doing. Nothing where the kernel does not say."""
    lost = 0
    for resource in ["cpu", "io"]:
        try:
            with open("/proc/pressure/" + resource, encoding="ascii") as file:
                lost += int(re.search(r"^some .*total=(\d+)", file.read(), re.MULTILINE).group(1)) / 1e6
        except OSError:
            return None
    return lost


class LifeTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kcm.", dir="/tmp")  # paths of sockets are short
        self.addCleanup(shutil.rmtree, self.folder)

    def run_daemon(self, *flags):
        daemon = Daemon(PROGRAM, self.folder, *flags)
        self.addCleanup(daemon.kill)
        daemon.start()
        return daemon

    def set_environment(self, **variables):
        for name, value in variables.items():
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name)

    def run_plugin(self, daemon, device_ids):
        plugin = DevicePlugin(daemon.device_plugins, RESOURCE, device_ids)
        self.addCleanup(plugin.stop)
        plugin.wait_for_registrations(1)
        daemon.wait_for_allocatable(RESOURCE, len(device_ids))
        return plugin

    def get(self, port, page):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=wire.DEADLINE_SECONDS)
        self.addCleanup(connection.close)
        connection.request("GET", page)
        response = connection.getresponse()
        return response.status, response.read().decode()

    def test_systemd_is_told_of_its_life(self):
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        manager.bind(os.path.join(self.folder, "notify.sock"))
        manager.settimeout(wire.DEADLINE_SECONDS)
        self.set_environment(NOTIFY_SOCKET=manager.getsockname(), WATCHDOG_USEC="1000000")
        daemon = self.run_daemon()
        heard = []
        while len([word for word in heard if "WATCHDOG=1" in word]) < 3:
            heard.append(manager.recv(4096).decode())
        self.assertIn("READY=1", heard[0])
        self.assertEqual(daemon.stop(), 0)
        while "STOPPING=1" not in heard[-1]:
            heard.append(manager.recv(4096).decode())

    def test_a_stop_leaves_no_socket_and_what_was_admitted(self):
        daemon = self.run_daemon()
        self.run_plugin(daemon, ["a", "b"])
        self.assertTrue(daemon.admit(WEB).admitted)
        self.assertEqual(daemon.stop(), 0)
        left = [name for _, _, files in os.walk(daemon.root) for name in files if name.endswith(".sock")]
        self.assertEqual(left, ["other.sock"])  # the plugin's own
        daemon.start()
        self.assertEqual(daemon.devices_by_pod(), {"web": ["a"]})

    def test_a_port_that_is_taken_is_a_failure_and_no_other_daemon(self):
        with socket.create_server(("127.0.0.1", free_port(self.folder))) as taken:
            daemon = Daemon(PROGRAM, self.folder, "--healthz-port", str(taken.getsockname()[1]))
            self.assertEqual(daemon.run(), 1)

    def test_a_socket_on_which_nobody_answers_makes_it_unhealthy(self):
        port = free_port(self.folder)
        daemon = self.run_daemon("--healthz-port", str(port))
        self.assertEqual(self.get(port, "/healthz"), (200, "ok"))
        status, text = self.get(port, "/healthz?verbose")
        self.assertEqual(status, 200)
        for check in ["registration-socket", "pod-resources-socket", "control-socket"]:
            self.assertIn(f"[+]{check} ok", text)
        os.remove(os.path.join(daemon.root, "pod-resources", "kubelet.sock"))
        status, text = self.get(port, "/healthz")
        self.assertEqual(status, 500)
        self.assertIn("[-]pod-resources-socket failed", text)
        self.assertIn("[+]control-socket ok", text)

    def test_every_page_answers(self):
        port = free_port(self.folder)
        self.run_daemon("--healthz-port", str(port))
        for page, part in [("/healthz", "ok"), ("/readyz", "ok"), ("/livez", None), ("/metrics", "# HELP "),
                           ("/configz", '"kind":"KubeletConfiguration"'), ("/statusz", "emulated kubelet: latest"),
                           ("/flagz", f"healthz-port={port}")]:
            with self.subTest(page):
                status, text = self.get(port, page)
                self.assertEqual(status, 404 if part is None else 200)
                self.assertIn(part or "", text)

    def test_a_stop_does_not_wait_for_plugins_that_hang_nor_for_watchers(self):
        daemon = self.run_daemon()
        plugin = self.run_plugin(daemon, ["a", "b", "c"])
        plugin.hang()
        watches = [daemon.ask(wire.WATCH, control.WatchRequest(from_start=True)) for _ in range(WATCHERS)]
        for watch in watches:
            next(watch)  # it is there
        with concurrent.futures.ThreadPoolExecutor() as pool:
            admissions = [pool.submit(daemon.admit, pod(name, 1)) for name in ["web", "db", "mail"]]
            plugin.wait_for_allocations(3)
            lost = seconds_lost()
            begin = time.monotonic()
            self.assertEqual(daemon.stop(), 0)
            took = time.monotonic() - begin
        grace = wire.DEADLINE_SECONDS if lost is None else seconds_lost() - lost
        self.assertLess(took, STOP_SECONDS + grace)
        for admission in admissions:
            self.assertTrue(admission.exception() or not admission.result().admitted)
        for watch in watches:
            self.assertRaises(grpc.RpcError, list, watch)

    def test_metrics_have_a_kubelets_names_and_help_texts(self):
        claims = os.path.join(self.folder, "claims")
        os.mkdir(claims)
        with open(os.path.join(claims, "claim.yaml"), "w", encoding="utf-8") as file:
            file.write(CLAIM)
        port = free_port(self.folder)
        daemon = self.run_daemon("--healthz-port", str(port), "--claim-manifest-path", claims)
        self.run_plugin(daemon, ["a", "b"])
        driver = DraDriver(daemon.root, DRIVER)
        self.addCleanup(driver.stop)
        driver.wait_for_registrations(1)
        self.assertTrue(daemon.admit(WEB).admitted)
        self.assertFalse(daemon.admit(pod("big", 2)).admitted)
        self.assertTrue(daemon.admit(LEARNER).admitted)
        learner = control.PodReference(uid="learner-uid")
        self.assertTrue(daemon.ask(wire.PREPARE_POD, control.PreparePodRequest(pod=learner)).prepared)
        for name in ["web", "none"]:
            self.ask_pod_resources(daemon, wire.GET_POD_RESOURCES,
                                   pod_resources.GetPodResourcesRequest(pod_name=name, pod_namespace="default"))
        self.ask_pod_resources(daemon, wire.LIST_POD_RESOURCES, pod_resources.ListPodResourcesRequest())
        self.ask_pod_resources(daemon, wire.GET_ALLOCATABLE, pod_resources.AllocatableResourcesRequest())
        status, text = self.get(port, "/metrics")
        self.assertEqual(status, 200)
        self.expect_golden("metrics.txt", TIMES.sub(r"\1 <TIME>", text.replace(daemon.root, "<ROOT>")))

    @staticmethod
    def ask_pod_resources(daemon, method, request):
        try:
            daemon.pod_resources(method, request)
        except grpc.RpcError:
            pass  # it is counted

    def expect_golden(self, name, text):
        """What it was instead lies in the test's outputs: a golden file that changes for a reason is replaced by that."""
        folder = os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR", self.folder)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        self.maxDiff = None
        with open(os.path.join(os.path.dirname(__file__), "testdata", name), encoding="utf-8") as file:
            self.assertEqual(file.read(), text)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
