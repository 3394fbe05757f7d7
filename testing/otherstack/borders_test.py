"""borders_test.py DAEMON: what the daemon's program lets nobody do: its files and sockets are its user's, nothing of it
is on the network but pages to read, and plugins do not lead it out of its folders."""

import http.client
import os
import shutil
import stat
import sys
import tempfile
import unittest

import grpc

from daemon import Daemon
from device_plugin import DevicePlugin
from dra_driver import DraDriver
from ports import free_port
import wire
from wire import control, device_plugin, registration

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
PAGES = ["/healthz", "/readyz", "/metrics", "/configz", "/statusz", "/flagz"]


def network_sockets(process_id):
    """[(protocol, address, port)] of all sockets of the process that are on the network and have no other side."""
    own = set()
    for descriptor in os.listdir(f"/proc/{process_id}/fd"):
        try:
            target = os.readlink(f"/proc/{process_id}/fd/{descriptor}")
        except FileNotFoundError:
            continue  # closed since it was listed
        if target.startswith("socket:["):
            own.add(target[len("socket:["):-1])
    found = []
    for protocol in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"]:
        with open(f"/proc/{process_id}/net/{protocol}", encoding="ascii") as file:
            for row in file.read().splitlines()[1:]:
                fields = row.split()
                if fields[9] in own and fields[2].endswith(":0000"):
                    address, port = fields[1].split(":")
                    found.append((protocol, address, int(port, 16)))
    return found


class BordersTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kcm.", dir="/tmp")  # paths of sockets are short
        self.addCleanup(shutil.rmtree, self.folder)
        # The daemon inherits it: what it makes must not depend on it.
        self.addCleanup(os.umask, os.umask(0))

    def run_daemon(self, *flags):
        daemon = Daemon(PROGRAM, self.folder, *flags)
        self.addCleanup(daemon.kill)
        daemon.start()
        return daemon

    def run_plugin(self, daemon):
        plugin = DevicePlugin(daemon.device_plugins, RESOURCE, ["a", "b"])
        self.addCleanup(plugin.stop)
        plugin.wait_for_registrations(1)
        daemon.wait_for_allocatable(RESOURCE, 2)

    def test_what_it_makes_is_open_to_its_user_alone(self):
        daemon = self.run_daemon()
        self.run_plugin(daemon)
        self.assertTrue(daemon.admit(POD).admitted)
        allowed = {stat.S_IFDIR: {0o750}, stat.S_IFSOCK: {0o600, 0o660}, stat.S_IFREG: {0o600}}
        seen = set()
        paths = [daemon.root] + [os.path.join(folder, name) for folder, folders, files in os.walk(daemon.root)
                                 for name in folders + files]
        for path in paths:
            if os.path.basename(path) == "other.sock":
                continue  # the plugin's own
            mode = os.lstat(path).st_mode
            self.assertIn(stat.S_IMODE(mode), allowed[stat.S_IFMT(mode)], path)
            seen.add(os.path.relpath(path, daemon.root))
        self.assertLessEqual({"device-plugins", "plugins", "plugins_registry", "pod-resources", "kubelet_cm.sock",
                              "device-plugins/kubelet.sock", "pod-resources/kubelet.sock", "kubelet_cm/pods",
                              "device-plugins/kubelet_internal_checkpoint", "kubelet_cm.lock"}, seen)

    def test_without_pages_nothing_is_on_the_network(self):
        daemon = self.run_daemon()
        self.run_plugin(daemon)
        self.assertEqual(network_sockets(daemon.process_id), [])

    def test_pages_are_on_the_loopback_interface_and_change_nothing(self):
        port = free_port(self.folder)
        daemon = self.run_daemon("--healthz-port", str(port))
        self.run_plugin(daemon)
        self.assertTrue(daemon.admit(POD).admitted)
        self.assertEqual(network_sockets(daemon.process_id), [("tcp", "0100007F", port)])
        for page in PAGES + ["/", "/drain", "/kubeletcm.v1.Control/Drain"]:
            for method in ["POST", "PUT", "PATCH", "DELETE", "CONNECT"]:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=wire.DEADLINE_SECONDS)
                connection.request(method, page, body="{}")
                self.assertIn(connection.getresponse().status, [400, 404, 405, 501], f"{method} {page}")
                connection.close()
        self.assertEqual(daemon.devices_by_pod(), {"web": ["a"]})
        self.assertTrue(daemon.admit(POD).admitted)  # it is not being drained

    def test_a_device_plugin_does_not_lead_it_out_of_the_folder(self):
        daemon = self.run_daemon()
        asked = []
        server = wire.serve(os.path.join(self.folder, "outside.sock"),
                            {wire.GET_OPTIONS: lambda *_: asked.append(1) or device_plugin.DevicePluginOptions()})
        self.addCleanup(lambda: server.stop(None).wait())
        registry = os.path.join(daemon.device_plugins, "kubelet.sock")
        outside = self.folder + "/outside.sock"
        for endpoint in ["../../outside.sock", outside, "x/../../../outside.sock", "kubelet.sock", ".."]:
            request = device_plugin.RegisterRequest(version="v1beta1", endpoint=endpoint, resource_name=RESOURCE)
            with self.assertRaises(grpc.RpcError, msg=endpoint):
                wire.call_once(registry, wire.REGISTER, request)
        self.assertEqual(asked, [])
        self.assertFalse(daemon.ask(wire.NODE_RESOURCES, control.NodeResourcesRequest()).resources)

    def test_a_link_among_the_plugins_is_not_followed(self):
        daemon = self.run_daemon()
        asked = []
        outside = os.path.join(self.folder, "outside.sock")
        server = wire.serve(outside, {wire.GET_INFO: lambda *_: asked.append(1) or registration.PluginInfo()})
        self.addCleanup(lambda: server.stop(None).wait())
        os.symlink(outside, os.path.join(daemon.root, "plugins_registry", "link-reg.sock"))
        os.symlink(self.folder, os.path.join(daemon.root, "plugins_registry", "folder"))
        # Whoever comes later is found, so the links have been seen.
        driver = DraDriver(daemon.root, "other.example.com")
        self.addCleanup(driver.stop)
        driver.wait_for_registrations(1)
        self.assertEqual(asked, [])

    def test_an_endpoint_outside_is_refused_where_they_are_confined(self):
        elsewhere = os.path.join(self.folder, "elsewhere")
        daemon = self.run_daemon("--restrict-plugin-endpoints")
        driver = DraDriver(daemon.root, "other.example.com", elsewhere)
        self.addCleanup(driver.stop)
        told = driver.wait_for_answers(1)
        self.assertFalse(told.plugin_registered)
        self.assertIn("dra.sock", told.error)

    def test_an_endpoint_outside_is_taken_as_a_kubelet_takes_it_where_they_are_not(self):
        elsewhere = os.path.join(self.folder, "elsewhere")
        daemon = self.run_daemon()
        driver = DraDriver(daemon.root, "other.example.com", elsewhere)
        self.addCleanup(driver.stop)
        driver.wait_for_registrations(1)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
