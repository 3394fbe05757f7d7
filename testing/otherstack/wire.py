"""The methods by their paths on the wire, written out as a plugin in another language has them, and calls by them.

A method that this project's .proto files named otherwise than Kubernetes does would not be found here.
"""

import collections
import concurrent.futures
import typing

import grpc

from common.pluginregistration import pluginregistration_pb2 as registration
from deviceplugin.api import v1beta1_pb2 as device_plugin
from dra.api import v1_pb2 as dra
from kubelet_cm.api import control_pb2 as control
from kubelet_cm.podresources.api import v1_pb2 as pod_resources

# No test waits longer for anything.
DEADLINE_SECONDS = 30


class Method(typing.NamedTuple):
    path: str
    request: type
    response: type
    streams: bool = False  # the response


REGISTER = Method("/v1beta1.Registration/Register", device_plugin.RegisterRequest, device_plugin.Empty)
GET_OPTIONS = Method("/v1beta1.DevicePlugin/GetDevicePluginOptions", device_plugin.Empty, device_plugin.DevicePluginOptions)
LIST_AND_WATCH = Method("/v1beta1.DevicePlugin/ListAndWatch", device_plugin.Empty, device_plugin.ListAndWatchResponse, True)
ALLOCATE = Method("/v1beta1.DevicePlugin/Allocate", device_plugin.AllocateRequest, device_plugin.AllocateResponse)

GET_INFO = Method("/pluginregistration.Registration/GetInfo", registration.InfoRequest, registration.PluginInfo)
NOTIFY = Method("/pluginregistration.Registration/NotifyRegistrationStatus", registration.RegistrationStatus,
                registration.RegistrationStatusResponse)

_DRA = "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/"
NODE_PREPARE = Method(_DRA + "NodePrepareResources", dra.NodePrepareResourcesRequest, dra.NodePrepareResourcesResponse)
NODE_UNPREPARE = Method(_DRA + "NodeUnprepareResources", dra.NodeUnprepareResourcesRequest,
                        dra.NodeUnprepareResourcesResponse)

LIST_POD_RESOURCES = Method("/v1.PodResourcesLister/List", pod_resources.ListPodResourcesRequest,
                            pod_resources.ListPodResourcesResponse)
GET_POD_RESOURCES = Method("/v1.PodResourcesLister/Get", pod_resources.GetPodResourcesRequest,
                           pod_resources.GetPodResourcesResponse)
GET_ALLOCATABLE = Method("/v1.PodResourcesLister/GetAllocatableResources", pod_resources.AllocatableResourcesRequest,
                         pod_resources.AllocatableResourcesResponse)

_CONTROL = "/kubeletcm.v1.Control/"
ADMIT_POD = Method(_CONTROL + "AdmitPod", control.AdmitPodRequest, control.AdmitPodResponse)
PREPARE_POD = Method(_CONTROL + "PreparePod", control.PreparePodRequest, control.PreparePodResponse)
CONTAINER_OPTIONS = Method(_CONTROL + "ContainerOptions", control.ContainerOptionsRequest, control.ContainerOptionsResponse)
REMOVE_POD = Method(_CONTROL + "RemovePod", control.RemovePodRequest, control.RemovePodResponse)
LIST_PODS = Method(_CONTROL + "ListPods", control.ListPodsRequest, control.ListPodsResponse)
NODE_RESOURCES = Method(_CONTROL + "NodeResources", control.NodeResourcesRequest, control.NodeResourcesResponse)
WATCH = Method(_CONTROL + "Watch", control.WatchRequest, control.Event, True)


def call(channel, method, request):
    """The response, or the stream of responses. Waits for a socket on which nobody listens yet."""
    make = channel.unary_stream if method.streams else channel.unary_unary
    stub = make(method.path, request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString)
    return stub(request, timeout=DEADLINE_SECONDS, wait_for_ready=True)


def call_once(socket_path, method, request):
    with grpc.insecure_channel("unix:" + socket_path) as channel:
        return call(channel, method, request)


def serve(socket_path, answers):
    """A started server; `answers` has a function of (request, context) for each method, a generator where it streams."""
    services = collections.defaultdict(dict)
    for method, answer in answers.items():
        _, service, name = method.path.split("/")
        make = grpc.unary_stream_rpc_method_handler if method.streams else grpc.unary_unary_rpc_method_handler
        services[service][name] = make(answer, request_deserializer=method.request.FromString,
                                       response_serializer=method.response.SerializeToString)
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=8))
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler(service, handlers) for service, handlers in services.items()])
    server.add_insecure_port("unix:" + socket_path)
    server.start()
    return server
