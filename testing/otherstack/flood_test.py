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
MOST_THREADS = 500


class Http2:
    """Just enough of HTTP/2 to send one call's message for as long as the other side takes it."""

    _DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
    _ACK, _END_HEADERS = 1, 4
    _FRAME_BYTES = 16384

    def __init__(self, path):
        self._socket = connect(path)
        self._socket.settimeout(4 * wire.DEADLINE_SECONDS)
        self._windows = {0: 65535, 1: 65535}
        self._ended = False
        self._socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + self._frame(self._SETTINGS, 0, 0, b""))

    def begin(self, path):
        fields = ((":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
                  ("content-type", "application/grpc"), ("te", "trailers"))
        block = b"".join(b"\0" + self._text(name) + self._text(value) for name, value in fields)
        self._socket.sendall(self._frame(self._HEADERS, self._END_HEADERS, 1, block))

    def send(self, data):
        """How much of it was sent when the call, or the connection, was ended by the other side, or all of it was sent."""
        sent = 0
        try:
            while sent < len(data) and not self._ended:
                part = data[sent:sent + min(self._FRAME_BYTES, *self._windows.values())]
                if part:
                    self._socket.sendall(self._frame(self._DATA, 0, 1, part))
                    sent += len(part)
                    for stream in self._windows:
                        self._windows[stream] -= len(part)
                else:
                    self._read_frame()
        except ConnectionError:
            self._ended = True
        return sent

    def has_ended(self):
        """Waits for the end."""
        while not self._ended:
            self._read_frame()
        return self._ended

    def close(self):
        self._socket.close()

    def _read_frame(self):
        head = self._read(9)
        if len(head) < 9:
            self._ended = True
            return
        payload = self._read(int.from_bytes(head[:3], "big"))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        if kind == self._GOAWAY or (stream == 1 and kind in (self._HEADERS, self._RST_STREAM)):
            self._ended = True
        elif kind == self._WINDOW_UPDATE:
            self._windows[stream] += int.from_bytes(payload, "big")
        elif kind == self._PING and not flags & self._ACK:
            self._socket.sendall(self._frame(self._PING, self._ACK, 0, payload))
        elif kind == self._SETTINGS and not flags & self._ACK:
            for name, value in struct.iter_unpack(">HI", payload):
                if name == 4:  # the first window of a stream
                    self._windows[1] += value - 65535
            self._socket.sendall(self._frame(self._SETTINGS, self._ACK, 0, b""))

    def _read(self, length):
        data = b""
        while len(data) < length:
            part = self._socket.recv(length - len(data))
            if not part:
                return data
            data += part
        return data

    @staticmethod
    def _text(text):
        return bytes([len(text)]) + text.encode()

    @staticmethod
    def _frame(kind, flags, stream, payload):
        return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


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


    def test_a_message_of_a_gibibyte(self):
        for method, path in self.sockets.items():
            client = Http2(path)
            client.begin(method.path)
            client.send(b"\0" + (1 << 30).to_bytes(4, "big"))
            piece = bytes(1 << 20)
            for _ in range(1 << 10):
                if client.send(piece) < len(piece):
                    break
                self.assert_in_bounds()
            self.assertTrue(client.has_ended())
            client.close()
        self.assert_all_served()


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
