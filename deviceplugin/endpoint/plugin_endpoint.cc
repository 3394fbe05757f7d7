#include "deviceplugin/endpoint/plugin_endpoint.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::deviceplugin {
namespace {

// What a kubelet takes of one answer, which is gRPC's own limit in Go. A connection takes more, for lists of devices.
constexpr size_t kMaxAnswerBytes = size_t{4} << 20;

template <typename Response>
absl::StatusOr<Response> Bounded(absl::StatusOr<Response> response) {
  if (!response.ok() || response->ByteSizeLong() <= kMaxAnswerBytes) return response;
  return absl::ResourceExhaustedError(absl::StrCat("grpc: received message larger than max (", response->ByteSizeLong(),
                                                   " vs. ", kMaxAnswerBytes, ")"));
}

// The endpoint whose callbacks the calling thread runs.
thread_local const PluginEndpoint* endpoint_of_this_thread = nullptr;

}  // namespace

PluginEndpoint::PluginEndpoint(Dependencies dependencies, Options options, std::unique_ptr<PluginClient> client)
    : threads_(dependencies.threads),
      log_(dependencies.log),
      options_(std::move(options)),
      id_(options_.id),
      client_(std::move(client)) {}

PluginEndpoint::~PluginEndpoint() {
  CHECK(endpoint_of_this_thread != this) << "a callback destroys its own endpoint, which would wait for itself";
  Stop();
  reader_.reset();
}

absl::Status PluginEndpoint::StoppedError() const {
  return absl::UnavailableError(absl::StrCat("endpoint ", options_.resource_name, " has been stopped"));
}

absl::Status PluginEndpoint::Worded(const absl::Status& status, std::string_view method, absl::Duration timeout) const {
  if (status.ok()) return status;
  if (absl::IsCancelled(status) && stopped()) return StoppedError();
  if (!absl::IsDeadlineExceeded(status)) return absl::Status(status.code(), GoRpcErrorText(status));
  return absl::DeadlineExceededError(GoRpcErrorText(absl::DeadlineExceededError(
      absl::StrCat("context deadline exceeded: ", std::string(method), " of device plugin ", options_.resource_name,
                   " at ", options_.socket_path, " was not answered within ", absl::FormatDuration(timeout)))));
}

absl::StatusOr<v1beta1::DevicePluginOptions> PluginEndpoint::GetOptions() {
  if (stopped()) return StoppedError();
  absl::StatusOr<v1beta1::DevicePluginOptions> plugin_options =
      Bounded(client_->GetOptions(options_.get_options_timeout));
  if (plugin_options.ok()) return plugin_options;
  const absl::Status status = Worded(plugin_options.status(), "GetDevicePluginOptions", options_.get_options_timeout);
  return absl::Status(status.code(), absl::StrCat("failed to get device plugin options: ", status.message()));
}

absl::StatusOr<v1beta1::AllocateResponse> PluginEndpoint::Allocate(DeviceIds ids) {
  if (stopped()) return StoppedError();
  absl::StatusOr<v1beta1::AllocateResponse> response = Bounded(client_->Allocate(ids, options_.allocate_timeout));
  RETURN_IF_ERROR(Worded(response.status(), "Allocate", options_.allocate_timeout));
  return response;
}

absl::StatusOr<v1beta1::PreferredAllocationResponse> PluginEndpoint::GetPreferredAllocation(DeviceIds available,
                                                                                            DeviceIds must_include,
                                                                                            int32_t size) {
  if (stopped()) return StoppedError();
  const absl::Duration timeout = options_.preferred_allocation_timeout;
  absl::StatusOr<v1beta1::PreferredAllocationResponse> response =
      Bounded(client_->GetPreferredAllocation(available, must_include, size, timeout));
  RETURN_IF_ERROR(Worded(response.status(), "GetPreferredAllocation", timeout));
  return response;
}

absl::Status PluginEndpoint::PreStartContainer(DeviceIds ids) {
  if (stopped()) return StoppedError();
  const absl::Duration timeout = options_.pre_start_timeout;
  return Worded(client_->PreStartContainer(ids, timeout), "PreStartContainer", timeout);
}

bool PluginEndpoint::stopped() const {
  MutexLock lock(&mu_);
  return stopped_;
}

void PluginEndpoint::Stop() {
  {
    MutexLock lock(&mu_);
    if (stopped_) return;
    stopped_ = true;
  }
  client_->Disconnect();
}

void PluginEndpoint::Watch(PluginEndpointObserver& observer) {
  CHECK(reader_ == nullptr) << "an endpoint is watched once";
  reader_ = threads_.Start("list-and-watch", [this, &observer] { ReadDevices(observer); });
}

void PluginEndpoint::ReadDevices(PluginEndpointObserver& observer) {
  endpoint_of_this_thread = this;
  absl::Status ended;
  {
    const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
    while (ended.ok()) {
      const absl::StatusOr<ListMessage> list = stream->Read();
      if (stopped()) {
        ended = absl::CancelledError(StoppedError().message());
      } else if (list.ok()) {
        observer.OnDevices(id_, **list);
      } else {
        ended = list.status();
      }
    }
  }
  LogEnd(ended);
  // Whatever serves on that socket from now on is not the plugin that registered.
  Stop();
  observer.OnEnded(id_, ended);
}

void PluginEndpoint::LogEnd(const absl::Status& reason) {
  if (absl::IsResourceExhausted(reason)) {
    log_.Error(reason, "Device plugin sent a device list that is too large",
               {{"resource", options_.resource_name}, {"socketPath", options_.socket_path}});
  }
  if (absl::IsCancelled(reason) && stopped()) {
    log_.V(2).Info("ListAndWatch ended for device plugin",
                   {{"resource", options_.resource_name}, {"socketPath", options_.socket_path}});
    return;
  }
  log_.Error(reason, "ListAndWatch ended unexpectedly for device plugin",
             {{"resource", options_.resource_name}, {"socketPath", options_.socket_path}});
}

}  // namespace kubelet_cm::deviceplugin
