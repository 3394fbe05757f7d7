#include "testing/scenarios/program_node.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "common/threads/notification.h"
#include "deviceplugin/registration/api_versions.h"
#include "testing/scenarios/cdi_folder.h"
#include "testing/scenarios/dies_at.h"
#include "testing/scenarios/driver_api.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/program_calls.h"
#include "testing/scenarios/program_flags.h"
#include "testing/scenarios/program_pod_resources.h"
#include "testing/scenarios/program_settling.h"
#include "testing/scenarios/program_sight.h"
#include "testing/scenarios/put_file.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

namespace v1 = ::kubeletcm::v1;

using harness::ControlClient;

constexpr size_t kMaxFile = size_t{64} << 20;
constexpr absl::Duration kPatience = absl::Seconds(30);
constexpr absl::Duration kForAnEnd = absl::Seconds(2);
constexpr absl::Duration kLook = absl::Milliseconds(5);
constexpr char kKubeletFolder[] = "/var/lib/kubelet";
constexpr char kDeviceFile[] = "device-plugins/kubelet_internal_checkpoint";

deviceplugin::PluginApi PluginApiOf(const Personality& kubelet) {
  const auto& offered = kubelet.device_plugin_versions;
  if (offered.empty()) return deviceplugin::PluginApi::kV1Beta1;
  return deviceplugin::ParseApiVersion(offered.front()).value_or(deviceplugin::PluginApi::kV1Beta1);
}

std::string KubeconfigFor(const std::string& server) {
  return absl::StrCat("apiVersion: v1\nkind: Config\ncurrent-context: c\n",
                      "contexts: [{name: c, context: {cluster: k, user: u}}]\n",
                      "clusters: [{name: k, cluster: {server: '", server, "'}}]\nusers: [{name: u, user: {}}]\n");
}

}  // namespace

