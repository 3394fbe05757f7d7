#include "deviceplugin/endpoint/fake_plugin_client.h"

#include "common/status/status_macros.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::vector<std::string> Copy(PluginClient::DeviceIds ids) { return {ids.begin(), ids.end()}; }

class FakeStream : public DeviceStream {
 public:
  FakeStream(fakes::DeviceFeed& feed, fakes::DeviceFeed::StreamId id) : feed_(feed), id_(id) {}
  ~FakeStream() override { feed_.Forget(id_); }

  absl::StatusOr<ListMessage> Read() override { return feed_.Next(id_); }
  void Cancel() override { feed_.End(id_, absl::CancelledError("CANCELLED")); }

 private:
  fakes::DeviceFeed& feed_;
  const fakes::DeviceFeed::StreamId id_;
};

// A stream that the plugin refused.
class RefusedStream : public DeviceStream {
 public:
  explicit RefusedStream(absl::Status why) : why_(std::move(why)) {}

  absl::StatusOr<ListMessage> Read() override { return why_; }
  void Cancel() override {}

 private:
  const absl::Status why_;
};

}  // namespace

FakePluginClient::FakePluginClient(Threads& threads, fakes::ScriptedPlugin& plugin)
    : clock_(threads.clock()), plugin_(plugin), session_(plugin.OpenSession()) {}

FakePluginClient::~FakePluginClient() { Disconnect(); }

absl::StatusOr<v1beta1::DevicePluginOptions> FakePluginClient::GetOptions(absl::Duration timeout) {
  return plugin_.GetOptions(session_, DeadlineIn(timeout));
}

absl::StatusOr<v1beta1::AllocateResponse> FakePluginClient::Allocate(DeviceIds ids, absl::Duration timeout) {
  return plugin_.Allocate(session_, {.ids = Copy(ids)}, DeadlineIn(timeout));
}

absl::StatusOr<v1beta1::PreferredAllocationResponse> FakePluginClient::GetPreferredAllocation(DeviceIds available,
                                                                                              DeviceIds must_include,
                                                                                              int32_t size,
                                                                                              absl::Duration timeout) {
  return plugin_.Prefer(session_, {.ids = Copy(available), .must_include = Copy(must_include), .size = size},
                        DeadlineIn(timeout));
}

absl::Status FakePluginClient::PreStartContainer(DeviceIds ids, absl::Duration timeout) {
  return plugin_.PreStart(session_, {.ids = Copy(ids)}, DeadlineIn(timeout));
}

std::unique_ptr<DeviceStream> FakePluginClient::ListAndWatch() {
  absl::StatusOr<fakes::DeviceFeed::StreamId> stream = plugin_.OpenStream(session_);
  if (!stream.ok()) return std::make_unique<RefusedStream>(stream.status());
  return std::make_unique<FakeStream>(plugin_.feed(), *stream);
}

void FakePluginClient::Disconnect() { plugin_.CloseSession(session_, absl::CancelledError("CANCELLED")); }

}  // namespace kubelet_cm::deviceplugin
