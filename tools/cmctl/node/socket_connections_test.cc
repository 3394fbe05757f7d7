#include "tools/cmctl/node/socket_connections.h"

#include <memory>
#include <string>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/http/http_server.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"
#include "testing/fakes/fake_device_plugin.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;

class SmallLister : public ::v1::PodResourcesLister::Service {
 public:
  grpc::Status List(grpc::ServerContext*, const ::v1::ListPodResourcesRequest*,
                    ::v1::ListPodResourcesResponse* response) override {
    response->add_pod_resources()->set_name("web");
    return grpc::Status::OK;
  }
  grpc::Status Get(grpc::ServerContext*, const ::v1::GetPodResourcesRequest* request,
                   ::v1::GetPodResourcesResponse* response) override {
    response->mutable_pod_resources()->set_name(request->pod_namespace() + "/" + request->pod_name());
    return grpc::Status::OK;
  }
};

class OldLister : public ::v1alpha1::PodResourcesLister::Service {
 public:
  grpc::Status List(grpc::ServerContext*, const ::v1alpha1::ListPodResourcesRequest*,
                    ::v1alpha1::ListPodResourcesResponse* response) override {
    auto& pod = *response->add_pod_resources();
    pod.set_name("web");
    pod.set_namespace_("ns");
    auto& container = *pod.add_containers();
    container.set_name("app");
    auto& devices = *container.add_devices();
    devices.set_resource_name("example.com/gpu");
    devices.add_device_ids("dev-0");
    return grpc::Status::OK;
  }
};

class SocketConnectionsTest : public testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  CapturingLogger log_;
  SocketConnections node_{files_, log_};
};

TEST_F(SocketConnectionsTest, PodResourcesAreThoseOfTheSocket) {
  SmallLister lister;
  const std::string path = folder_.File("d/k.sock");
  ASSERT_OK_AND_ASSIGN(const auto server, UnixSocketServer::New(files_, {&lister}, {.path = path}));
  ASSERT_OK_AND_ASSIGN(const auto client, node_.PodResources(path));
  EXPECT_EQ(client->List()->pod_resources(0).name(), "web");
  EXPECT_EQ(client->Get("ns", "a")->pod_resources().name(), "ns/a");
  EXPECT_THAT(client->Allocatable().status(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(SocketConnectionsTest, AnOldKubeletIsAskedInItsOwnApi) {
  OldLister lister;
  const std::string path = folder_.File("d/k.sock");
  ASSERT_OK_AND_ASSIGN(const auto server, UnixSocketServer::New(files_, {&lister}, {.path = path}));
  ASSERT_OK_AND_ASSIGN(const auto client, node_.PodResources(path));
  EXPECT_THAT(client->List().status(), StatusIs(absl::StatusCode::kUnimplemented));
  ASSERT_OK_AND_ASSIGN(const ::v1::ListPodResourcesResponse answer, client->ListV1Alpha1());
  EXPECT_EQ(answer.ShortDebugString(),
            "pod_resources { name: \"web\" namespace: \"ns\" containers { name: \"app\" devices { resource_name: "
            "\"example.com/gpu\" device_ids: \"dev-0\" } } }");
}

TEST_F(SocketConnectionsTest, APageIsTheBodyAndAnErrorSaysWhere) {
  ASSERT_OK_AND_ASSIGN(
      const auto server,
      http::HttpServer::New(threads_, log_,
                            {{"/metrics", [](const http::HttpRequest&) { return http::HttpAnswer{.body = "up 1\n"}; }},
                             {"/healthz",
                              [](const http::HttpRequest& request) {
                                return http::HttpAnswer{.status = 500,
                                                        .body = request.Has("verbose") ? "all" : "little"};
                              }}},
                            {.port = 0}));
  EXPECT_THAT(node_.Page("127.0.0.1", server->port(), "/metrics"), IsOkAndHolds("up 1\n"));
  EXPECT_THAT(node_.Page("127.0.0.1", server->port(), "/healthz?verbose").status(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/healthz?verbose: status 500: all")));
  const int port = server->port();
  server->Shutdown();
  EXPECT_THAT(node_.Page("127.0.0.1", port, "/metrics").status(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("/metrics: ")));
}

TEST_F(SocketConnectionsTest, APluginIsCalledAndProbed) {
  fakes::FakeDevicePlugin plugin({threads_, files_}, {.folder = folder_.path()});
  ASSERT_OK(plugin.Start());
  ASSERT_OK_AND_ASSIGN(const auto client, node_.Plugin(plugin.socket_path(), deviceplugin::PluginApi::kV1Beta1));
  EXPECT_OK(client->GetOptions(absl::Seconds(30)));
  client->Disconnect();
  ASSERT_OK_AND_ASSIGN(const SocketReport report, node_.Probe(plugin.socket_path()));
  EXPECT_EQ(report.services.size(), 1u);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
