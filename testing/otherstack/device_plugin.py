"""A device plugin as other people write them: it registers by itself, and again whenever the kubelet starts anew."""

import os
import threading

import wire
from folder_events import FolderEvents
from wire import device_plugin as api

_KUBELET = "kubelet.sock"


class DevicePlugin:
    """Thread-safe. What it was asked is in allocations, registrations and lost_sockets."""

    def __init__(self, folder, resource, device_ids):
        self.allocations = []  # of each Allocate, the devices of its one container
        self.registrations = 0
        self.lost_sockets = 0  # how often its socket was gone when the kubelet came back
        self._folder = folder
        self._resource = resource
        self._health = {device_id: "Healthy" for device_id in device_ids}
        self._socket = os.path.join(folder, "other.sock")
        self._changed = threading.Condition()
        self._hangs = False
        self._failure = None
        self._events = FolderEvents(folder)  # before it registers, so that no start of the kubelet is missed
        self._serve()
        self._follower = threading.Thread(target=self._follow)
        self._follower.start()

    def stop(self):
        with self._changed:
            self._hangs = False
            self._changed.notify_all()
        self._events.stop()
        self._follower.join()
        self._events.close()
        self._server.stop(None).wait()

    def set_health(self, device_id, health):
        with self._changed:
            self._health[device_id] = health
            self._changed.notify_all()

    def hang(self):
        """From now on Allocate is not answered, until the plugin stops."""
        with self._changed:
            self._hangs = True

    def wait_for_allocations(self, count):
        with self._changed:
            self._changed.wait_for(lambda: len(self.allocations) >= count, wire.DEADLINE_SECONDS)
            assert len(self.allocations) >= count, f"{len(self.allocations)} calls of Allocate, not {count}"

    def wait_for_registrations(self, count):
        with self._changed:
            self._changed.wait_for(lambda: self._failure or self.registrations >= count, wire.DEADLINE_SECONDS)
            if self._failure:
                raise self._failure
            assert self.registrations >= count, f"{self.registrations} registrations, not {count}"

    # --- Its life beside the kubelet's.

    def _follow(self):
        try:
            self._register()
            for name in self._events:
                if name == _KUBELET:
                    self._renew()
        except Exception as failure:  # pylint: disable=broad-except  (whoever waits is told)
            with self._changed:
                self._failure = failure
                self._changed.notify_all()

    def _renew(self):
        # A kubelet that starts removes the sockets of plugins: whoever still listens there is not heard any more.
        if not os.path.exists(self._socket):
            self._server.stop(None).wait()
            self._serve()
            with self._changed:
                self.lost_sockets += 1
        self._register()

    def _serve(self):
        self._server = wire.serve(self._socket, {
            wire.GET_OPTIONS: lambda request, context: api.DevicePluginOptions(),
            wire.LIST_AND_WATCH: self._list_and_watch,
            wire.ALLOCATE: self._allocate,
        })

    def _register(self):
        request = api.RegisterRequest(version="v1beta1", endpoint=os.path.basename(self._socket),
                                      resource_name=self._resource)
        wire.call_once(os.path.join(self._folder, _KUBELET), wire.REGISTER, request)
        with self._changed:
            self.registrations += 1
            self._changed.notify_all()

    # --- What it serves.

    def _list_and_watch(self, _, context):
        sent = None
        context.add_callback(self._wake)
        while context.is_active():
            with self._changed:
                self._changed.wait_for(lambda: not context.is_active() or self._health != sent)  # pylint: disable=cell-var-from-loop
                sent = dict(self._health)
            yield api.ListAndWatchResponse(
                devices=[api.Device(ID=device_id, health=health) for device_id, health in sent.items()])

    def _wake(self):
        with self._changed:
            self._changed.notify_all()

    def _allocate(self, request, _):
        response = api.AllocateResponse()
        for container in request.container_requests:
            with self._changed:
                self.allocations.append(list(container.devices_ids))
                self._changed.notify_all()
                self._changed.wait_for(lambda: not self._hangs)
            response.container_responses.add(envs={"OTHER_DEVICES": ",".join(container.devices_ids)})
        return response
