#include "deviceplugin/registration/registration_service.h"

#include "common/status/grpc_status.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "deviceplugin/registration/api_versions.h"

namespace kubelet_cm::deviceplugin {
namespace {

// One Register method over the types of either protocol. The options in a request are not looked at, as the
// kubelet does not since 1.25: the plugin is asked for them.
template <typename Service, typename Request, typename Response, RegistrationWire kWire>
class RegistrationService final : public Service {
 public:
  explicit RegistrationService(RegistrationDesk& desk) : desk_(desk) {}

  grpc::Status Register(grpc::ServerContext*, const Request* request, Response*) override {
    return ToUnknownGrpcStatus(desk_.Register({.wire = kWire,
                                               .version = request->version(),
                                               .endpoint = request->endpoint(),
                                               .resource_name = request->resource_name()}));
  }

 private:
  RegistrationDesk& desk_;
};

using V1Beta1Service = RegistrationService<v1beta1::Registration::Service, v1beta1::RegisterRequest, v1beta1::Empty,
                                           RegistrationWire::kV1Beta1>;
using V1AlphaService = RegistrationService<::deviceplugin::Registration::Service, ::deviceplugin::RegisterRequest,
                                           ::deviceplugin::Empty, RegistrationWire::kV1Alpha>;

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> MakeRegistrationServices(RegistrationDesk& desk,
                                                                     absl::Span<const PluginApi> offered) {
  std::vector<std::unique_ptr<grpc::Service>> services;
  if (!OfferedOn(RegistrationWire::kV1Beta1, offered).empty()) {
    services.push_back(std::make_unique<V1Beta1Service>(desk));
  }
  if (!OfferedOn(RegistrationWire::kV1Alpha, offered).empty()) {
    services.push_back(std::make_unique<V1AlphaService>(desk));
  }
  return services;
}

}  // namespace kubelet_cm::deviceplugin
