#include "testing/scenarios/memory_node.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/node/topology_policy.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/memory_sight.h"
#include "testing/scenarios/put_file.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr size_t kMaxFile = size_t{64} << 20;
constexpr absl::Duration kQuiet = absl::Milliseconds(1);

PodAdmission::Options AdmissionOf(const proto::Node& machine) {
  PodAdmission::Options options;
  if (machine.numa_nodes_size() > 0)
    options.numa_nodes.assign(machine.numa_nodes().begin(), machine.numa_nodes().end());
  if (!machine.topology_policy().empty()) options.policy = *ParseTopologyPolicy(machine.topology_policy());
  if (!machine.topology_scope().empty()) options.scope = *ParseTopologyScope(machine.topology_scope());
  return options;
}

Reply Failed(const absl::Status& status) { return {.ok = false, .message = std::string(status.message())}; }

Reply ReplyOf(const absl::Status& status) { return status.ok() ? Reply{} : Failed(status); }

}  // namespace

// A call about a pod, which a kill waits for.
class MemoryNode::InFlight {
 public:
  explicit InFlight(MemoryNode& node) : node_(node) {
    MutexLock lock(&node_.mu_);
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
  MemoryNode& node_;
};

MemoryNode::MemoryNode(Threads& threads, FakeClock& clock, const proto::Node& machine)
    : threads_(threads),
      clock_(clock),
      machine_(machine),
      began_(clock.MonotonicNow()),
      plugins_(threads),
      drivers_(threads),
      call_ended_(threads.NewCondition("calls to a kubelet that is killed")) {}

MemoryNode::~MemoryNode() { Kill(); }

// --- The kubelet and the machine

absl::Status MemoryNode::Start(const std::string& version) { return StartKubelet(version, true); }

absl::Status MemoryNode::StartUntold(const std::string& version) { return StartKubelet(version, false); }

void MemoryNode::KnowAllPods() { life_->KnowAllPods(); }

absl::Status MemoryNode::StartKubelet(const std::string& version, bool knows_all_pods) {
  CHECK(life_ == nullptr) << "a kubelet runs";
  killed_ = false;
  MemoryLife::Options options{
      .boot_id = boot_id_, .admission = AdmissionOf(machine_), .knows_all_pods = knows_all_pods};
  ASSIGN_OR_RETURN(options.kubelet, ParsePersonality(version));
  if (machine_.recover() == proto::Node::STRICT) options.recover = RecoverPolicy::kStrict;
  drivers_.Reconnect();
  plugins_.MakeSocketsAnew();
  registration_unlinked_ = false;
  presence_.KubeletStarts();
  ASSIGN_OR_RETURN(life_, MemoryLife::Start({.threads = threads_,
                                             .random = random_,
                                             .log = log_,
                                             .disk = *disk_,
                                             .crash = deaths_.plan(),
                                             .faults = faults_,
                                             .plugins = plugins_,
                                             .drivers = drivers_,
                                             .claims = claims_},
                                            options));
  // One that is refused tries again when somebody lets it.
  for (const std::string& plugin : plugins_.Up(true)) RegisterPlugin(plugin).IgnoreError();
  return Settle();
}

void MemoryNode::Kill() {
  if (life_ == nullptr) return;
  killed_ = true;
  life_->Cut();
  disk_->KillProcess();
  drivers_.CutOff();
  {
    MutexLock lock(&mu_);
    while (in_flight_ > 0) call_ended_->Wait(&mu_);
  }
  life_.reset();
}

absl::Status MemoryNode::KillAt(const proto::DiesAt& place) {
  deaths_.Begin(place);
  return absl::OkStatus();
}

bool MemoryNode::TakeDeath() {
  const bool died = deaths_.died_there();
  if (died) Kill();
  deaths_.End();
  return died;
}

void MemoryNode::PowerOff() {
  Kill();
  plugins_.KillAll();
  presence_.PowerOff();
  tmpfs_.EraseTree(kTmpfs).IgnoreError();  // not there, if nobody has written to it
  absl::StrAppend(&boot_id_, "+");
}

absl::Status MemoryNode::CutPower(proto::PowerCut::Image image) {
  PowerOff();
  if (image == proto::PowerCut::ONLY_DURABLE) {
    disk_->CutPower({}, [](size_t) { return size_t{0}; });
  } else {
    disk_->Settle();
  }
  return absl::OkStatus();
}

void MemoryNode::CutPowerTo(std::unique_ptr<FakeFileSystem> left) {
  PowerOff();
  old_disks_.push_back(std::exchange(disk_, std::move(left)));
}

void MemoryNode::Recover() {
  Kill();
  deaths_.Recover();
}

absl::Status MemoryNode::Reboot() {
  PowerOff();
  disk_->Settle();
  return absl::OkStatus();
}

absl::Status MemoryNode::Advance(absl::Duration by) {
  const MonotonicTime until = clock_.MonotonicNow() + by;
  Notification never(threads_, "the time of a step to pass");
  (void)never.WaitUntil(until);
  return Settle();
}

absl::Status MemoryNode::JumpClock(absl::Duration by) {
  clock_.JumpWall(by);
  return Settle();
}

// Whoever can go on does so before the clock moves.
absl::Status MemoryNode::Settle() {
  Notification never(threads_, "a node to settle");
  (void)never.WaitFor(kQuiet);
  return absl::OkStatus();
}

// --- Plugins, drivers, claims

absl::Status MemoryNode::StartPlugin(const proto::StartPlugin& plugin) {
  RETURN_IF_ERROR(plugins_.Start(plugin));
  if (life_ == nullptr || (plugin.stays_away() && plugin.resource().empty())) return absl::OkStatus();
  return RegisterPlugin(PluginNameOf(plugin));
}

absl::Status MemoryNode::RegisterPlugin(const std::string& plugin) {
  ASSIGN_OR_RETURN(const MemoryPlugins::Introduction introduction, plugins_.Introduce(plugin));
  if (registration_unlinked_) return absl::FailedPreconditionError("dial kubelet.sock: No such file or directory");
  const absl::Status registered = life_->Register(introduction);
  if (!registered.ok()) return absl::FailedPreconditionError(registered.message());
  return Settle();
}

absl::Status MemoryNode::UnlinkSocket(const proto::UnlinkSocket& unlink) {
  if (!unlink.plugin().empty()) return plugins_.Unlink(unlink.plugin());
  if (unlink.driver().empty()) {
    registration_unlinked_ = true;
    return absl::OkStatus();
  }
  return presence_.Unlink(unlink.driver());
}

absl::Status MemoryNode::StartDriver(const proto::StartDriver& driver) {
  presence_.Start(driver);
  return absl::OkStatus();
}

absl::Status MemoryNode::FailDriver(const proto::DriverFault& fault) {
  Arm(drivers_.driver(fault.driver()).script(), fault);
  return absl::OkStatus();
}

absl::Status MemoryNode::SetClaim(const proto::AddClaim& claim, const std::set<std::string>& reserved_for) {
  claims_.Set(ClaimOf(claim, reserved_for));
  return absl::OkStatus();
}

absl::Status MemoryNode::RemoveClaim(const std::string& claim) {
  claims_.Remove("default", claim);
  return absl::OkStatus();
}

std::vector<SeenCall> MemoryNode::DriverCalls(const std::string& driver) const {
  std::vector<SeenCall> calls;
  for (const fakes::DriverCall& call : drivers_.driver(driver).script().Calls()) {
    calls.push_back({.method = fakes::MethodName(call.method), .ids = call.claim_uids});
  }
  return calls;
}

std::set<std::string> MemoryNode::PreparedClaims(const std::string& driver) const {
  return drivers_.driver(driver).PreparedClaims();
}

// --- Pods

Reply MemoryNode::Call(absl::FunctionRef<Reply(ContainerManager&)> call) {
  const InFlight in_flight(*this);
  return call(life_->manager());
}

Reply MemoryNode::Admit(const Pod& pod) {
  return Call([&](ContainerManager& manager) -> Reply {
    const absl::StatusOr<SharedPodRecord> record = manager.AdmitPod(pod, PodSource::kApi);
    if (!record.ok()) return Failed(record.status());
    if ((*record)->phase != PodPhase::kRefused) return {};
    return {.ok = false, .reason = (*record)->reason, .message = (*record)->message};
  });
}

Reply MemoryNode::AdmitAnew(const Pod& pod) {
  const InFlight in_flight(*this);
  const std::optional<Refusal> refusal = life_->admission().Admit(pod);
  if (!refusal.has_value()) return {};
  return {.ok = false, .reason = refusal->reason, .message = refusal->message};
}

Reply MemoryNode::Prepare(const std::string& pod) {
  return Call([&](ContainerManager& manager) -> Reply {
    const absl::StatusOr<std::optional<Refusal>> refusal = manager.PreparePod({.uid = pod});
    if (!refusal.ok()) return Failed(refusal.status());
    if (!refusal->has_value()) return {};
    return {.ok = false, .reason = (*refusal)->reason, .message = (*refusal)->message};
  });
}

Reply MemoryNode::StartContainer(const std::string& pod, const std::string& container) {
  return Call([&](ContainerManager& manager) -> Reply {
    const absl::StatusOr<StartOptions> options = manager.ContainerOptions({.uid = pod}, container);
    if (!options.ok()) return Failed(options.status());
    Reply reply = ReplyOf(manager.ContainerStarted({.uid = pod}, container));
    for (const auto& [name, value] : options->devices.envs) reply.environment[name] = value;
    reply.cdi_devices.insert(options->claims.cdi_device_ids.begin(), options->claims.cdi_device_ids.end());
    reply.cdi_devices.insert(options->devices.cdi_devices.begin(), options->devices.cdi_devices.end());
    return reply;
  });
}

Reply MemoryNode::ExitContainer(const std::string& pod, const std::string& container) {
  return Call([&](ContainerManager& manager) { return ReplyOf(manager.ContainerExited({.uid = pod}, container)); });
}

Reply MemoryNode::RemovePod(const std::string& pod, bool force) {
  return Call([&](ContainerManager& manager) -> Reply {
    const absl::StatusOr<ContainerManager::Removal> removal = manager.RemovePod({.uid = pod}, force);
    if (!removal.ok()) return Failed(removal.status());
    return {.ok = removal->removed, .message = removal->message};
  });
}

// --- Files

FileSystem& MemoryNode::FilesOf(const std::string& path) {
  if (path.starts_with(absl::StrCat(kTmpfs, "/"))) return tmpfs_;
  return *disk_;
}

absl::StatusOr<std::string> MemoryNode::ReadFile(const std::string& path) {
  return kubelet_cm::ReadFile(FilesOf(path), path, kMaxFile);
}

absl::Status MemoryNode::WriteFile(const std::string& path, const std::string& bytes) {
  RETURN_IF_ERROR(PutFile(FilesOf(path), path, bytes));
  disk_->Settle();
  return absl::OkStatus();
}

absl::Status MemoryNode::RemoveFile(const std::string& path) {
  RETURN_IF_ERROR(FilesOf(path).Unlink(path));
  disk_->Settle();
  return absl::OkStatus();
}

absl::Status MemoryNode::FailDisk(const proto::DiskFault& fault) {
  Fault armed{.path_pattern = fault.path(),
              .nth = static_cast<uint64_t>(std::max(1, fault.nth())),
              .persistent = fault.for_good(),
              .effect = fault.after_effect() ? FaultEffect::kFailAfterEffect : FaultEffect::kFail,
              .error = *ErrnoOfName(fault.error()),
              .bytes_written = static_cast<size_t>(fault.written())};
  if (!fault.op().empty()) armed.ops.push_back(*FileOpOf(fault.op()));
  faults_.Arm(std::move(armed));
  return absl::OkStatus();
}

absl::Status MemoryNode::MendDisk() {
  faults_.DisarmAll();
  return absl::OkStatus();
}

uint64_t MemoryNode::Writes() const {
  const FaultPlan& plan = deaths_.plan();
  return plan.operations(FileOp::kRename) + plan.operations(FileOp::kExchange) + plan.operations(FileOp::kUnlink);
}

// --- What can be seen

absl::StatusOr<Sight> MemoryNode::Look() {
  if (life_ == nullptr) return absl::FailedPreconditionError("no kubelet runs");
  return LookAt(*life_);
}

absl::StatusOr<::v1::ListPodResourcesResponse> MemoryNode::ListPodResources() {
  ::v1::ListPodResourcesResponse response;
  life_->lister().List(&response);
  return response;
}

absl::StatusOr<::v1::GetPodResourcesResponse> MemoryNode::GetPodResources(const std::string& pod) {
  ::v1::GetPodResourcesRequest request;
  request.set_pod_namespace("default");
  request.set_pod_name(pod);
  ::v1::GetPodResourcesResponse response;
  RETURN_IF_ERROR(life_->lister().Get(request, &response));
  return response;
}

absl::StatusOr<::v1::AllocatableResourcesResponse> MemoryNode::AllocatableResources() {
  ::v1::AllocatableResourcesResponse response;
  RETURN_IF_ERROR(life_->lister().GetAllocatable(&response));
  return response;
}

absl::StatusOr<double> MemoryNode::Metric(const proto::Expect::Metric& metric) {
  if (life_ == nullptr) return absl::FailedPreconditionError("no kubelet runs");
  return MetricOf(*life_, metric);
}

}  // namespace kubelet_cm::scenarios
