// FakeConnections: a node of which a test says everything. One thread.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_FAKE_CONNECTIONS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_FAKE_CONNECTIONS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "tools/cmctl/node/fake_control_client.h"
#include "tools/cmctl/node/node_connections.h"

namespace kubelet_cm::cmctl {

struct FakePodResources {
  absl::Status error = absl::OkStatus();  // instead of any answer
  bool only_v1alpha1 = false;
  ::v1::ListPodResourcesResponse list;
  ::v1::GetPodResourcesResponse get;
  ::v1::AllocatableResourcesResponse allocatable;
  std::string asked;  // the pod of the last Get
};

class FakePodResourcesClient : public PodResourcesClient {
 public:
  // `server` outlives the client.
  explicit FakePodResourcesClient(FakePodResources& server) : server_(server) {}

  absl::StatusOr<::v1::ListPodResourcesResponse> List() override { return Tell(server_.list); }
  absl::StatusOr<::v1::ListPodResourcesResponse> ListV1Alpha1() override {
    return server_.only_v1alpha1 ? absl::StatusOr<::v1::ListPodResourcesResponse>(server_.list)
                                 : absl::UnimplementedError("unknown service v1alpha1.PodResourcesLister");
  }
  absl::StatusOr<::v1::GetPodResourcesResponse> Get(const std::string& namespace_name,
                                                    const std::string& name) override {
    server_.asked = namespace_name + "/" + name;
    return Tell(server_.get);
  }
  absl::StatusOr<::v1::AllocatableResourcesResponse> Allocatable() override { return Tell(server_.allocatable); }

 private:
  template <typename Response>
  absl::StatusOr<Response> Tell(const Response& response) const {
    if (!server_.error.ok()) return server_.error;
    if (server_.only_v1alpha1) return absl::UnimplementedError("unknown service v1.PodResourcesLister");
    return response;
  }

  FakePodResources& server_;
};

class FakeConnections : public NodeConnections {
 public:
  FakeDaemon daemon;
  FakePodResources pod_resources;
  // Makes the client of a device plugin; null: there is no plugin.
  std::function<std::unique_ptr<deviceplugin::PluginClient>(deviceplugin::PluginApi)> plugin;
  absl::StatusOr<SocketReport> report = absl::UnavailableError("nobody speaks gRPC there");
  std::map<std::string, std::string> pages;  // "127.0.0.1:10248/metrics"

  absl::StatusOr<std::unique_ptr<ControlClient>> Control(const std::string&) override {
    return std::make_unique<FakeControlClient>(daemon);
  }
  absl::StatusOr<std::unique_ptr<PodResourcesClient>> PodResources(const std::string&) override {
    return std::make_unique<FakePodResourcesClient>(pod_resources);
  }
  absl::StatusOr<std::unique_ptr<deviceplugin::PluginClient>> Plugin(const std::string&,
                                                                     deviceplugin::PluginApi api) override {
    if (plugin == nullptr) return absl::DeadlineExceededError("failed to dial device plugin");
    return plugin(api);
  }
  absl::StatusOr<SocketReport> Probe(const std::string&) override { return report; }
  absl::StatusOr<std::string> Page(const std::string& address, int port, const std::string& path) override {
    const auto page = pages.find(address + ":" + std::to_string(port) + path);
    if (page == pages.end()) return absl::UnavailableError("http://" + address + ": Connection");
    return page->second;
  }
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_FAKE_CONNECTIONS_H_
