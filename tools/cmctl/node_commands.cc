#include "tools/cmctl/node_commands.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr char kPod[] = "a pod: its uid, NAME or NAMESPACE/NAME";
constexpr char kClaim[] = "a claim: its uid, NAME or NAMESPACE/NAME";
constexpr char kNamespace[] = "the namespace of a NAME without one (default: default)";
constexpr char kSecrets[] = "with the values of environment variables";

constexpr char kGetFooter[] =
    "Examples:\n"
    "  cmctl get devices\n"
    "  cmctl get pods -o wide --watch\n"
    "  cmctl get resources example.com/gpu -o json\n"
    "  cmctl get events PodRefused --watch";

constexpr char kAdmitFooter[] =
    "Examples:\n"
    "  cmctl admit -f examples/pod.yaml\n"
    "  kubectl get pod web -o json | cmctl admit -f -\n"
    "Exit codes: 0 admitted, 1 refused (at least one of the pods), 2 no manifest of a pod.";

constexpr char kPodresFooter[] =
    "Examples:\n"
    "  cmctl podres list\n"
    "  cmctl podres list --endpoint /var/lib/kubelet/pod-resources/kubelet.sock -o json\n"
    "  cmctl podres get default/web";

constexpr char kProbeFooter[] =
    "A device plugin's ListAndWatch is opened for its first message and cancelled: some plugins serve one such stream "
    "at\n"
    "a time. Nothing else that a plugin acts on is called.\n"
    "Examples:\n"
    "  cmctl plugin probe /var/lib/kubelet/plugins_registry/driver.example.com-reg.sock\n"
    "  cmctl plugin probe -o json /var/lib/kubelet/device-plugins/gpu.sock";

constexpr char kCallFooter[] =
    "Allocate and PreStartContainer do to the plugin what a kubelet's calls do.\n"
    "Examples:\n"
    "  cmctl plugin call gpu.sock options\n"
    "  cmctl plugin call gpu.sock list --watch\n"
    "  cmctl plugin call gpu.sock allocate dev-0 dev-1\n"
    "  cmctl plugin call gpu.sock preferred dev-0 dev-1 dev-2 --size 2 --must-include dev-0";

constexpr char kBundleFooter[] =
    "State files, lists, events, pages and versions, without secrets: docs/cmctl.md lists what is in it.\n"
    "Examples:\n"
    "  cmctl bundle\n"
    "  cmctl bundle -o - | ssh elsewhere 'cat >bundle.tar.gz'";

void AddFormat(CLI::App* verb, std::string* output, const std::vector<std::string>& formats) {
  std::string meaning;
  for (const std::string& format : formats) {
    if (!meaning.empty()) meaning += &format == &formats.back() ? " or " : ", ";
    meaning += format;
  }
  verb->add_option("-o,--output", *output, meaning)->check(CLI::IsMember(formats));
}

void AddNamespace(CLI::App* verb, std::string* namespace_name) {
  verb->add_option("-n,--namespace", *namespace_name, kNamespace);
}

// What names a thing of that kind.
const char* Naming(const std::string& kind) {
  if (kind == "pod") return kPod;
  return kind == "claim" ? kClaim : "its name";
}

struct Kind {
  const char* plural;
  const char* singular;
  const char* meaning;
  const char* argument;
};

constexpr Kind kLists[] = {
    {"devices", "device", "The devices of device plugins, and who holds them.", "RESOURCE"},
    {"resources", "resource", "The resources of device plugins.", "RESOURCE"},
    {"plugins", "plugin", "Device plugins and DRA drivers.", "PLUGIN"},
    {"pods", "pod", "Pods, and how far they are.", "POD"},
    {"claims", "claim", "ResourceClaims that pods of this node use.", "CLAIM"},
    {"endpoints", "endpoint", "The sockets of plugins.", "ENDPOINT"},
    {"events", "event", "What happened, oldest first.", "KIND"},
};

}  // namespace

