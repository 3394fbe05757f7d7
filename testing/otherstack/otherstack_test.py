"""otherstack_test.py DAEMON: the daemon with a plugin, a driver and clients in Python, on the distribution's grpcio.

otherstack_test_restart is the same with a kill and a start once a plugin's devices have changed or a pod has some.
"""

import os
import shutil
import sys
import tempfile
import unittest

from daemon import Daemon
from device_plugin import DevicePlugin
from dra_driver import DraDriver
from manifests import CLAIM, DRIVER, LEARNER, RESOURCE, pod
import wire
from wire import control, pod_resources


class OtherStackTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="kcm.", dir="/tmp")  # paths of sockets are short
        self.addCleanup(shutil.rmtree, folder)
        claims = os.path.join(folder, "claims")
        os.mkdir(claims)
        with open(os.path.join(claims, "claim.yaml"), "w", encoding="utf-8") as file:
            file.write(CLAIM)
        self.daemon = Daemon(PROGRAM, folder, "--claim-manifest-path", claims)
        self.addCleanup(self.daemon.kill)
        self.daemon.start()

    def run_plugin(self):
        plugin = DevicePlugin(self.daemon.device_plugins, RESOURCE, ["a", "b", "c", "d"])
        self.addCleanup(plugin.stop)
        plugin.wait_for_registrations(1)
        self.daemon.wait_for_allocatable(RESOURCE, 4)
        return plugin

    def maybe_restart(self, allocatable):
        """In a restart twin (testing/harness/restart_twin.bzl): the plugin comes back by itself."""
        if "KUBELET_CM_RESTART_TWIN" not in os.environ:
            return
        print("restart twin: a restart", flush=True)
        self.daemon.kill()
        self.daemon.start()
        self.daemon.wait_for_allocatable(RESOURCE, allocatable)

    def test_a_pod_keeps_its_devices_when_the_daemon_is_killed_and_the_plugin_comes_back(self):
        plugin = self.run_plugin()
        admitted = self.daemon.admit(pod("web", 2))
        self.assertTrue(admitted.admitted, admitted.message)
        self.assertEqual(self.daemon.devices_by_pod(), {"web": ["a", "b"]})

        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.daemon.devices_by_pod(), {"web": ["a", "b"]})
        plugin.wait_for_registrations(2)
        self.assertEqual(plugin.lost_sockets, 1)
        self.daemon.wait_for_allocatable(RESOURCE, 4)
        self.assertEqual(dict(self.daemon.options("web-uid", "main").envs), {"OTHER_DEVICES": "a,b"})
        self.assertEqual(plugin.allocations, [["a", "b"]])

        # The plugin that came back is asked, and what the first pod holds is not given away again.
        admitted = self.daemon.admit(pod("more", 2))
        self.assertTrue(admitted.admitted, admitted.message)
        self.assertEqual(plugin.allocations, [["a", "b"], ["c", "d"]])

    def test_a_device_that_gets_ill_is_not_allocatable(self):
        plugin = self.run_plugin()
        plugin.set_health("b", "Unhealthy")
        self.daemon.wait_for_allocatable(RESOURCE, 3)
        self.maybe_restart(3)
        self.daemon.admit(pod("web", 2))
        self.assertEqual(plugin.allocations, [["a", "c"]])

    def test_an_agent_sees_what_pods_hold(self):
        self.run_plugin()
        self.daemon.admit(pod("web", 2))
        self.maybe_restart(4)
        listed = self.daemon.pod_resources(wire.LIST_POD_RESOURCES, pod_resources.ListPodResourcesRequest()).pod_resources
        held = [(pod.name, container.name, device.resource_name, list(device.device_ids))
                for pod in listed for container in pod.containers for device in container.devices]
        self.assertEqual(self.ids_of(held), [("web", "main", RESOURCE, "a"), ("web", "main", RESOURCE, "b")])
        one = self.daemon.pod_resources(
            wire.GET_POD_RESOURCES, pod_resources.GetPodResourcesRequest(pod_name="web", pod_namespace="default"))
        self.assertEqual(one.pod_resources, listed[0])
        all_devices = self.daemon.pod_resources(wire.GET_ALLOCATABLE, pod_resources.AllocatableResourcesRequest()).devices
        self.assertEqual(sorted(device_id for device in all_devices for device_id in device.device_ids), ["a", "b", "c", "d"])

    @staticmethod
    def ids_of(held):
        """A row for each device: how they are grouped is the daemon's choice."""
        return sorted((*row[:-1], device_id) for row in held for device_id in row[-1])

    def test_a_claim_is_prepared_and_unprepared_by_a_driver_that_was_found(self):
        driver = DraDriver(self.daemon.root, DRIVER)
        self.addCleanup(driver.stop)
        driver.wait_for_registrations(1)
        learner = control.PodReference(uid="learner-uid")
        admitted = self.daemon.admit(LEARNER)
        self.assertTrue(admitted.admitted, admitted.message)
        prepared = self.daemon.ask(wire.PREPARE_POD, control.PreparePodRequest(pod=learner))
        self.assertTrue(prepared.prepared, prepared.message)
        self.assertEqual(driver.prepared, ["claim-uid"])
        cdi_name = driver.cdi_name("claim-uid")
        self.assertEqual(self.daemon.options("learner-uid", "main").cdi_devices, [cdi_name])

        pods = self.daemon.pod_resources(wire.LIST_POD_RESOURCES, pod_resources.ListPodResourcesRequest()).pod_resources
        claim = pods[0].containers[0].dynamic_resources[0]
        self.assertEqual((claim.claim_namespace, claim.claim_name), ("default", "claim"))
        self.assertEqual([cdi.name for cdi in claim.claim_resources[0].cdi_devices], [cdi_name])

        # What is prepared stays so over a kill, and the driver, which did not end, is found again.
        self.daemon.kill()
        self.daemon.start()
        driver.wait_for_registrations(2)
        self.assertEqual(self.daemon.options("learner-uid", "main").cdi_devices, [cdi_name])
        removed = self.daemon.ask(wire.REMOVE_POD, control.RemovePodRequest(pod=learner))
        self.assertTrue(removed.removed, removed.message)
        self.assertEqual(driver.unprepared, ["claim-uid"])


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
