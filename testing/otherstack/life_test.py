"""life_test.py DAEMON: the daemon's program as a service manager, a monitoring system and an operator see it."""

import http.client
import os
import re
import shutil
import socket
import sys
import tempfile
import unittest

from daemon import Daemon
from device_plugin import DevicePlugin
from ports import free_port
import wire

RESOURCE = "example.com/other"
POD = """
apiVersion: v1
kind: Pod
metadata: {name: web, uid: web-uid}
spec:
  containers:
  - name: main
    resources: {limits: {example.com/other: 1}}
"""
# What a kubelet calls them.
KUBELETS_METRICS = {
    "dra_resource_claims_in_use",
    "kubelet_device_plugin_alloc_duration_seconds",
    "kubelet_device_plugin_registration_total",
    "kubelet_pod_resources_endpoint_requests_get",
    "kubelet_pod_resources_endpoint_requests_get_allocatable",
    "kubelet_pod_resources_endpoint_requests_list",
    "kubelet_pod_resources_endpoint_requests_total",
    "kubelet_topology_manager_admission_duration_ms",
    "kubelet_topology_manager_admission_errors_total",
    "kubelet_topology_manager_admission_requests_total",
    "plugin_manager_total_plugins",
}


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
        plugin = DevicePlugin(daemon.device_plugins, RESOURCE, ["a", "b"])
        self.addCleanup(plugin.stop)
        plugin.wait_for_registrations(1)
        daemon.wait_for_allocatable(RESOURCE, 2)
        self.assertTrue(daemon.admit(POD).admitted)
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

    def test_metrics_have_a_kubelets_names_or_its_own(self):
        port = free_port(self.folder)
        daemon = self.run_daemon("--healthz-port", str(port))
        plugin = DevicePlugin(daemon.device_plugins, RESOURCE, ["a", "b"])
        self.addCleanup(plugin.stop)
        plugin.wait_for_registrations(1)
        daemon.wait_for_allocatable(RESOURCE, 2)
        self.assertTrue(daemon.admit(POD).admitted)
        daemon.devices_by_pod()
        status, text = self.get(port, "/metrics")
        self.assertEqual(status, 200)
        names = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))
        self.assertLessEqual({"kubelet_device_plugin_registration_total", "kubelet_device_plugin_alloc_duration_seconds"},
                             names)
        self.assertEqual({name for name in names - KUBELETS_METRICS if not name.startswith("kubelet_cm_")}, set())


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
