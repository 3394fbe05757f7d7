// The control API as its clients meet it: what is asked wrong, and what cannot be done. In control_service_test_restart
// the daemon is killed and started on a pod's way; not in tests of watches, whose events are those of one daemon.
#include "kubelet_cm/control/control_service.h"

#include <memory>
#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/control/control_server.h"
#include "testing/harness/daemon_node.h"

namespace kubelet_cm {
namespace {

namespace v1 = ::kubeletcm::v1;

using harness::DaemonNode;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kPod[] =
    "kind: Pod\napiVersion: v1\nmetadata: {name: web, uid: u}\nspec: {containers: [{name: main}]}\n";

class ControlServiceTest : public ::testing::Test {
 protected:
  ControlServiceTest() { EXPECT_OK(node_.Start()); }

  // The code with which the call ends.
  template <typename Request, typename Response>
  grpc::Status Call(grpc::Status (v1::Control::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request) {
    grpc::ClientContext context;
    Response response;
    return (node_.control().*method)(&context, request, &response);
  }

  DaemonNode node_;
};

TEST_F(ControlServiceTest, ARequestThatNamesNoPodIsInvalid) {
  EXPECT_EQ(Call(&v1::Control::Stub::PreparePod, v1::PreparePodRequest()).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Call(&v1::Control::Stub::AdmitPod, v1::AdmitPodRequest()).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Call(&v1::Control::Stub::Explain, v1::ExplainRequest()).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(ControlServiceTest, WhatIsNotThereIsNotFound) {
  v1::ListPodsRequest pods;
  pods.mutable_pod()->set_name("web");
  EXPECT_EQ(Call(&v1::Control::Stub::ListPods, pods).error_code(), grpc::StatusCode::NOT_FOUND);
  v1::ExplainRequest claim;
  claim.mutable_claim()->set_name("claim");
  EXPECT_EQ(Call(&v1::Control::Stub::Explain, claim).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(ControlServiceTest, AClaimThatIsNotStuckCannotBeForgotten) {
  v1::ForgetClaimRequest request;
  request.set_name("claim");
  const grpc::Status status = Call(&v1::Control::Stub::ForgetClaim, request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("default/claim is not stuck"));
}

TEST_F(ControlServiceTest, APodGoesItsWholeWay) {
  ASSERT_TRUE(node_.Admit(kPod)->admitted());
  ASSERT_OK(node_.MaybeRestart());
  ASSERT_TRUE(node_.Prepare("u")->prepared());
  ASSERT_OK(node_.MaybeRestart());
  v1::ContainerStartedRequest started;
  started.mutable_pod()->set_uid("u");
  started.set_container("main");
  EXPECT_TRUE(Call(&v1::Control::Stub::ContainerStarted, started).ok());
  ASSERT_OK(node_.MaybeRestart());
  EXPECT_TRUE(node_.Pods()->pods(0).containers(0).running());
  v1::ContainerExitedRequest exited;
  exited.mutable_pod()->set_uid("u");
  exited.set_container("main");
  EXPECT_TRUE(Call(&v1::Control::Stub::ContainerExited, exited).ok());
  ASSERT_OK(node_.MaybeRestart());
  EXPECT_FALSE(node_.Pods()->pods(0).containers(0).running());
  EXPECT_TRUE(node_.Remove("u")->removed());
  EXPECT_THAT(node_.Pods()->pods(), SizeIs(0));
}

TEST_F(ControlServiceTest, VersionSaysWhatRunsWhere) {
  grpc::ClientContext context;
  v1::VersionResponse version;
  ASSERT_TRUE(node_.control().Version(&context, {}, &version).ok());
  EXPECT_EQ(version.emulated_kubelet(), "latest");
  EXPECT_EQ(version.root_dir(), node_.paths().root);
  EXPECT_EQ(version.node_name(), "node");
}

TEST_F(ControlServiceTest, AWatcherSeesOnlyTheKindsThatItAsksForAndFromWhereItWas) {
  ASSERT_TRUE(node_.Admit(kPod)->admitted());
  ASSERT_TRUE(node_.Prepare("u")->prepared());
  grpc::ClientContext context;
  v1::WatchRequest request;
  request.set_since(1);
  request.add_kinds("PodPrepared");
  const auto stream = node_.control().Watch(&context, request);
  v1::Event event;
  ASSERT_TRUE(stream->Read(&event));
  EXPECT_EQ(event.kind(), "PodPrepared");
  EXPECT_EQ(event.details().at("uid"), "u");
  context.TryCancel();
}

TEST_F(ControlServiceTest, AWatchFromAnotherRunOfTheDaemonIsOutOfRange) {
  ASSERT_TRUE(node_.Admit(kPod)->admitted());
  grpc::ClientContext context;
  v1::VersionResponse version;
  ASSERT_TRUE(node_.control().Version(&context, {}, &version).ok());
  const auto watch = [&](uint64_t since, int64_t started) {
    grpc::ClientContext watching;
    v1::WatchRequest request;
    request.set_since(since);
    request.set_since_started_unix_nanos(started);
    request.set_until_now(true);
    const auto stream = node_.control().Watch(&watching, request);
    for (v1::Event event; stream->Read(&event);) {
    }
    return stream->Finish().error_code();
  };
  EXPECT_EQ(watch(1, 0), grpc::StatusCode::OK);
  EXPECT_EQ(watch(1, version.started_unix_nanos()), grpc::StatusCode::OK);
  EXPECT_EQ(watch(1'000'000, 0), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(watch(1, version.started_unix_nanos() - 1), grpc::StatusCode::OUT_OF_RANGE);
}

TEST_F(ControlServiceTest, TooManyWatchesAreRefused) {
  struct Watching {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::Event>> stream;
  };
  ASSERT_TRUE(node_.Admit(kPod)->admitted());
  v1::WatchRequest request;
  request.set_from_start(true);
  std::vector<std::unique_ptr<Watching>> watches;
  for (int i = 0; i < ControlService::kMostWatches; ++i) {
    auto& watch = watches.emplace_back(std::make_unique<Watching>());
    watch->stream = node_.control().Watch(&watch->context, request);
    v1::Event event;
    ASSERT_TRUE(watch->stream->Read(&event));  // it has begun
  }
  grpc::ClientContext context;
  const auto one_more = node_.control().Watch(&context, request);
  v1::Event event;
  EXPECT_FALSE(one_more->Read(&event));
  EXPECT_EQ(one_more->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  for (const auto& watch : watches) watch->context.TryCancel();
}

TEST_F(ControlServiceTest, OnlyTheDaemonsUserCanOpenTheSocket) {
  EXPECT_EQ(node_.machine.files.Stat(node_.paths().control_socket)->mode, 0600u);
}

}  // namespace
}  // namespace kubelet_cm
