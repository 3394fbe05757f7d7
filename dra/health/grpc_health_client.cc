#include "dra/health/grpc_health_client.h"

#include <utility>

#include "common/status/status_macros.h"
#include "dra/api/health_v1.grpc.pb.h"
#include "dra/api/health_v1alpha1.grpc.pb.h"
#include "dra/plugin/driver_stream.h"

namespace kubelet_cm::dra {
namespace {

// The messages and the stub of an API; the APIs differ in their packages alone.
struct V1 {
  using Stub = ::v1::DRAResourceHealth::Stub;
  using Request = ::v1::NodeWatchResourcesRequest;
  using Response = ::v1::NodeWatchResourcesResponse;
  static constexpr int kHealthy = ::v1::HEALTHY;
  static constexpr int kUnhealthy = ::v1::UNHEALTHY;
};
struct V1Alpha1 {
  using Stub = ::v1alpha1::DRAResourceHealth::Stub;
  using Request = ::v1alpha1::NodeWatchResourcesRequest;
  using Response = ::v1alpha1::NodeWatchResourcesResponse;
  static constexpr int kHealthy = ::v1alpha1::HEALTHY;
  static constexpr int kUnhealthy = ::v1alpha1::UNHEALTHY;
};

template <typename Api>
HealthValue ValueOf(int health) {
  if (health == Api::kHealthy) return HealthValue::kHealthy;
  if (health == Api::kUnhealthy) return HealthValue::kUnhealthy;
  return HealthValue::kUnknown;
}

template <typename Api>
HealthReports ReportsOf(typename Api::Response response) {
  HealthReports reports;
  reports.reserve(response.devices_size());
  for (auto& device : *response.mutable_devices()) {
    reports.push_back({.pool = std::move(*device.mutable_device()->mutable_pool_name()),
                       .device = std::move(*device.mutable_device()->mutable_device_name()),
                       .health = ValueOf<Api>(device.health()),
                       .timeout_seconds = device.health_check_timeout_seconds(),
                       .message = std::move(*device.mutable_message())});
  }
  return reports;
}

template <typename Api>
class GrpcHealthStream : public HealthStream {
 public:
  GrpcHealthStream(typename Api::Stub& stub, DriverConnection& connection)
      : stream_(connection, [&stub](grpc::ClientContext* context) {
          return stub.NodeWatchResources(context, typename Api::Request());
        }) {}

  absl::StatusOr<HealthReports> Read() override {
    ASSIGN_OR_RETURN(typename Api::Response response, stream_.Read());
    return ReportsOf<Api>(std::move(response));
  }

  void Cancel() override { stream_.Cancel(); }

 private:
  DriverStream<typename Api::Response> stream_;
};

template <typename Api>
class GrpcHealthClient : public HealthClient {
 public:
  explicit GrpcHealthClient(std::shared_ptr<DriverConnection> connection)
      : connection_(std::move(connection)), stub_(connection_->channel()) {}

  std::unique_ptr<HealthStream> Watch() override {
    return std::make_unique<GrpcHealthStream<Api>>(stub_, *connection_);
  }

 private:
  const std::shared_ptr<DriverConnection> connection_;
  typename Api::Stub stub_;
};

}  // namespace

std::unique_ptr<HealthClient> NewGrpcHealthClient(DraHealthApi api, std::shared_ptr<DriverConnection> connection) {
  switch (api) {
    case DraHealthApi::kV1:
      return std::make_unique<GrpcHealthClient<V1>>(std::move(connection));
    case DraHealthApi::kV1Alpha1:
      return std::make_unique<GrpcHealthClient<V1Alpha1>>(std::move(connection));
  }
  return nullptr;
}

}  // namespace kubelet_cm::dra
