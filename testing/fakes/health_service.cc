#include "testing/fakes/health_service.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/status/grpc_status.h"
#include "dra/api/health_v1.grpc.pb.h"
#include "dra/api/health_v1alpha1.grpc.pb.h"

namespace kubelet_cm::fakes {
namespace {

using dra::HealthValue;

int NumberOf(HealthValue health) {
  switch (health) {
    case HealthValue::kHealthy:
      return ::v1::HEALTHY;
    case HealthValue::kUnhealthy:
      return ::v1::UNHEALTHY;
    case HealthValue::kUnknown:
      return ::v1::UNKNOWN;
  }
  return ::v1::UNKNOWN;
}

template <typename Response>
Response MessageOf(const dra::HealthReports& reports) {
  Response response;
  for (const dra::HealthReport& report : reports) {
    auto& device = *response.add_devices();
    device.mutable_device()->set_pool_name(report.pool);
    device.mutable_device()->set_device_name(report.device);
    device.set_health(static_cast<decltype(device.health())>(NumberOf(report.health)));
    device.set_health_check_timeout_seconds(report.timeout_seconds);
    device.set_message(report.message);
  }
  return response;
}

template <typename Service, typename Request, typename Response>
class HealthService : public Service {
 public:
  HealthService(HealthFeed& feed, HealthFeed::SessionId session) : feed_(feed), session_(session) {}

  grpc::Status NodeWatchResources(grpc::ServerContext*, const Request*, grpc::ServerWriter<Response>* writer) override {
    const HealthFeed::StreamId stream = feed_.Open(session_);
    absl::StatusOr<dra::HealthReports> reports = feed_.Next(stream);
    while (reports.ok() && writer->Write(MessageOf<Response>(*reports))) reports = feed_.Next(stream);
    feed_.Forget(stream);
    return absl::IsOutOfRange(reports.status()) ? grpc::Status::OK : ToGrpcStatus(reports.status());
  }

 private:
  HealthFeed& feed_;
  const HealthFeed::SessionId session_;
};

using V1Service =
    HealthService<::v1::DRAResourceHealth::Service, ::v1::NodeWatchResourcesRequest, ::v1::NodeWatchResourcesResponse>;
using V1Alpha1Service = HealthService<::v1alpha1::DRAResourceHealth::Service, ::v1alpha1::NodeWatchResourcesRequest,
                                      ::v1alpha1::NodeWatchResourcesResponse>;

}  // namespace

std::unique_ptr<grpc::Service> NewHealthService(dra::DraHealthApi api, HealthFeed& feed,
                                                HealthFeed::SessionId session) {
  switch (api) {
    case dra::DraHealthApi::kV1:
      return std::make_unique<V1Service>(feed, session);
    case dra::DraHealthApi::kV1Alpha1:
      return std::make_unique<V1Alpha1Service>(feed, session);
  }
  return nullptr;
}

}  // namespace kubelet_cm::fakes
