// The gRPC services that plugins register with: v1beta1.Registration, and deviceplugin.Registration of the two older
// protocols. They hand a call to the desk, and its error back as gRPC-Go does a plain one: Unknown, with its text.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_SERVICE_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_SERVICE_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/registration/registration_desk.h"
#include "grpcpp/impl/service_type.h"

namespace kubelet_cm::deviceplugin {

// A service for each wire on which something is offered; a plugin that speaks the other one is answered Unimplemented.
// `desk` outlives them. Threads of gRPC call them.
std::vector<std::unique_ptr<grpc::Service>> MakeRegistrationServices(RegistrationDesk& desk,
                                                                     absl::Span<const PluginApi> offered);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_SERVICE_H_
