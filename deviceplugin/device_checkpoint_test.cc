#include "deviceplugin/device_checkpoint.h"

#include <cerrno>
#include <memory>
#include <utility>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fault_plan.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_layout.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::HasSubstr;

// Changes that a test hands over.
class GivenChanges : public DeviceChangeSource {
 public:
  DeviceChanges TakeChanges() override {
    DeviceChanges taken = std::exchange(next, {.number = next.number});
    return taken;
  }
  void Set(size_t pod) {
    const DeviceEntry entry = SampleEntry(pod);
    next.entries.push_back({.key = {entry.pod_uid, entry.container_name, entry.resource_name}, .entry = entry});
    ++next.number;
  }
  void Remove(size_t pod) {
    Set(pod);
    next.entries.back().entry.reset();
  }

  DeviceChanges next;
};

class DeviceCheckpointTest : public testing::Test {
 protected:
  void Open(std::string_view kubelet, DeviceRestore restored = {}) {
    checkpoint_ = std::make_unique<DeviceCheckpoint>(*folder_.manager, threads_, changes_, **ParsePersonality(kubelet),
                                                     std::move(restored));
  }
  std::string File() { return folder_.File("kubelet_internal_checkpoint"); }

  FakeClock clock_;
  RealThreads threads_{clock_};
  harness::StateFolder folder_;
  GivenChanges changes_;
  std::unique_ptr<DeviceCheckpoint> checkpoint_;
};

TEST_F(DeviceCheckpointTest, ChangesAreWrittenOnTopOfWhatWasRestored) {
  Open("latest", {.format = DeviceFormat::kV2, .content = SampleContent(2)});
  changes_.Set(2);
  changes_.next.registered = SampleContent(3).registered;
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(File(), EncodeDevices(SampleContent(3), DeviceLayout::kV2));
}

TEST_F(DeviceCheckpointTest, AnEntryThatIsRemovedLeavesTheFile) {
  Open("latest", {.format = DeviceFormat::kV2, .content = SampleContent(3)});
  changes_.Remove(2);
  changes_.next.registered = SampleContent(2).registered;
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(File(), EncodeDevices(SampleContent(2), DeviceLayout::kV2));
}

TEST_F(DeviceCheckpointTest, AnEmulatedKubeletWritesItsOwnFormat) {
  Open("1.19", {.content = SampleContent(1)});
  changes_.Set(1);
  changes_.next.registered = SampleContent(2).registered;
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(File(), EncodeDevices(SampleContent(2), DeviceLayout::kV1));
}

TEST_F(DeviceCheckpointTest, WhatIsOnTheDiskAlreadyIsNotWritten) {
  DeviceRestore restored{.format = DeviceFormat::kV2, .content = SampleContent(2)};
  restored.bytes = EncodeDevices(restored.content, DeviceLayout::kV2);
  Open("latest", std::move(restored));
  changes_.Set(1);
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(checkpoint_->counts().writes, 0u);
  EXPECT_EQ(checkpoint_->counts().unchanged, 1u);
}

TEST_F(DeviceCheckpointTest, AWriteThatFailsHasUpstreamsTextAndIsMadeUpForByTheNext) {
  Open("latest");
  changes_.Set(0);
  folder_.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
  EXPECT_THAT(checkpoint_->WaitDurable(1).message(),
              HasSubstr("failed to write checkpoint file \"kubelet_internal_checkpoint\": "));
  changes_.Set(1);
  changes_.next.registered = SampleContent(2).registered;
  ASSERT_OK(checkpoint_->WaitDurable(2));
  EXPECT_EQ(File(), EncodeDevices(SampleContent(2), DeviceLayout::kV2));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
