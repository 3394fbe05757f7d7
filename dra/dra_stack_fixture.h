// DraStackFixture: a stack on a real machine, with drivers on real sockets. The stack is for the test to start.
#ifndef KUBELET_CM_DRA_DRA_STACK_FIXTURE_H_
#define KUBELET_CM_DRA_DRA_STACK_FIXTURE_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/log/awaiting_logger.h"
#include "common/node/fake_active_pods.h"
#include "common/status/status_macros.h"
#include "common/status/status_matchers.h"
#include "dra/dra_stack.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/fakes/fake_slice_client.h"
#include "testing/harness/dra_node.h"
#include "testing/harness/real_machine.h"

namespace kubelet_cm::dra {

class DraStackFixture : public testing::Test {
 protected:
  absl::Status Start(std::string_view kubelet = "latest", absl::Duration reconcile_interval = absl::Seconds(60)) {
    ASSIGN_OR_RETURN(stack_, DraStack::New({.files = machine_.files,
                                            .random = machine_.random,
                                            .threads = machine_.threads,
                                            .log = log_,
                                            .metrics = machine_.metrics,
                                            .active_pods = pods_,
                                            .pod_updates = machine_.pod_updates,
                                            .claims = claims_,
                                            .slices = &slices_},
                                           {.manager = {.folder = machine_.folder.path(),
                                                        .kubelet = *ParsePersonality(kubelet),
                                                        .reconcile_interval = reconcile_interval}},
                                           NodeStart()));
    return absl::OkStatus();
  }

  // Serves in the folder of the machine, and is not registered.
  std::unique_ptr<fakes::FakeDraDriver> Serve(fakes::FakeDraDriver::Options options) {
    options.folder = machine_.folder.path();
    auto driver = std::make_unique<fakes::FakeDraDriver>(
        fakes::FakeDraDriver::Dependencies{machine_.threads, machine_.files}, std::move(options));
    EXPECT_OK(driver->Start());
    return driver;
  }
  // As the plugin watcher has it register.
  absl::Status Register(const fakes::FakeDraDriver& driver,
                        const std::vector<std::string>& versions = {"v1.DRAPlugin"}) {
    RETURN_IF_ERROR(stack_->watcher_handler().ValidatePlugin(driver.name(), driver.socket_path(), versions));
    return stack_->watcher_handler().RegisterPlugin(driver.name(), driver.socket_path(), versions);
  }

  // Makes the pod active, and reserves its claims for it.
  Pod AddPod(const std::string& uid, const std::vector<std::string>& claims) {
    for (const std::string& claim : claims) claims_.Reserve("default", claim, uid);
    pods_.Add(uid);
    return harness::PodUsing(uid, claims);
  }

  harness::RealMachine machine_;
  AwaitingLogger log_;
  FakeActivePods pods_;
  fakes::FakeClaimSource claims_;
  fakes::FakeSliceClient slices_{machine_.threads};
  std::unique_ptr<DraStack> stack_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_STACK_FIXTURE_H_
