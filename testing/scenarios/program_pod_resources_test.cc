#include "testing/scenarios/program_pod_resources.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/registry.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/podresources/fake_pod_resources_source.h"
#include "kubelet_cm/podresources/pod_resources_server.h"

namespace kubelet_cm::scenarios {
namespace {

using podresources::FakePodResourcesSource;
using podresources::PodResourcesServer;
using ::testing::SizeIs;

TEST(ProgramPodResourcesTest, EachMethodIsAskedAtTheSocket) {
  FakeClock clock;
  PosixFileSystem files;
  ShortTempDir folder;
  CapturingLogger log;
  MetricsRegistry metrics;
  FakePodResourcesSource source;
  Pod pod{.uid = "a", .namespace_name = "default", .name = "a"};
  pod.containers.push_back({.name = "main"});
  source.active = {std::make_shared<const Pod>(pod)};
  const std::string socket = folder.File("pods.sock");
  ASSERT_OK_AND_ASSIGN(
      const auto server,
      PodResourcesServer::New({.files = files, .clock = clock, .log = log, .metrics = metrics, .source = source},
                              {.socket_path = socket}));
  ASSERT_OK_AND_ASSIGN(const ::v1::ListPodResourcesResponse list, AskForList(socket));
  EXPECT_THAT(list.pod_resources(), SizeIs(1));
  ASSERT_OK_AND_ASSIGN(const ::v1::GetPodResourcesResponse got, AskForPod(socket, "a"));
  EXPECT_EQ(got.pod_resources().name(), "a");
  EXPECT_THAT(AskForPod(socket, "b"), StatusIs(absl::StatusCode::kUnknown));
  EXPECT_OK(AskForAllocatable(socket));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
