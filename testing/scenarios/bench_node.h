// BenchNode: a node as scenarios steer it and look at it: a kubelet that can be killed and started as any version,
// plugins, drivers and claims around it, its disk, its time.
//
//  - MemoryNode (memory_node.h): everything in this process, on a modelled disk, one step at a time.
//  - ProgramNode (program_node.h): the daemon's program, on a real folder with real sockets, killed with SIGKILL.
//
// What a verb returns is an error of the bench or of what the scenario asks for, unless it says otherwise; what the
// kubelet answers is a Reply. One thread steers; calls about pods may come from others meanwhile.
#ifndef KUBELET_CM_TESTING_SCENARIOS_BENCH_NODE_H_
#define KUBELET_CM_TESTING_SCENARIOS_BENCH_NODE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/node/pod.h"
#include "common/threads/threads.h"
#include "kubelet_cm/podresources/api/v1.pb.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

// What a kubelet says to a request.
struct Reply {
  bool ok = true;
  std::string reason = {};   // of a refused pod
  std::string message = {};  // why not
  // Of a container that is started.
  std::map<std::string, std::string> environment = {};
  std::set<std::string> cdi_devices = {};
};

// What can be seen of a kubelet that runs.
struct Sight {
  struct Resource {
    int64_t capacity = 0;
    int64_t allocatable = 0;
  };
  struct Claim {
    std::string uid;
    std::set<std::string> pods = {};
    bool prepared = false;  // by every driver
  };
  // Pod, container, resource.
  using Holder = std::tuple<std::string, std::string, std::string>;
  // By holder and device, as in the container's status.
  using Health = std::map<std::pair<Holder, std::string>, std::string>;

  std::map<std::string, Resource> resources = {};         // that it knows, with no devices maybe
  std::map<Holder, std::set<std::string>> holdings = {};  // device ids; none is an entry, too
  Health health = {};
  size_t reservations = 0;                       // that no answer has come of yet
  std::map<std::string, Claim> claims = {};      // by name, of the default namespace
  std::map<std::string, std::string> pods = {};  // phase by uid
  std::string devices_restored = {};             // "fresh", "restored", "migrated" or "corrupt"
  std::string claims_restored = {};              // empty: this kubelet has no claims
};

// A call that a plugin or driver got.
struct SeenCall {
  std::string method;
  std::vector<std::string> ids;  // of devices, or uids of claims
};

class BenchNode {
 public:
  BenchNode() = default;
  BenchNode(const BenchNode&) = delete;
  BenchNode& operator=(const BenchNode&) = delete;
  virtual ~BenchNode() = default;

  virtual Threads& threads() = 0;
  // Of the node, since the scenario began.
  virtual absl::Duration Elapsed() const = 0;

  // --- The kubelet and the machine.

  // The error is that of a kubelet that refuses to start. Plugins and drivers that follow it have registered when it is
  // over.
  virtual absl::Status Start(const std::string& version) = 0;
  // At once: calls in flight are cut, and have returned when it is over. Nothing where none runs.
  virtual void Kill() = 0;
  virtual bool running() const = 0;
  // With either, what drivers have prepared is not any more, and what is below /var/run is gone.
  virtual absl::Status CutPower(proto::PowerCut::Image image) = 0;
  virtual absl::Status Reboot() = 0;
  virtual absl::Status Advance(absl::Duration by) = 0;
  // The wall clock only; negative: into the past.
  virtual absl::Status JumpClock(absl::Duration by) = 0;
  // What can happen without the clock has happened, or an error after a time limit.
  virtual absl::Status Settle() = 0;
  // Whether nothing at all is left to come after Settle. A node of real processes only knows what it has waited for.
  virtual bool is_still_once_settled() const { return true; }
  // Whether it holds; asked again until a time limit where something may be left to come.
  virtual bool Await(absl::FunctionRef<bool()> holds) { return holds(); }
  // Asked where something goes wrong. An error: a program beside the kubelet has ended by itself, how, and what it
  // said.
  virtual absl::Status LookForEnds() { return absl::OkStatus(); }

  // --- Plugins and drivers. FailedPrecondition with the kubelet's words when it refuses one.

