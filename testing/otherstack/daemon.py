"""The daemon's program on a folder of its own, and what it is asked through its sockets."""

import os
import queue
import subprocess
import threading

import grpc

import wire
from wire import control

_LAST_OF_START = "Try, in another terminal:\n"


class Daemon:
    """One thread steers it. What it logs is in the test's output."""

    def __init__(self, program, folder, *flags):
        self.root = os.path.join(folder, "state")
        self.device_plugins = os.path.join(self.root, "device-plugins")
        self._command = [program, "--root-dir", self.root, "--healthz-port", "0", *flags]
        self._process = None
        self._channel = None

    def start(self):
        """Returns when it is ready."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        lines = queue.Queue()
        self._reader = threading.Thread(target=self._read_to_end, args=(self._process.stdout, lines))
        self._reader.start()
        line = None
        while line != _LAST_OF_START:
            line = lines.get(timeout=wire.DEADLINE_SECONDS)
            assert line, "the daemon ended before it was ready"
        self._channel = grpc.insecure_channel("unix:" + os.path.join(self.root, "kubelet_cm.sock"))

    def run(self):
        """Its exit code, of a start that fails."""
        return subprocess.run(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              timeout=wire.DEADLINE_SECONDS, check=False).returncode

    def stop(self):
        """As a service manager ends it; its exit code."""
        self._process.terminate()
        code = self._process.wait(wire.DEADLINE_SECONDS)
        self.kill()
        return code

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        if self._channel:
            self._channel.close()

    @property
    def process_id(self):
        return self._process.pid

    def process_status(self):
        """{key: value} of /proc/PID/status."""
        with open(f"/proc/{self._process.pid}/status", encoding="utf-8") as file:
            return {key: value.strip() for key, _, value in (line.partition(":") for line in file)}

    # --- The control API.

    def ask(self, method, request):
        return wire.call(self._channel, method, request)

    def admit(self, manifest):
        return self.ask(wire.ADMIT_POD, control.AdmitPodRequest(manifest=manifest.encode()))

    def devices_by_pod(self):
        """{name of a pod: its devices' ids}"""
        return {
            view.pod.name: [device.device_id for container in view.containers for device in container.devices]
            for view in self.ask(wire.LIST_PODS, control.ListPodsRequest()).pods
        }

    def options(self, uid, container):
        return self.ask(wire.CONTAINER_OPTIONS,
                        control.ContainerOptionsRequest(pod=control.PodReference(uid=uid), container=container))

    def wait_for_allocatable(self, resource, count):
        """Looks once for each event on the node, those of before included."""
        events = self.ask(wire.WATCH, control.WatchRequest(from_start=True))
        for _ in events:
            resources = self.ask(wire.NODE_RESOURCES, control.NodeResourcesRequest()).resources
            if any(r.name == resource and r.connected and r.allocatable == count for r in resources):
                break
        events.cancel()

    # --- The pod resources API.

    def pod_resources(self, method, request):
        return wire.call_once(os.path.join(self.root, "pod-resources", "kubelet.sock"), method, request)

    @staticmethod
    def _read_to_end(stream, lines):
        with stream:
            for line in stream:
                lines.put(line)
        lines.put("")
