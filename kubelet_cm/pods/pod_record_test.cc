#include "kubelet_cm/pods/pod_record.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(PodRecordTest, APodIsCalledByItsNameAndOtherwiseByItsUid) {
  EXPECT_EQ(PodDisplayName({.uid = "u", .namespace_name = "default", .name = "web"}), "default/web");
  EXPECT_EQ(PodDisplayName({.uid = "u", .namespace_name = "default", .name = ""}), "u");
}

TEST(PodRecordTest, SourcesHaveTheNamesThatTheControlApiShows) {
  EXPECT_EQ(PodSourceName(PodSource::kApi), "api");
  EXPECT_EQ(PodSourceName(PodSource::kFolder), "folder");
  EXPECT_EQ(PodSourceName(PodSource::kStateFile), "state-file");
}

TEST(PodRecordTest, OnlyARefusedPodIsNotActive) {
  EXPECT_FALSE(IsActive({.pod = nullptr, .phase = PodPhase::kRefused}));
  for (const PodPhase phase :
       {PodPhase::kAdmitting, PodPhase::kAdmitted, PodPhase::kPrepared, PodPhase::kTerminating, PodPhase::kRestored}) {
    EXPECT_TRUE(IsActive({.pod = nullptr, .phase = phase}));
  }
}

}  // namespace
}  // namespace kubelet_cm
