// DeviceStackFixture: a stack on a real machine, with plugins on real sockets. The stack is for the test to start.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_STACK_FIXTURE_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_STACK_FIXTURE_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "common/log/awaiting_logger.h"
#include "common/node/fake_active_pods.h"
#include "common/status/status_macros.h"
#include "deviceplugin/device_stack.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/harness/real_machine.h"

namespace kubelet_cm::deviceplugin {

class DeviceStackFixture : public testing::Test {
 protected:
  DeviceStack::Dependencies Dependencies() {
    return {.files = machine_.files,
            .random = machine_.random,
            .threads = machine_.threads,
            .log = log_,
            .metrics = machine_.metrics,
            .active_pods = pods_,
            .pod_updates = machine_.pod_updates};
  }
  absl::Status Start(std::string_view kubelet = "latest", NodeStart found = {}) {
    ASSIGN_OR_RETURN(stack_, DeviceStack::New(Dependencies(),
                                              {.folder = machine_.folder.path(), .kubelet = *ParsePersonality(kubelet)},
                                              std::move(found)));
    return absl::OkStatus();
  }
  // In the folder of the machine; it does not serve yet.
  std::unique_ptr<fakes::FakeDevicePlugin> NewPlugin(fakes::FakeDevicePlugin::Options options) {
    options.folder = machine_.folder.path();
    return std::make_unique<fakes::FakeDevicePlugin>(
        fakes::FakeDevicePlugin::Dependencies{machine_.threads, machine_.files}, std::move(options));
  }
  std::string KubeletSocket() const { return machine_.folder.File("kubelet.sock"); }

  harness::RealMachine machine_;
  AwaitingLogger log_;
  FakeActivePods pods_;
  std::unique_ptr<DeviceStack> stack_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_STACK_FIXTURE_H_