// A call about a pod, which a kill waits for.
class ProgramNode::InFlight {
 public:
  explicit InFlight(ProgramNode& node) : node_(node) {
    MutexLock lock(&node_.mu_);
    node_.announced_ = std::max(0, node_.announced_ - 1);
    ++node_.in_flight_;
  }
  ~InFlight() {
    {
      MutexLock lock(&node_.mu_);
      --node_.in_flight_;
    }
    node_.call_ended_->NotifyAll();
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  ProgramNode& node_;
};

ProgramNode::ProgramNode(const proto::Node& machine, ForeignPrograms::Paths programs)
    : began_(process_.machine.clock.MonotonicNow()),
      death_(threads(),
             [this] {
               process_.KillNow();
               const testing::AssertionResult gone = process_.AwaitExit();
               CHECK(gone) << gone.message();
             }),
      plugins_(process_.machine, process_.paths().device_plugins, death_),
      drivers_(process_.machine, process_.paths().plugins, process_.paths().plugins_registry, Place(kCdiFolder),
               death_),
      foreign_(threads(),
               {.root = process_.paths().root,
                .home = process_.PathOf("home"),
                .kubeconfig = process_.PathOf("kubeconfig"),
                .node_name = "node"},
               std::move(programs)),
      call_ended_(threads().NewCondition("calls to a daemon that is killed")) {
  auto server = fakes::FakeApiServer::New(threads(), {});
  CHECK(server.ok()) << server.status();
  api_server_ = *std::move(server);
  api_server_->PutNode("node");
  process_.WriteFile("kubeconfig", KubeconfigFor(api_server_->url()));
  const absl::Status home = process_.machine.files.MakeFolders(process_.PathOf("home"), 0700);
  CHECK(home.ok()) << home;
  process_.flags = FlagsOf(machine);
  process_.flags.push_back(absl::StrCat("--kubeconfig=", process_.PathOf("kubeconfig")));
}

ProgramNode::~ProgramNode() { Kill(); }

absl::Duration ProgramNode::Elapsed() const { return process_.machine.clock.MonotonicNow() - began_; }

// --- The kubelet and the machine

absl::Status ProgramNode::Start(const std::string& version) {
  CHECK(!running_) << "a daemon runs";
  ASSIGN_OR_RETURN(kubelet_, ParsePersonality(version));
  drivers_.Hide();
  plugins_.MakeSocketsAnew();
  // Those of daemons that are dead: each keeps a thread of the server busy, and there are sixteen.
  api_server_->EndWatches();
  std::vector<std::string> flags;
  if (version != "latest") flags.push_back(absl::StrCat("--emulate-kubelet=", version));
  lines_.Add(process_.OutputFrom(taken_));
  lines_.EndLine();
  taken_ = 0;
  const testing::AssertionResult started = process_.Start(flags);
  if (!started && !dead()) return absl::FailedPreconditionError(started.message());
  running_ = true;
  // One that is refused tries again when somebody lets it.
  for (const std::string& plugin : plugins_.Up(true)) RegisterPlugin(plugin).IgnoreError();
  return Settle();
}

void ProgramNode::Kill() {
  if (!running_) return;
  const testing::AssertionResult gone = process_.Kill();
  CHECK(gone) << gone.message();
  running_ = false;
  {
    MutexLock lock(&mu_);
    while (in_flight_ > 0) call_ended_->Wait(&mu_);
  }
  plugins_.KubeletIsGone();
  drivers_.KubeletIsGone();
  foreign_.KubeletIsGone();
}

absl::Status ProgramNode::KillAt(const proto::DiesAt& place) {
  const std::optional<std::string> call = CallBeforeWhich(place);
  if (!call.has_value()) return absl::UnimplementedError("a process is not stopped at an operation of its own");
  death_.Arm(*call, std::max(1, place.nth()));
  return absl::OkStatus();
}

bool ProgramNode::TakeDeath() {
  const bool died = death_.Disarm();
  if (died) Kill();
  return died;
}

absl::Status ProgramNode::CutPower(proto::PowerCut::Image) {
  return absl::UnimplementedError("the power of a real disk is not cut");
}

absl::Status ProgramNode::Reboot() {
  Kill();
  plugins_.KillAll();
  drivers_.PowerOff();
  process_.Boot();
  RETURN_IF_ERROR(foreign_.KillAll());
  return EmptyTmpfs(process_.machine.files, Place(kTmpfs));
}

absl::Status ProgramNode::Advance(absl::Duration) { return absl::UnimplementedError("time is real here"); }

bool ProgramNode::Await(absl::FunctionRef<bool()> holds) {
  absl::Status tended;
  const bool over = AwaitFor(kPatience, [&] { return !(tended = foreign_.Tend()).ok() || holds(); });
  return over && tended.ok();
}

absl::Status ProgramNode::LookForEnds() {
  absl::Status ended;
  // A call breaks off before the end of whoever was asked can be seen.
  AwaitFor(kForAnEnd, [&] { return !(ended = foreign_.LookForEnds()).ok() || !foreign_.anybody_is_up(); });
  return ended;
}

bool ProgramNode::AwaitFor(absl::Duration limit, absl::FunctionRef<bool()> holds) {
  const MonotonicTime deadline = process_.machine.clock.MonotonicNow() + limit;
  while (!holds()) {
    if (process_.machine.clock.MonotonicNow() > deadline) return false;
    Notification never(threads(), "another look at a daemon");
    (void)never.WaitFor(kLook);
  }
  return true;
}

absl::Status ProgramNode::Settle() {
  if (!running_) return absl::OkStatus();
  absl::StatusOr<std::string> unseen;
  const bool settled = AwaitFor(foreign_.patience().value_or(kPatience), [&] {
    if (dead()) return true;  // perhaps before it could be asked anything
    unseen = Unseen();
    return dead() || !unseen.ok() || unseen->empty();
  });
  if (dead()) return absl::OkStatus();
  if (settled) return unseen.status();
  return absl::DeadlineExceededError(
      absl::StrCat(*unseen, foreign_.LastWords(), "; the daemon said:\n", process_.output()));
}

// --- What the daemon sees

absl::StatusOr<std::string> ProgramNode::Unseen() {
  const absl::StatusOr<v1::ListPluginsResponse> listed = process_.control().Plugins();
  if (!listed.ok()) return std::string(listed.status().message());
  const absl::StatusOr<v1::NodeResourcesResponse> resources = process_.control().Resources();
  if (!resources.ok()) return std::string(resources.status().message());
  const std::string device_file = ReadFile(absl::StrCat(kKubeletFolder, "/", kDeviceFile)).value_or("");
  const DaemonWords words = {*listed, *resources, device_file};
  for (const auto& [name, plugin] : plugins_.All()) {
    std::string unseen = UnseenPlugin(plugin, words, *kubelet_);
    if (!unseen.empty()) return unseen;
  }
  ASSIGN_OR_RETURN(std::string unseen, foreign_.Unseen(words, *kubelet_));
  if (unseen.empty() && !kubelet_->dra_offer.none()) unseen = UnseenDrivers(Drivers(), drivers_.Unregistered(), words);
  if (!unseen.empty()) return unseen;
  MutexLock lock(&mu_);
  const int held = HeldCount();
  if (announced_ > 0) return "a call is still to begin";
  if (in_flight_ <= held) return "";
  return absl::StrCat(in_flight_, " calls are under way, and ", held, " are held");
}

std::vector<std::string> ProgramNode::TakeLog() {
  if (!listens_) return {};
  lines_.Add(process_.OutputFrom(taken_));
  std::vector<std::string> lines = lines_.Take();
  for (std::string& line : foreign_.TakeOutput()) lines.push_back(std::move(line));
  return lines;
}

std::map<std::string, std::string> ProgramNode::ConnectedPlugins() const {
  std::map<std::string, std::string> connected = plugins_.Connected();
  connected.insert(foreign_.connected_plugins().begin(), foreign_.connected_plugins().end());
  return connected;
}

std::set<std::string> ProgramNode::Drivers() const {
  std::set<std::string> up = drivers_.Up();
  up.insert(foreign_.connected_drivers().begin(), foreign_.connected_drivers().end());
  return up;
}

// --- Plugins, drivers, claims

absl::Status ProgramNode::StartPlugin(const proto::StartPlugin& plugin) {
  if (foreign_.Has(plugin)) {
    RETURN_IF_ERROR(foreign_.Start(plugin));
    return Settle();
  }
  RETURN_IF_ERROR(plugins_.Start(plugin));
  if (!running_ || (plugin.stays_away() && plugin.resource().empty())) return absl::OkStatus();
  return RegisterPlugin(PluginNameOf(plugin));
}

absl::Status ProgramNode::StopPlugin(const proto::StopPlugin& plugin) {
  return foreign_.Has(plugin.plugin()) ? foreign_.Stop(plugin.plugin(), plugin.how()) : plugins_.Stop(plugin);
}

absl::Status ProgramNode::RegisterPlugin(const std::string& plugin) {
  const absl::Status registered = plugins_.Register(plugin, PluginApiOf(*kubelet_));
  if (!registered.ok()) return absl::FailedPreconditionError(registered.message());
  return Settle();
}

absl::Status ProgramNode::UnlinkSocket(const proto::UnlinkSocket& unlink) {
  if (!unlink.plugin().empty()) return plugins_.Unlink(unlink.plugin());
  if (!unlink.driver().empty()) return drivers_.Unlink(unlink.driver());
  return RemoveFile(absl::StrCat(kKubeletFolder, "/device-plugins/kubelet.sock"));
}

absl::Status ProgramNode::StartDriver(const proto::StartDriver& driver) {
  return foreign_.Has(driver) ? foreign_.Start(driver) : drivers_.Start(driver, NewestApiOf(*kubelet_));
}

absl::Status ProgramNode::StopDriver(const std::string& driver) {
  return foreign_.Has(driver) ? foreign_.Stop(driver, proto::StopPlugin::CRASH) : drivers_.Stop(driver);
}

absl::Status ProgramNode::PublishSlice(const std::string& driver) {
  api_server_->PutSlice(absl::StrCat(driver, "-slice-", SliceCount(driver)), {.node = "node", .driver = driver});
  return absl::OkStatus();
}

int32_t ProgramNode::SliceCount(const std::string& driver) const {
  const std::set<std::string> names = api_server_->Slices();
  return static_cast<int32_t>(std::ranges::count_if(
      names, [&](const std::string& name) { return name.starts_with(absl::StrCat(driver, "-slice-")); }));
}

absl::Status ProgramNode::SetClaim(const proto::AddClaim& claim, const std::set<std::string>& reserved_for) {
  api_server_->PutClaim(ClaimOf(claim, reserved_for));
  return absl::OkStatus();
}

absl::Status ProgramNode::RemoveClaim(const std::string& claim) {
  api_server_->DeleteClaim("default", claim);
  return absl::OkStatus();
}

// --- Pods

void ProgramNode::AnnounceCall() {
  MutexLock lock(&mu_);
  ++announced_;
}

Reply ProgramNode::Call(absl::FunctionRef<Reply(const ControlClient&)> call) {
  const InFlight in_flight(*this);
  Reply reply = call(process_.control());
  // One that has died says why.
  if (!reply.ok && reply.reason.empty() && !process_.control().Version().ok()) {
    absl::StrAppend(&reply.message, "; the daemon said:\n", process_.output());
  }
  return reply;
}

Reply ProgramNode::Admit(const Pod& pod) {
  return Call([&](const ControlClient& daemon) { return AskToAdmit(daemon, pod); });
}

Reply ProgramNode::Prepare(const std::string& pod) {
  return Call([&](const ControlClient& daemon) { return AskToPrepare(daemon, pod); });
}

Reply ProgramNode::StartContainer(const std::string& pod, const std::string& container) {
  return Call([&](const ControlClient& daemon) { return AskToStart(daemon, pod, container); });
}

Reply ProgramNode::ExitContainer(const std::string& pod, const std::string& container) {
  return Call([&](const ControlClient& daemon) { return SayExited(daemon, pod, container); });
}

Reply ProgramNode::RemovePod(const std::string& pod, bool force) {
  return Call([&](const ControlClient& daemon) { return AskToRemove(daemon, pod, force); });
}

// --- Files

std::string ProgramNode::Place(const std::string& path) const {
  if (!path.starts_with(kKubeletFolder)) return process_.PathOf(absl::StrCat("elsewhere", path));
  return absl::StrCat(process_.paths().root, path.substr(sizeof(kKubeletFolder) - 1));
}

absl::StatusOr<std::string> ProgramNode::ReadFile(const std::string& path) {
  return kubelet_cm::ReadFile(process_.machine.files, Place(path), kMaxFile);
}

absl::Status ProgramNode::WriteFile(const std::string& path, const std::string& bytes) {
  return PutFile(process_.machine.files, Place(path), bytes);
}

absl::Status ProgramNode::RemoveFile(const std::string& path) { return process_.machine.files.Unlink(Place(path)); }

absl::StatusOr<std::vector<std::string>> ProgramNode::List(const std::string& folder) {
  return process_.machine.files.List(Place(folder));
}

absl::StatusOr<::v1::ListPodResourcesResponse> ProgramNode::ListPodResources() {
  return AskForList(process_.paths().pod_resources_socket);
}

absl::StatusOr<::v1::GetPodResourcesResponse> ProgramNode::GetPodResources(const std::string& pod) {
  return AskForPod(process_.paths().pod_resources_socket, pod);
}

absl::StatusOr<::v1::AllocatableResourcesResponse> ProgramNode::AllocatableResources() {
  return AskForAllocatable(process_.paths().pod_resources_socket);
}

absl::StatusOr<int> ProgramNode::RefusedOfLists(int calls) {
  return CountRefusedLists(process_.paths().pod_resources_socket, calls);
}

absl::Status ProgramNode::FailDisk(const proto::DiskFault&) {
  return absl::UnimplementedError("a real disk does not fail when it is told to");
}

// --- What can be seen

absl::StatusOr<Sight> ProgramNode::Look() {
  if (!running_) return absl::FailedPreconditionError("no daemon runs");
  absl::StatusOr<Sight> seen = LookAt(process_.control());
  if (seen.ok() || process_.control().Version().ok()) return seen;
  return absl::UnavailableError(absl::StrCat(seen.status().message(), "; the daemon said:\n", process_.output()));
}

absl::StatusOr<double> ProgramNode::Metric(const proto::Expect::Metric&) {
  return absl::UnimplementedError("daemons here have no port for HTTP, so their metrics are not looked at");
}

}  // namespace kubelet_cm::scenarios