  virtual absl::Status StartPlugin(const proto::StartPlugin& plugin) = 0;
  virtual absl::Status StopPlugin(const proto::StopPlugin& plugin) = 0;
  virtual absl::Status RegisterPlugin(const std::string& plugin) = 0;
  virtual absl::Status ChangeDevices(const proto::ChangeDevices& change) = 0;
  virtual absl::Status FailPlugin(const proto::PluginFault& fault) = 0;
  virtual absl::Status UnlinkSocket(const proto::UnlinkSocket& unlink) = 0;
  virtual absl::Status StartDriver(const proto::StartDriver& driver) = 0;
  virtual absl::Status StopDriver(const std::string& driver) = 0;
  virtual absl::Status FailDriver(const proto::DriverFault& fault) = 0;
  // These need a daemon: a node in memory has no registry that listens to drivers, no API server and no sockets.
  virtual absl::Status SetDriverHealth(const proto::DriverHealth&) { return absl::UnimplementedError("no registry"); }
  virtual absl::Status PublishSlice(const std::string&) { return absl::UnimplementedError("no API server"); }
  virtual absl::Status ListenAt(const proto::DriverSocket&) { return absl::UnimplementedError("no sockets"); }
  // `reserved_for`: uids of pods.
  virtual absl::Status SetClaim(const proto::AddClaim& claim, const std::set<std::string>& reserved_for) = 0;
  virtual absl::Status RemoveClaim(const std::string& claim) = 0;

  // --- Pods.

  // The next of these calls comes from another thread, and Settle waits until it has come.
  virtual void AnnounceCall() {}
  virtual Reply Admit(const Pod& pod) = 0;
  virtual Reply Prepare(const std::string& pod) = 0;
  virtual Reply StartContainer(const std::string& pod, const std::string& container) = 0;
  virtual Reply ExitContainer(const std::string& pod, const std::string& container) = 0;
  // Not ok: it is terminating and waits for what the message says.
  virtual Reply RemovePod(const std::string& pod, bool force) = 0;

  // --- Files, by the paths of a kubelet in /var/lib/kubelet.

  virtual absl::StatusOr<std::string> ReadFile(const std::string& path) = 0;
  virtual absl::Status WriteFile(const std::string& path, const std::string& bytes) = 0;
  virtual absl::Status RemoveFile(const std::string& path) = 0;
  virtual absl::StatusOr<std::vector<std::string>> List(const std::string& folder) = 0;
  virtual absl::Status FailDisk(const proto::DiskFault& fault) = 0;
  virtual absl::Status MendDisk() = 0;

  // --- What can be seen.

  virtual absl::StatusOr<Sight> Look() = 0;
  // As the podresources API answers.
  virtual absl::StatusOr<::v1::ListPodResourcesResponse> ListPodResources() = 0;
  virtual absl::StatusOr<::v1::GetPodResourcesResponse> GetPodResources(const std::string& pod) = 0;
  virtual absl::StatusOr<::v1::AllocatableResourcesResponse> AllocatableResources() = 0;
  // All since the scenario began, in their order.
  virtual std::vector<SeenCall> PluginCalls(const std::string& plugin) const = 0;
  virtual std::vector<SeenCall> DriverCalls(const std::string& driver) const = 0;
  virtual std::set<std::string> PreparedClaims(const std::string& driver) const = 0;  // uids
  virtual int32_t SliceCount(const std::string&) const { return 0; }
  virtual int32_t ConnectionCount(const std::string&) const { return 0; }
  // How many of so many calls of List, one after the other, were refused by a rate limit.
  virtual absl::StatusOr<int> RefusedOfLists(int) { return absl::UnimplementedError("no podresources socket"); }
  // Plugins that the kubelet is connected to, with their resource; drivers that are up and can be found.
  virtual std::map<std::string, std::string> ConnectedPlugins() const = 0;
  virtual std::set<std::string> Drivers() const = 0;
  // NotFound for a series that is not there.
  virtual absl::StatusOr<double> Metric(const proto::Expect::Metric& metric) = 0;
  // How many file operations that change something there were.
  virtual uint64_t Writes() const = 0;
  // What the kubelet has logged since this was asked last, where the node was told to listen.
  virtual std::vector<std::string> TakeLog() { return {}; }
  // The kubelet is killed when it comes to this place, if it does so before TakeDeath.
  virtual absl::Status KillAt(const proto::DiesAt&) { return absl::UnimplementedError("a process is not stopped"); }
  // Whether it was; then it is gone, as after Kill.
  virtual bool TakeDeath() { return false; }
  // Whether the kubelet is dead though nobody has called Kill yet, as at a crash that was planned.
  virtual bool dead() const { return false; }
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_BENCH_NODE_H_
