// What tests of the API server's clients start from: a fake server on the loopback interface, a real HTTP client, and a
// clock that stands still until a test moves it.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_SCENE_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_SCENE_H_

#include <memory>
#include <string>
#include <utility>

#include "common/clock/fake_clock.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/claim/claim_object.h"
#include "gtest/gtest.h"
#include "kubelet_cm/apiserver/api_access.h"
#include "kubelet_cm/apiserver/api_server.h"
#include "kubelet_cm/apiserver/curl_client.h"
#include "kubelet_cm/apiserver/resource_api.h"
#include "testing/fakes/fake_api_server.h"

namespace kubelet_cm::apiserver {

inline dra::ClaimObject SampleClaim(const std::string& name, const std::string& uid = "u1") {
  return {.id = {"default", name, uid},
          .reserved_for = {{"", "pods", "p", "pod-uid"}},
          .allocation =
              dra::Allocation{.results = {{.request = "r", .driver = "d.example.com", .pool = "p", .device = "d0"}}}};
}

class ApiScene : public testing::Test {
 protected:
  void SetUp() override { Serve({}); }

  // In place of what there was: nothing is connected any more.
  void Serve(fakes::FakeApiServer::Options options, ApiAccess access = {}) {
    api_.reset();
    api_server_.reset();
    http_.reset();
    ASSERT_OK_AND_ASSIGN(server_, fakes::FakeApiServer::New(real_threads_, std::move(options)));
    access.server = server_->url();
    http_ = std::make_unique<CurlClient>(access);
    api_server_ = std::make_unique<ApiServer>(ApiServer::Dependencies{clock_, files_, *http_}, access);
    api_ = std::make_unique<ResourceApi>(*api_server_);
  }

  void PutFile(const std::string& path, const std::string& text) {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/new", OpenMode::kCreate));
    ASSERT_OK(file->Write(text));
    ASSERT_OK(files_.Rename("/new", path));
  }

  CallLimits Limits() const { return {.deadline = clock_.MonotonicNow() + absl::Seconds(20)}; }

  RealClock real_clock_;
  RealThreads real_threads_{real_clock_};
  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  AwaitingLogger log_;
  std::unique_ptr<fakes::FakeApiServer> server_;
  std::unique_ptr<CurlClient> http_;
  std::unique_ptr<ApiServer> api_server_;
  std::unique_ptr<ResourceApi> api_;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_SCENE_H_
