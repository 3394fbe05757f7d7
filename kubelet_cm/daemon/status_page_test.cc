#include "kubelet_cm/daemon/status_page.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;

TEST(StatusPageTest, HasTheNodeAtAGlance) {
  ::kubeletcm::v1::VersionResponse version;
  version.set_version("1.2.3");
  version.set_started_unix_nanos(absl::ToUnixNanos(absl::FromUnixSeconds(1'700'000'000)));
  version.add_restored("devices: restored");
  NodePicture node;
  node.pods.add_pods()->set_state(::kubeletcm::v1::POD_STATE_PREPARED);
  node.pods.add_pods()->set_state(::kubeletcm::v1::POD_STATE_PREPARED);
  auto& resource = *node.resources.add_resources();
  resource.set_name("example.com/device");
  resource.set_allocated(1);
  resource.set_allocatable(2);
  resource.set_capacity(3);
  const std::string page = RenderStatusPage(version, node, absl::FromUnixSeconds(1'700'000'090));
  EXPECT_THAT(page, HasSubstr("version: 1.2.3\n"));
  EXPECT_THAT(page, HasSubstr("up: 1m30s\n"));
  EXPECT_THAT(page, HasSubstr("found at the start: devices: restored\n"));
  EXPECT_THAT(page, HasSubstr("POD_STATE_PREPARED: 2\n"));
  EXPECT_THAT(page, HasSubstr("example.com/device: 1 / 2 / 3 (no plugin)\n"));
}

}  // namespace
}  // namespace kubelet_cm
