"""A DRA driver as other people write them: found by its socket in the registry folder, it serves the DRA API v1."""

import os
import threading

import wire
from wire import dra as api
from wire import registration


class DraDriver:
    """Thread-safe. `prepared` and `unprepared` are the uids of the claims that it was asked for, in order."""

    def __init__(self, root, name, plugins=None):
        """Its own socket is below `plugins`, or where the root folder has those."""
        self.prepared = []
        self.unprepared = []
        self._name = name
        self._told = []  # how its registrations went
        self._changed = threading.Condition()
        folder = os.path.join(plugins or os.path.join(root, "plugins"), name)
        os.makedirs(folder, exist_ok=True)
        self._socket = os.path.join(folder, "dra.sock")
        self._servers = [
            wire.serve(self._socket, {
                wire.NODE_PREPARE: self._prepare,
                wire.NODE_UNPREPARE: self._unprepare
            }),
            # Last: whoever finds it calls at once.
            wire.serve(os.path.join(root, "plugins_registry", name + "-reg.sock"), {
                wire.GET_INFO: self._info,
                wire.NOTIFY: self._notify
            }),
        ]

    def stop(self):
        for server in reversed(self._servers):
            server.stop(None).wait()

    def wait_for_registrations(self, count):
        told = self.wait_for_answers(count)
        assert told.plugin_registered, told.error

    def wait_for_answers(self, count):
        """The last word on how its registration went, of so many."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._told) >= count, wire.DEADLINE_SECONDS)
            assert len(self._told) >= count, f"the driver was found {len(self._told)} times, not {count}"
            return self._told[-1]

    @staticmethod
    def cdi_name(uid):
        return f"other.example.com/gpu={uid}"

    def _info(self, *_):
        return registration.PluginInfo(type="DRAPlugin", name=self._name, endpoint=self._socket,
                                       supported_versions=["v1.DRAPlugin"])

    def _notify(self, status, _):
        with self._changed:
            self._told.append(status)
            self._changed.notify_all()
        return registration.RegistrationStatusResponse()

    def _prepare(self, request, _):
        response = api.NodePrepareResourcesResponse()
        for claim in request.claims:
            self.prepared.append(claim.uid)
            response.claims[claim.uid].devices.add(request_names=["gpu"], pool_name="pool", device_name="dev-0",
                                                   cdi_device_ids=[self.cdi_name(claim.uid)])
        return response

    def _unprepare(self, request, _):
        response = api.NodeUnprepareResourcesResponse()
        for claim in request.claims:
            self.unprepared.append(claim.uid)
            response.claims[claim.uid].SetInParent()
        return response
