// Every file operation by which a manager writes fails, one at a time, once or until somebody mends the disk; and the
// manager goes on. What it answered holds after a restart, and in the end nothing is left over.
#include <algorithm>
#include <cerrno>
#include <tuple>
#include <vector>

#include "common/filesystem/fault_plan.h"
#include "common/status/status_matchers.h"
#include "dra/dra_manager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverMethod;
using harness::DraNode;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<FileOp> kWriting = {FileOp::kWrite, FileOp::kSyncFile, FileOp::kRename, FileOp::kSyncFolder};

// A node on whose disk something goes wrong, and a kubelet that tries again.
class BrokenNode {
 public:
  explicit BrokenNode(const Fault& fault) : fault_(fault) {
    for (const char* driver : {"gpu", "nic"}) node_.drivers.Add(driver);
    node_.AddClaim("claim", {"gpu", "nic"});
    first_ = node_.AddPod("first", {"claim"});
    second_ = node_.AddPod("second", {"claim"});
    node_.faults.Arm(fault_);
  }

  void Live() {
    Try([&] { return node_.Start(); });
    Try([&] { return node_.manager().PrepareResources(first_); });
    Try([&] { return node_.manager().PrepareResources(second_); });
    Restart();
    for (const Pod& pod : {first_, second_}) EXPECT_OK(node_.manager().GetResources(pod, pod.containers[0]));
    EXPECT_EQ(Calls(DriverMethod::kPrepare), 2);  // one of each driver
    Try([&] { return node_.manager().UnprepareResources(first_); });
    EXPECT_EQ(Calls(DriverMethod::kUnprepare), 0);
    Try([&] { return node_.manager().UnprepareResources(second_); });
    for (const char* driver : {"gpu", "nic"}) EXPECT_THAT(node_.drivers.driver(driver).PreparedClaims(), IsEmpty());
    EXPECT_THAT(node_.StateFile(), Not(HasSubstr("claim-uid")));
    Restart();
    EXPECT_FALSE(node_.manager().PodMightNeedToUnprepare("second"));
  }

  // By which something is written.
  size_t operations() const {
    const std::vector<FileOperation> trace = node_.faults.trace();
    return static_cast<size_t>(std::count_if(trace.begin(), trace.end(), [](const FileOperation& operation) {
      return std::find(kWriting.begin(), kWriting.end(), operation.op) != kWriting.end();
    }));
  }
  int failures() const { return failures_; }

 private:
  // A disk that stays broken is mended after the first failure.
  template <typename Action>
  void Try(Action action) {
    if (action().ok()) return;
    ++failures_;
    node_.faults.DisarmAll();
    EXPECT_OK(action());
  }
  void Restart() {
    node_.Kill();
    Try([&] { return node_.Start(); });
  }
  int Calls(DriverMethod method) {
    return node_.drivers.driver("gpu").script().CallCount(method) +
           node_.drivers.driver("nic").script().CallCount(method);
  }

  const Fault fault_;
  DraNode node_;
  Pod first_;
  Pod second_;
  int failures_ = 0;
};

class DraDiskErrorTest : public testing::TestWithParam<std::tuple<FaultEffect, bool>> {};

TEST_P(DraDiskErrorTest, WhateverOperationFailsTheManagerGoesOnAndKeepsItsWord) {
  const auto [effect, persistent] = GetParam();
  BrokenNode sound({.nth = 1'000'000});
  sound.Live();
  ASSERT_THAT(sound.operations(), Gt(20u));
  int failures = 0;
  for (size_t n = 1; n <= sound.operations(); ++n) {
    SCOPED_TRACE(n);
    const int error = effect == FaultEffect::kFail ? ENOSPC : EIO;
    BrokenNode node({.ops = kWriting, .nth = n, .persistent = persistent, .effect = effect, .error = error});
    node.Live();
    failures += node.failures();
  }
  EXPECT_GT(failures, 10);
}

INSTANTIATE_TEST_SUITE_P(Faults, DraDiskErrorTest,
                         testing::Combine(testing::Values(FaultEffect::kFail, FaultEffect::kFailAfterEffect),
                                          testing::Bool()));

}  // namespace
}  // namespace kubelet_cm::dra
