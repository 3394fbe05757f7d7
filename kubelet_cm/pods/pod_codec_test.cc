#include "kubelet_cm/pods/pod_codec.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

Pod FullPod() {
  Pod pod{.uid = "u-1", .namespace_name = "default", .name = "web"};
  pod.containers = {{.name = "init", .kind = ContainerKind::kInit, .limits = {{"example.com/a", 1}}},
                    {.name = "side", .kind = ContainerKind::kSidecar},
                    {.name = "app",
                     .kind = ContainerKind::kApp,
                     .limits = {{"example.com/a", 2}, {"cpu", 4}},
                     .claims = {{.name = "gpu", .request = "big"}, {.name = "nic", .request = ""}}}};
  pod.pod_limits = {{"example.com/b", 7}};
  pod.claims = {{.name = "gpu", .object_name = "web-gpu", .from_template = true},
                {.name = "nic", .object_name = "shared"},
                {.name = "none", .object_name = {}, .not_needed = true}};
  pod.extended_resource_claim = {.object_name = "extended", .mappings = {{"app", "example.com/x", "r0"}}};
  pod.scheduling_group = "group";
  return pod;
}

PodRecord RecordOf(Pod pod) {
  return {.pod = std::make_shared<const Pod>(std::move(pod)),
          .source = PodSource::kFolder,
          .phase = PodPhase::kPrepared,
          .running = {"app", "side"},
          .since = absl::FromUnixNanos(1'700'000'000'123'456'789)};
}

TEST(PodCodecTest, WhatIsStoredIsWhatIsRead) {
  const PodRecord record = RecordOf(FullPod());
  ASSERT_OK_AND_ASSIGN(const StoredRecord read, DecodePodRecord(EncodePodRecord(record, "boot")));
  EXPECT_EQ(*read.record.pod, *record.pod);
  EXPECT_EQ(read.record.source, PodSource::kFolder);
  EXPECT_EQ(read.record.phase, PodPhase::kPrepared);
  EXPECT_EQ(read.record.running, record.running);
  EXPECT_EQ(read.record.since, record.since);
  EXPECT_EQ(read.boot_id, "boot");
}

TEST(PodCodecTest, EveryPhaseAndSourceComesBack) {
  PodRecord record = RecordOf(FullPod());
  for (const PodPhase phase : {PodPhase::kAdmitted, PodPhase::kPrepared, PodPhase::kTerminating, PodPhase::kRestored}) {
    for (const PodSource source : {PodSource::kApi, PodSource::kFolder, PodSource::kStateFile}) {
      record.phase = phase;
      record.source = source;
      ASSERT_OK_AND_ASSIGN(const StoredRecord read, DecodePodRecord(EncodePodRecord(record, "")));
      EXPECT_EQ(read.record.phase, phase);
      EXPECT_EQ(read.record.source, source);
    }
  }
}

TEST(PodCodecTest, AFileThatWasCutOffAnywhereIsRefused) {
  const std::string bytes = EncodePodRecord(RecordOf(FullPod()), "boot");
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(DecodePodRecord(bytes.substr(0, size)), StatusIs(absl::StatusCode::kDataLoss)) << size;
  }
}

TEST(PodCodecTest, AFlippedBitAnywhereIsNoticed) {
  const PodRecord record = RecordOf(FullPod());
  const std::string bytes = EncodePodRecord(record, "boot");
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(DecodePodRecord(flipped).ok()) << bit;
  }
}

}  // namespace
}  // namespace kubelet_cm
