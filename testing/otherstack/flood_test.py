"""flood_test.py DAEMON: the daemon's program under those who want too much of it. It lives, its memory stays in bounds, and
others are served meanwhile and afterwards."""

import os
import resource
import shutil
import socket
import struct
import sys
import tempfile
import unittest

import grpc

from daemon import Daemon
from device_plugin import DevicePlugin
import wire
from wire import control, device_plugin, pod_resources

RESOURCE = "example.com/other"
POD = """
apiVersion: v1
kind: Pod
metadata: {name: %(name)s, uid: %(name)s-uid}
spec:
  containers: [{name: main}]
"""
CONNECTIONS = 10_000
# What the daemon may open: less than there will be connections.
DAEMONS_DESCRIPTORS = 4096
MOST_RESIDENT_MB = 400
MOST_THREADS = 400


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    # It waits while the daemon is busy with others, but not for ever.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", wire.DEADLINE_SECONDS, 0))
    connection.connect(path)
    return connection


class FloodTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="kcm.", dir="/tmp")  # paths of sockets are short
        self.addCleanup(shutil.rmtree, folder)
        self.daemon = Daemon(PROGRAM, folder)
        self.addCleanup(self.daemon.kill)
        self.daemon.start()
        resource.prlimit(self.daemon.process_id, resource.RLIMIT_NOFILE, (DAEMONS_DESCRIPTORS, DAEMONS_DESCRIPTORS))
        self.sockets = {
            wire.LIST_POD_RESOURCES: os.path.join(self.daemon.root, "pod-resources", "kubelet.sock"),
            wire.REGISTER: os.path.join(self.daemon.device_plugins, "kubelet.sock"),
            wire.LIST_PODS: os.path.join(self.daemon.root, "kubelet_cm.sock"),
        }

    def assert_in_bounds(self):
        status = self.daemon.process_status()
        self.assertLess(int(status["VmRSS"].split()[0]) // 1024, MOST_RESIDENT_MB)
        self.assertLess(int(status["Threads"]), MOST_THREADS)

    def assert_all_served(self):
        self.assertEqual(self.daemon.devices_by_pod(), {})
        self.daemon.pod_resources(wire.LIST_POD_RESOURCES, pod_resources.ListPodResourcesRequest())
        plugin = DevicePlugin(self.daemon.device_plugins, RESOURCE, ["a", "b"])
        try:
            plugin.wait_for_registrations(1)
            self.daemon.wait_for_allocatable(RESOURCE, 2)
        finally:
            plugin.stop()
        self.assert_in_bounds()

    def test_ten_thousand_connections_to_each_socket(self):
        self.assertEqual(self.daemon.devices_by_pod(), {})
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        for path in self.sockets.values():
            flood = [connect(path) for _ in range(min(CONNECTIONS, most - 500))]
            self.assertEqual(self.daemon.devices_by_pod(), {})
            self.assert_in_bounds()
            if path != self.sockets[wire.LIST_PODS]:
                wire.call_once(self.sockets[wire.LIST_PODS], wire.LIST_PODS, control.ListPodsRequest())
            for connection in flood:
                connection.close()
            self.assert_all_served()

    def test_registering_in_a_loop(self):
        with grpc.insecure_channel("unix:" + self.sockets[wire.REGISTER]) as channel:
            register = channel.unary_unary(wire.REGISTER.path, request_serializer=wire.REGISTER.request.SerializeToString,
                                           response_deserializer=wire.REGISTER.response.FromString)
            calls = [
                register.future(device_plugin.RegisterRequest(version="v1beta1", endpoint=f"nobody-{i}.sock",
                                                              resource_name=f"example.com/r{i}"),
                                timeout=4 * wire.DEADLINE_SECONDS) for i in range(5000)
            ]
            self.assertEqual(self.daemon.devices_by_pod(), {})
            self.assert_in_bounds()
            for call in calls:
                self.assertIsNotNone(call.exception())
        self.assert_all_served()

    def test_streams_that_nobody_reads(self):
        watches = [self.daemon.ask(wire.WATCH, control.WatchRequest(from_start=True)) for _ in range(500)]
        for i in range(200):
            self.daemon.admit(POD % {"name": f"pod-{i}"})
            self.daemon.ask(wire.REMOVE_POD, control.RemovePodRequest(pod=control.PodReference(uid=f"pod-{i}-uid")))
        self.assert_in_bounds()
        for watch in watches:
            watch.cancel()
        self.assert_all_served()


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
