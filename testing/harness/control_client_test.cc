#include "testing/harness/control_client.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/daemon_node.h"

namespace kubelet_cm::harness {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ControlClientTest, ErrorsOfTheDaemonComeWithTheirCode) {
  DaemonNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK_AND_ASSIGN(const ControlClient client, ControlClient::Connect(node.paths().control_socket));
  EXPECT_THAT(client.ContainerOptions("nobody", "main"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("nobody")));
  EXPECT_THAT(client.Admit("{"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(client.Plugins()->plugins(), SizeIs(0));
}

TEST(ControlClientTest, AWaitEndsWhenTheDaemonDoes) {
  DaemonNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK_AND_ASSIGN(const ControlClient client, ControlClient::Connect(node.paths().control_socket));
  bool asked = false;
  const testing::AssertionResult waited = client.Await([&] {
    if (!asked) node.Kill();
    asked = true;
    return false;
  });
  EXPECT_FALSE(waited);
  EXPECT_THAT(waited.message(), HasSubstr("did not come about"));
}

}  // namespace
}  // namespace kubelet_cm::harness
