// The subcommands of cmctl that talk to what runs on the node: flags and help texts.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_COMMANDS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_COMMANDS_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "tools/cmctl/bundle/bundle.h"
#include "tools/cmctl/node/get.h"
#include "tools/cmctl/node/node_verbs.h"
#include "tools/cmctl/node/plugin_verbs.h"
#include "tools/cmctl/node/pod_verbs.h"
#include "tools/cmctl/node/podres_verbs.h"

namespace kubelet_cm::cmctl {

// What the command line said. Lives as long as the CLI::App that fills it.
class NodeCommands {
 public:
  // Adds the verbs to `app`, which this object must outlive.
  explicit NodeCommands(CLI::App& app);
  NodeCommands(const NodeCommands&) = delete;
  NodeCommands& operator=(const NodeCommands&) = delete;

  // Runs the verb that was parsed; nothing if it was none of these.
  std::optional<int> Run(const ToolEnvironment& environment) const;

 private:
  using Verb = std::function<int(const ToolEnvironment&)>;

  void AddGet(CLI::App& app);
  void AddTelling(CLI::App& app, const std::string& name, const std::string& meaning);
  void AddAdmit(CLI::App& app);
  void AddPodVerbs(CLI::App& app);
  void AddContainerVerbs(CLI::App& app);
  void AddClaim(CLI::App& app);
  void AddPodres(CLI::App& app);
  void AddPlugin(CLI::App& app);
  void AddNode(CLI::App& app);

  // --endpoint and --root-dir.
  void AddConnection(CLI::App* verb, ConnectionFlags* flags);
  // POD, and the flags that go with it.
  void AddPod(CLI::App* verb, PodChoice* choice);
  void When(const CLI::App* parsed, Verb run) { verbs_.emplace_back(parsed, std::move(run)); }

  std::vector<std::pair<const CLI::App*, Verb>> verbs_;
  GetOptions get_;
  SubjectOptions subject_;
  AdmitOptions admit_;
  PodChoice pod_;
  DeleteOptions delete_;
  std::string container_;
  ContainerOptionsOptions options_;
  ForgetOptions forget_;
  PodresOptions podres_;
  ProbeOptions probe_;
  PluginCallOptions call_;
  ConnectionFlags drain_;
  BundleOptions bundle_;
  VersionOptions version_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_COMMANDS_H_
