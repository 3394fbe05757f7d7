#include "dra/health/grpc_health_client.h"

#include <utility>

#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/unixsocket/calls_in_flight.h"
#include "dra/api/health_v1.grpc.pb.h"
#include "dra/api/health_v1alpha1.grpc.pb.h"
#include "grpcpp/support/sync_stream.h"

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
  GrpcHealthStream(typename Api::Stub& stub, CallsInFlight::Context context)
      : stub_(stub), context_(std::move(context)) {}

  // gRPC wants a stream read to its end, which is near once it is cancelled.
  ~GrpcHealthStream() override {
    Cancel();
    if (reader_ == nullptr) return;
    while (GrpcHealthStream::Read().ok()) {
    }
  }

  absl::StatusOr<HealthReports> Read() override {
    if (!ended_.ok()) return ended_;
    if (reader_ == nullptr) reader_ = stub_.NodeWatchResources(context_.get(), typename Api::Request());
    typename Api::Response response;
    if (reader_->Read(&response)) return ReportsOf<Api>(std::move(response));
    ended_ = FromGrpcStatus(reader_->Finish());
    if (ended_.ok()) ended_ = EndOfHealthStream();
    return ended_;
  }

  void Cancel() override { context_->TryCancel(); }

 private:
  typename Api::Stub& stub_;
  const CallsInFlight::Context context_;
  // The reading thread's.
  std::unique_ptr<grpc::ClientReader<typename Api::Response>> reader_;  // null before the first Read
  absl::Status ended_;                                                  // OK while it has not
};

// One that could not even be opened.
class FailedHealthStream : public HealthStream {
 public:
  explicit FailedHealthStream(absl::Status why) : why_(std::move(why)) {}

  absl::StatusOr<HealthReports> Read() override { return why_; }
  void Cancel() override {}

 private:
  const absl::Status why_;
};

template <typename Api>
class GrpcHealthClient : public HealthClient {
 public:
  explicit GrpcHealthClient(std::shared_ptr<DriverConnection> connection)
      : connection_(std::move(connection)), stub_(connection_->channel()) {}

  std::unique_ptr<HealthStream> Watch() override {
    absl::StatusOr<CallsInFlight::Context> context = connection_->calls().Begin(absl::InfiniteDuration());
    if (!context.ok()) return std::make_unique<FailedHealthStream>(context.status());
    return std::make_unique<GrpcHealthStream<Api>>(stub_, *std::move(context));
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
