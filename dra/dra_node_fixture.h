// DraNodeFixture: a node with two drivers and three claims: "a" and "b" of the driver "gpu", "both" of "gpu" and "nic".
// The manager is for the test to start.
#ifndef KUBELET_CM_DRA_DRA_NODE_FIXTURE_H_
#define KUBELET_CM_DRA_DRA_NODE_FIXTURE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {

class DraNodeFixture : public testing::Test {
 protected:
  static constexpr fakes::DriverMethod kPrepare = fakes::DriverMethod::kPrepare;
  static constexpr fakes::DriverMethod kUnprepare = fakes::DriverMethod::kUnprepare;

  explicit DraNodeFixture(fakes::ScriptedDriver::Options gpu = {}) : gpu_(node_.drivers.Add("gpu", std::move(gpu))) {
    node_.AddClaim("a", {"gpu"});
    node_.AddClaim("b", {"gpu"});
    node_.AddClaim("both", {"gpu", "nic"});
  }

  absl::Status Prepare(const Pod& pod) { return node_.manager().PrepareResources(pod); }
  absl::Status Unprepare(const Pod& pod) { return node_.manager().UnprepareResources(pod); }
  // An active pod whose claims are prepared.
  Pod Prepared(const std::string& uid, const std::vector<std::string>& claims) {
    Pod pod = node_.AddPod(uid, claims);
    EXPECT_OK(Prepare(pod));
    return pod;
  }
  bool MightNeedToUnprepare(const std::string& pod_uid) { return node_.manager().PodMightNeedToUnprepare(pod_uid); }

  harness::DraNode node_;
  fakes::ScriptedDriver& gpu_;
  fakes::ScriptedDriver& nic_ = node_.drivers.Add("nic");
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_NODE_FIXTURE_H_
