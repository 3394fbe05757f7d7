// FakePluginClient: a PluginClient without a socket, for tests. It asks a ScriptedPlugin (testing/fakes), which
// answers, fails, holds calls or dies as a test says; also one step at a time, under SeededThreads.
//
//   fakes::ScriptedPlugin plugin(threads, {});
//   PluginEndpoint endpoint({threads, log}, options, std::make_unique<FakePluginClient>(threads, plugin));
//
// Time limits are of the clock of `threads`. Each client is a connection of its own.
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_FAKE_PLUGIN_CLIENT_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_FAKE_PLUGIN_CLIENT_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/threads/threads.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "testing/fakes/scripted_plugin.h"

namespace kubelet_cm::deviceplugin {

class FakePluginClient : public PluginClient {
 public:
  // Both outlive the client.
  FakePluginClient(Threads& threads, fakes::ScriptedPlugin& plugin);
  ~FakePluginClient() override;

  absl::StatusOr<v1beta1::DevicePluginOptions> GetOptions(absl::Duration timeout) override;
  absl::StatusOr<v1beta1::AllocateResponse> Allocate(DeviceIds ids, absl::Duration timeout) override;
  absl::StatusOr<v1beta1::PreferredAllocationResponse> GetPreferredAllocation(DeviceIds available,
                                                                              DeviceIds must_include, int32_t size,
                                                                              absl::Duration timeout) override;
  absl::Status PreStartContainer(DeviceIds ids, absl::Duration timeout) override;
  std::unique_ptr<DeviceStream> ListAndWatch() override;
  void Disconnect() override;

 private:
  MonotonicTime DeadlineIn(absl::Duration timeout) const { return clock_.MonotonicNow() + timeout; }

  const Clock& clock_;
  fakes::ScriptedPlugin& plugin_;
  const fakes::ScriptedPlugin::SessionId session_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_FAKE_PLUGIN_CLIENT_H_
