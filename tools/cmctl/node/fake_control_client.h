// FakeControlClient: a daemon that answers what a test gives it, and remembers what it was asked. One thread.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_FAKE_CONTROL_CLIENT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_FAKE_CONTROL_CLIENT_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "google/protobuf/message.h"
#include "tools/cmctl/node/control_client.h"

namespace kubelet_cm::cmctl {

// What the daemon says; a test changes it at will.
struct FakeDaemon {
  absl::Status error = absl::OkStatus();  // instead of any answer
  v1::AdmitPodResponse admit;
  v1::PreparePodResponse prepare;
  v1::ContainerOptionsResponse options;
  v1::RemovePodResponse remove;
  v1::ListPodsResponse pods;
  v1::NodeResourcesResponse resources;
  v1::ListPluginsResponse plugins;
  v1::ListClaimsResponse claims;
  v1::ExplainResponse explain;
  v1::ForgetClaimResponse forget;
  v1::VersionResponse version;
  // What a watch tells, one after another: a change to the above, and its event or the watch's end. It ends after the
  // last.
  std::deque<std::function<absl::StatusOr<v1::Event>()>> happens;

  std::vector<std::string> asked;  // requests with a content, as "Method field: value ..."
};

class FakeControlClient : public ControlClient {
 public:
  // `daemon` outlives the client.
  explicit FakeControlClient(FakeDaemon& daemon) : daemon_(daemon) {}

  absl::StatusOr<v1::AdmitPodResponse> AdmitPod(const v1::AdmitPodRequest& request) override {
    return Answer("AdmitPod", request, daemon_.admit);
  }
  absl::StatusOr<v1::PreparePodResponse> PreparePod(const v1::PreparePodRequest& request) override {
    return Answer("PreparePod", request, daemon_.prepare);
  }
  absl::StatusOr<v1::ContainerOptionsResponse> ContainerOptions(const v1::ContainerOptionsRequest& request) override {
    return Answer("ContainerOptions", request, daemon_.options);
  }
  absl::Status ContainerStarted(const v1::ContainerStartedRequest& request) override {
    return Answer("ContainerStarted", request, v1::ContainerStartedResponse()).status();
  }
  absl::Status ContainerExited(const v1::ContainerExitedRequest& request) override {
    return Answer("ContainerExited", request, v1::ContainerExitedResponse()).status();
  }
  absl::StatusOr<v1::RemovePodResponse> RemovePod(const v1::RemovePodRequest& request) override {
    return Answer("RemovePod", request, daemon_.remove);
  }
  absl::StatusOr<v1::ListPodsResponse> ListPods() override { return Tell(daemon_.pods); }
  absl::StatusOr<v1::NodeResourcesResponse> NodeResources() override { return Tell(daemon_.resources); }
  absl::StatusOr<v1::ListPluginsResponse> ListPlugins() override { return Tell(daemon_.plugins); }
  absl::StatusOr<v1::ListClaimsResponse> ListClaims() override { return Tell(daemon_.claims); }
  absl::StatusOr<v1::ExplainResponse> Explain(const v1::ExplainRequest& request) override {
    return Answer("Explain", request, daemon_.explain);
  }
  using ControlClient::Watch;
  std::unique_ptr<EventStream> Watch(const v1::WatchRequest& request, absl::Duration) override {
    daemon_.asked.push_back("Watch " + request.ShortDebugString());
    return std::make_unique<Stream>(daemon_);
  }
  absl::StatusOr<v1::ForgetClaimResponse> ForgetClaim(const v1::ForgetClaimRequest& request) override {
    return Answer("ForgetClaim", request, daemon_.forget);
  }
  absl::Status Drain() override { return Answer("Drain", v1::DrainRequest(), v1::DrainResponse()).status(); }
  absl::StatusOr<v1::VersionResponse> Version() override { return Tell(daemon_.version); }

 private:
  class Stream : public EventStream {
   public:
    explicit Stream(FakeDaemon& daemon) : daemon_(daemon) {}
    absl::StatusOr<v1::Event> Next() override {
      if (!daemon_.error.ok()) return daemon_.error;
      if (daemon_.happens.empty()) return absl::OutOfRangeError("the daemon has ended the watch");
      const std::function<absl::StatusOr<v1::Event>()> next = std::move(daemon_.happens.front());
      daemon_.happens.pop_front();
      return next();
    }

   private:
    FakeDaemon& daemon_;
  };

  template <typename Response>
  absl::StatusOr<Response> Tell(const Response& response) const {
    if (!daemon_.error.ok()) return daemon_.error;
    return response;
  }
  template <typename Response>
  absl::StatusOr<Response> Answer(const std::string& method, const google::protobuf::Message& request,
                                  const Response& response) {
    daemon_.asked.push_back(method + " " + request.ShortDebugString());
    return Tell(response);
  }

  FakeDaemon& daemon_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_FAKE_CONTROL_CLIENT_H_