NodeCommands::NodeCommands(CLI::App& app) {
  AddGet(app);
  AddTelling(app, "describe", "All that is known of one thing.");
  AddTelling(app, "explain", "Why a pod was refused, why a claim is stuck, who holds a resource.");
  AddAdmit(app);
  AddPodVerbs(app);
  AddContainerVerbs(app);
  AddClaim(app);
  AddPodres(app);
  AddPlugin(app);
  AddNode(app);
}

std::optional<int> NodeCommands::Run(const ToolEnvironment& environment) const {
  for (const auto& [parsed, run] : verbs_) {
    if (parsed->parsed()) return run(environment);
  }
  return std::nullopt;
}

void NodeCommands::AddConnection(CLI::App* verb, ConnectionFlags* flags) {
  verb->add_option("--endpoint", flags->endpoint, "the daemon's socket (default: $KUBELET_CM_ENDPOINT)");
  verb->add_option("--root-dir", flags->root_dir,
                   "the daemon's root folder (default: ${XDG_STATE_HOME:-~/.local/state}/kubelet_cm)");
}

void NodeCommands::AddPod(CLI::App* verb, PodChoice* choice) {
  verb->add_option("POD", choice->pod, kPod)->required();
  AddNamespace(verb, &choice->namespace_name);
  AddConnection(verb, &choice->connection);
}

void NodeCommands::AddGet(CLI::App& app) {
  CLI::App* group = app.add_subcommand("get", "Lists what is on the node, once or as it changes.");
  group->require_subcommand(1);
  group->footer(kGetFooter);
  for (const Kind& kind : kLists) {
    CLI::App* verb = group->add_subcommand(kind.plural, kind.meaning)->alias(kind.singular);
    verb->footer(kGetFooter);
    verb->add_option(kind.argument, get_.name, "only this one");
    AddFormat(verb, &get_.output, {"table", "wide", "json", "yaml", "name"});
    verb->add_flag("-w,--watch", get_.watch, "then what changes, until the daemon goes");
    verb->add_flag("--no-headers", get_.no_headers, "no line of headings");
    AddNamespace(verb, &get_.namespace_name);
    AddConnection(verb, &get_.connection);
    When(verb, [this, kind](const ToolEnvironment& environment) {
      GetOptions options = get_;
      options.kind = kind.plural;
      return RunGet(options, environment);
    });
  }
}

void NodeCommands::AddTelling(CLI::App& app, const std::string& name, const std::string& meaning) {
  const bool explain = name == "explain";
  CLI::App* group = app.add_subcommand(name, meaning);
  group->require_subcommand(1);
  const std::string footer = "Examples:\n  cmctl " + name + " pod default/web\n  cmctl " + name +
                             " claim default/gpus\n  cmctl " + name + " resource example.com/gpu";
  group->footer(footer);
  for (const char* kind : {"pod", "claim", "resource", "plugin"}) {
    if (explain && std::string(kind) == "plugin") continue;
    CLI::App* verb = group->add_subcommand(kind, "Of one " + std::string(kind) + ".");
    verb->footer(footer);
    verb->add_option("NAME", subject_.name, Naming(kind))->required();
    AddNamespace(verb, &subject_.namespace_name);
    if (explain) AddFormat(verb, &subject_.output, {"text", "json", "yaml"});
    AddConnection(verb, &subject_.connection);
    When(verb, [this, kind, explain](const ToolEnvironment& environment) {
      SubjectOptions options = subject_;
      options.kind = kind;
      return explain ? RunExplainNode(options, environment) : RunDescribe(options, environment);
    });
  }
}

void NodeCommands::AddAdmit(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("admit", "Asks the daemon to admit the pods of a manifest.");
  verb->footer(kAdmitFooter);
  verb->add_option("-f,--filename", admit_.file, "pods in YAML or JSON, or - for standard input")->required();
  AddFormat(verb, &admit_.output, {"text", "json", "yaml"});
  AddConnection(verb, &admit_.connection);
  When(verb, [this](const ToolEnvironment& environment) { return RunAdmit(admit_, environment); });
}

