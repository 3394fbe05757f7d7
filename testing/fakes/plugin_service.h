// The device plugin services of a fake, one per API, in front of a ScriptedPlugin. Handlers run on gRPC's threads;
// those that wait, in a script or for new devices, return when the session is closed: what the kubelet has given up
// keeps its thread until then.
#ifndef KUBELET_CM_TESTING_FAKES_PLUGIN_SERVICE_H_
#define KUBELET_CM_TESTING_FAKES_PLUGIN_SERVICE_H_

#include <memory>

#include "deviceplugin/api/plugin_api.h"
#include "grpcpp/impl/service_type.h"
#include "testing/fakes/scripted_plugin.h"

namespace kubelet_cm::fakes {

// `plugin` outlives the service.
std::unique_ptr<grpc::Service> NewPluginService(deviceplugin::PluginApi api, ScriptedPlugin& plugin,
                                                ScriptedPlugin::SessionId session);

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_PLUGIN_SERVICE_H_
