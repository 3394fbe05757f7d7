#include "kubelet_cm/podresources/pod_resources_service.h"

#include <memory>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/fake_pod_resources_source.h"

namespace kubelet_cm::podresources {
namespace {

// Every List hangs until it is let go.
class HeldSource : public FakePodResourcesSource {
 public:
  explicit HeldSource(Threads& threads) : let_go(threads, "lists to be let go") {}
  void CollectLeftovers() override { let_go.Wait(); }

  Notification let_go;
};

class PodResourcesServiceTest : public ::testing::Test {
 protected:
  static grpc::StatusCode List(const std::string& path) {
    const auto channel = DialUnixSocket(path);
    EXPECT_OK(channel);
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(30)));
    ::v1::ListPodResourcesResponse response;
    return ::v1::PodResourcesLister::NewStub(*channel)->List(&context, {}, &response).error_code();
  }
  // As List once there is room for it: a thread comes back a moment after the answer of its call has left.
  grpc::StatusCode ListWhenThereIsRoom(const std::string& path) const {
    const MonotonicTime limit = clock_.MonotonicNow() + absl::Seconds(30);
    grpc::StatusCode code = List(path);
    while (code == grpc::StatusCode::RESOURCE_EXHAUSTED && clock_.MonotonicNow() < limit) code = List(path);
    return code;
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  CapturingLogger log_;
  MetricsRegistry registry_;
  PodResourcesMetrics metrics_{registry_};
  HeldSource source_{threads_};
  PodResourcesLister lister_{{source_, metrics_, log_}, {}};
  CallGate gate_{clock_, {.per_second = 0}};
  const std::unique_ptr<grpc::Service> service_ = NewPodResourcesService(lister_, gate_);
};

TEST_F(PodResourcesServiceTest, CallsBeyondTheServersThreadsAreRefusedAndNotKept) {
  const std::string path = folder_.File("s");
  ASSERT_OK_AND_ASSIGN(const auto server,
                       UnixSocketServer::New(files_, {service_.get()}, {.path = path, .max_threads = 4}));
  Notification refused(threads_, "a call to be refused");
  std::vector<std::unique_ptr<Thread>> callers;
  for (int i = 0; i < 8; ++i) {
    callers.push_back(threads_.Start("caller", [&] {
      if (List(path) == grpc::StatusCode::RESOURCE_EXHAUSTED) refused.Notify();
    }));
  }
  EXPECT_TRUE(refused.WaitFor(absl::Seconds(30)));
  source_.let_go.Notify();
  callers.clear();
  EXPECT_EQ(ListWhenThereIsRoom(path), grpc::StatusCode::OK);
}

}  // namespace
}  // namespace kubelet_cm::podresources