void NodeCommands::AddPodVerbs(CLI::App& app) {
  CLI::App* prepare = app.add_subcommand("prepare", "Prepares a pod's claims, as before its sandbox is made.");
  prepare->footer("Examples:\n  cmctl prepare default/web\nExit codes: 0 prepared, 1 not yet.");
  AddPod(prepare, &pod_);
  When(prepare, [this](const ToolEnvironment& environment) { return RunPrepare(pod_, environment); });

  CLI::App* group = app.add_subcommand("delete", "Removes a pod.");
  group->require_subcommand(1);
  CLI::App* pod = group->add_subcommand("pod", "Unprepares its claims and frees its devices.");
  const char* const footer =
      "Examples:\n  cmctl delete pod default/web\n  cmctl delete pod --force default/web\n"
      "Exit codes: 0 removed, 1 terminating: it is tried again by itself.";
  group->footer(footer);
  pod->footer(footer);
  AddPod(pod, &delete_.choice);
  pod->add_flag("--force", delete_.force, "forget it at once; what is left of its claims is cleared up later");
  When(pod, [this](const ToolEnvironment& environment) { return RunDelete(delete_, environment); });
}

void NodeCommands::AddContainerVerbs(CLI::App& app) {
  CLI::App* start = app.add_subcommand("start", "Tells the daemon that a container has started.");
  start->footer("Examples:\n  cmctl start default/web app");
  AddPod(start, &pod_);
  start->add_option("CONTAINER", container_, "the container's name")->required();
  When(start, [this](const ToolEnvironment& environment) { return RunStarted(pod_, container_, environment); });

  CLI::App* exit = app.add_subcommand("exit", "Tells the daemon that a container has exited.");
  exit->footer("Examples:\n  cmctl exit default/web app");
  AddPod(exit, &pod_);
  exit->add_option("CONTAINER", container_, "the container's name")->required();
  When(exit, [this](const ToolEnvironment& environment) { return RunExited(pod_, container_, environment); });

  CLI::App* options = app.add_subcommand("options", "What a container is started with: mounts, devices, CDI names.");
  options->footer("Examples:\n  cmctl options default/web app\n  cmctl options default/web app -o json --show-secrets");
  AddPod(options, &options_.choice);
  options->add_option("CONTAINER", options_.container, "the container's name")->required();
  AddFormat(options, &options_.output, {"text", "json", "yaml"});
  options->add_flag("--show-secrets", options_.show_secrets, kSecrets);
  When(options, [this](const ToolEnvironment& environment) { return RunContainerOptions(options_, environment); });
}

void NodeCommands::AddClaim(CLI::App& app) {
  CLI::App* group = app.add_subcommand("claim", "Mends what is wrong with a claim.");
  group->require_subcommand(1);
  CLI::App* forget = group->add_subcommand("forget", "Removes a claim whose unprepare fails for good.");
  const char* const footer =
      "Its drivers are not told: say it of a driver that never comes back, and of devices that are clean.\n"
      "Examples:\n  cmctl claim forget default/gpus --who 'alice, ticket 123'";
  group->footer(footer);
  forget->footer(footer);
  forget->add_option("CLAIM", forget_.claim, kClaim)->required();
  AddNamespace(forget, &forget_.namespace_name);
  forget->add_option("--who", forget_.who, "who says so, for the log (default: $USER)");
  AddConnection(forget, &forget_.connection);
  When(forget, [this](const ToolEnvironment& environment) { return RunForgetClaim(forget_, environment); });
}

void NodeCommands::AddPodres(CLI::App& app) {
  CLI::App* group = app.add_subcommand("podres", "Asks the podresources API of the daemon, or of any kubelet.");
  group->require_subcommand(1);
  group->footer(kPodresFooter);
  const auto add = [&](const std::string& call, const std::string& meaning) {
    CLI::App* verb = group->add_subcommand(call, meaning);
    verb->footer(kPodresFooter);
    if (call == "get") {
      verb->add_option("POD", podres_.pod, "NAME or NAMESPACE/NAME")->required();
      AddNamespace(verb, &podres_.namespace_name);
    }
    AddFormat(verb, &podres_.output, {"table", "json", "yaml"});
    verb->add_flag("--no-headers", podres_.no_headers, "no line of headings");
    verb->add_option("--endpoint", podres_.endpoint,
                     "the podresources socket (default: pod-resources/kubelet.sock in the root folder)");
    verb->add_option("--root-dir", podres_.root_dir, "the root folder of the daemon or kubelet");
    When(verb, [this, call](const ToolEnvironment& environment) {
      PodresOptions options = podres_;
      options.call = call;
      return RunPodres(options, environment);
    });
  };
  add("list", "What the containers of all pods hold.");
  add("get", "What the containers of one pod hold.");
  add("allocatable", "All devices that are healthy, be they given away or not.");
}

