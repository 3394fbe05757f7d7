// The gRPC services of a fake DRA driver, one per API, and the plugin registration, in front of a ScriptedDriver.
// Handlers run on gRPC's threads; those that wait in a script return when the session is closed.
#ifndef KUBELET_CM_TESTING_FAKES_DRIVER_SERVICE_H_
#define KUBELET_CM_TESTING_FAKES_DRIVER_SERVICE_H_

#include <functional>
#include <memory>

#include "common/pluginregistration/pluginregistration.pb.h"
#include "dra/api/dra_api.h"
#include "grpcpp/impl/service_type.h"
#include "testing/fakes/model_feed.h"
#include "testing/fakes/scripted_driver.h"

namespace kubelet_cm::fakes {

// `driver` outlives the service, and so does `models`: what a driver of v1alpha3 says that it has; null: it does not
// know that method, as others do not.
std::unique_ptr<grpc::Service> NewDriverService(dra::DraApi api, ScriptedDriver& driver,
                                                ScriptedDriver::SessionId session, ModelFeed* models = nullptr);

// Answers GetInfo with `info`; `registered` is told of each kubelet that says it has registered the driver.
std::unique_ptr<grpc::Service> NewDriverRegistration(
    ::pluginregistration::PluginInfo info, ScriptedDriver& driver, ScriptedDriver::SessionId session,
    std::function<void()> registered = [] {});

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_DRIVER_SERVICE_H_
