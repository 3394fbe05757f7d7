// BundleParts: the files of a bundle, collected one after another. What cannot be had is noted, and nothing stops.
#ifndef KUBELET_CM_TOOLS_CMCTL_BUNDLE_BUNDLE_PARTS_H_
#define KUBELET_CM_TOOLS_CMCTL_BUNDLE_BUNDLE_PARTS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message.h"
#include "tools/cmctl/node/control_client.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

// One thread.
class BundleParts {
 public:
  struct Part {
    std::string name = {};
    std::string bytes = {};
  };

  // `environment` outlives the object.
  explicit BundleParts(const ToolEnvironment& environment) : environment_(environment) {}

  // The state files below the daemon's root folder, redacted, and a listing of its folders.
  void AddState(const std::string& root);
  // What the daemon says.
  void AddAnswers(ControlClient& daemon);
  void AddPodResources(const std::string& root);
  // /metrics, /healthz?verbose, /statusz, /configz, /flagz.
  void AddPages(const std::string& address, int port);

  // What could not be had, one line each.
  const std::vector<std::string>& missing() const { return missing_; }
  void Miss(const std::string& what, const absl::Status& why);

  const std::vector<Part>& parts() const { return parts_; }

 private:
  void AddStateFile(const std::string& folder, const std::string& name);
  void AddFolder(const std::string& folder, std::string* listing);
  template <typename Message>
  void AddAnswer(const std::string& name, const absl::StatusOr<Message>& answer);
  void AddEvents(ControlClient& daemon);

  const ToolEnvironment& environment_;
  std::vector<Part> parts_;
  std::vector<std::string> missing_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_BUNDLE_BUNDLE_PARTS_H_