void NodeCommands::AddPlugin(CLI::App& app) {
  CLI::App* group = app.add_subcommand("plugin", "Speaks to a plugin's socket, without a daemon.");
  group->require_subcommand(1);
  CLI::App* probe = group->add_subcommand("probe", "What is this socket?");
  group->footer(kProbeFooter);
  probe->footer(kProbeFooter);
  probe->add_option("SOCKET", probe_.socket, "a path")->required();
  AddFormat(probe, &probe_.output, {"text", "json", "yaml"});
  When(probe, [this](const ToolEnvironment& environment) { return RunProbe(probe_, environment); });

  CLI::App* call = group->add_subcommand("call", "Calls a device plugin as a kubelet does.");
  call->footer(kCallFooter);
  call->add_option("SOCKET", call_.socket, "a path")->required();
  call->add_option("CALL", call_.call, "options, list, allocate, prestart or preferred")
      ->required()
      ->check(CLI::IsMember({"options", "list", "allocate", "prestart", "preferred"}));
  call->add_option("DEVICE", call_.devices, "ids of devices; preferred: those that are available");
  call->add_option("--api", call_.api, "the API that it speaks: v1beta1, v1alpha2 or 0.1")
      ->check(CLI::IsMember({"v1beta1", "v1alpha2", "0.1"}));
  call->add_option("--size", call_.size, "preferred: how many are wanted")->check(CLI::PositiveNumber);
  call->add_option("--must-include", call_.must_include, "preferred: an id that must be among them")
      ->allow_extra_args(false);
  call->add_flag("-w,--watch", call_.watch, "list: every message, not only the first");
  call->add_flag("--show-secrets", call_.show_secrets, kSecrets);
  AddFormat(call, &call_.output, {"text", "json", "yaml"});
  When(call, [this](const ToolEnvironment& environment) { return RunPluginCall(call_, environment); });
}

void NodeCommands::AddNode(CLI::App& app) {
  CLI::App* drain = app.add_subcommand("drain", "From now on no pod is admitted, until the daemon starts again.");
  drain->footer("Examples:\n  cmctl drain");
  AddConnection(drain, &drain_);
  When(drain, [this](const ToolEnvironment& environment) { return RunDrain(drain_, environment); });

  CLI::App* bundle = app.add_subcommand("bundle", "Packs what a bug report needs into one archive.");
  bundle->footer(kBundleFooter);
  bundle->add_option("-o,--output", bundle_.out,
                     "the file, or - for standard output (default: kubelet_cm-bundle-TIME.tar.gz)");
  bundle->add_flag("--force", bundle_.force, "replace the file if it is there");
  bundle->add_option("--healthz-address", bundle_.health_address,
                     "where the daemon has its pages (default: 127.0.0.1)");
  bundle->add_option("--healthz-port", bundle_.health_port, "the port (default: 10248); 0: there are none")
      ->check(CLI::Range(0, 65535));
  AddConnection(bundle, &bundle_.connection);
  When(bundle, [this](const ToolEnvironment& environment) { return RunBundle(bundle_, environment); });

  CLI::App* version = app.add_subcommand("version", "The versions of this program and of the daemon.");
  version->footer("Examples:\n  cmctl version\n  cmctl version --client");
  version->add_flag("--client", version_.client_only, "only of this program");
  AddFormat(version, &version_.output, {"text", "json", "yaml"});
  AddConnection(version, &version_.connection);
  When(version, [this](const ToolEnvironment& environment) { return RunVersion(version_, environment); });
}

}  // namespace kubelet_cm::cmctl
