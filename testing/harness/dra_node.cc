#include "testing/harness/dra_node.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/personality/personality.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::harness {

using dra::ClaimObject;
using dra::DraManager;
using dra::DraManagerOptions;

ClaimObject ClaimOf(const std::string& name, const std::vector<std::string>& drivers) {
  ClaimObject claim{.id = {"default", name, absl::StrCat(name, "-uid")}};
  claim.allocation.emplace();
  for (const std::string& driver : drivers) {
    claim.allocation->results.push_back({.request = "req", .driver = driver, .pool = "pool", .device = "dev-0"});
  }
  return claim;
}

Pod PodUsing(const std::string& uid, const std::vector<std::string>& claims) {
  Pod pod{.uid = uid, .namespace_name = "default", .name = absl::StrCat("pod-", uid), .containers = {{.name = "main"}}};
  for (const std::string& claim : claims) {
    pod.claims.push_back({.name = claim, .object_name = claim});
    pod.containers[0].claims.push_back({.name = claim, .request = ""});
  }
  return pod;
}

DraNode::DraNode() = default;

DraNode::~DraNode() { Kill(); }

absl::Status DraNode::Start(std::string_view kubelet, DraManagerOptions options, const NodeStart& found) {
  CHECK(manager_ == nullptr) << "a manager is running";
  ASSIGN_OR_RETURN(options.kubelet, ParsePersonality(kubelet));
  options.folder = kFolder;
  death_ = std::make_unique<FaultPlan>();
  planned_ = std::make_unique<FaultyFileSystem>(disk, faults);
  files_ = std::make_unique<FaultyFileSystem>(*planned_, *death_);
  metrics_ = std::make_unique<MetricsRegistry>();
  drivers.Reconnect();
  ASSIGN_OR_RETURN(manager_, DraManager::New({.files = *files_,
                                              .random = random,
                                              .threads = threads,
                                              .log = log,
                                              .metrics = *metrics_,
                                              .active_pods = pods,
                                              .drivers = drivers,
                                              .claims = claims},
                                             options, found));
  return absl::OkStatus();
}

void DraNode::Cut() {
  if (manager_ == nullptr) return;
  death_->Stop();
  disk.KillProcess();
  drivers.CutOff();
}

void DraNode::Kill() {
  Cut();
  manager_.reset();
}

std::string DraNode::AddClaim(const std::string& name, const std::vector<std::string>& driver_names) {
  claims.Set(ClaimOf(name, driver_names));
  return name;
}

Pod DraNode::AddPod(const std::string& uid, const std::vector<std::string>& claim_names) {
  for (const std::string& claim : claim_names) claims.Reserve("default", claim, uid);
  pods.Add(uid);
  return PodUsing(uid, claim_names);
}

testing::AssertionResult DraNode::Await(absl::FunctionRef<bool()> holds) {
  if (log.Await(holds)) return testing::AssertionSuccess();
  testing::AssertionResult failure = testing::AssertionFailure()
                                     << "what was waited for did not come about; the log:\n";
  for (const CapturedLine& line : log.lines()) failure << line << "\n";
  return failure;
}

std::string DraNode::StateFile() {
  constexpr size_t kMax = 1 << 20;
  const absl::StatusOr<std::string> bytes = ReadFile(disk, kStateFile, kMax);
  return bytes.ok() ? *bytes : std::string(bytes.status().message());
}

absl::Status DraNode::DamageStateFile() {
  constexpr size_t kCut = 12;
  const std::string bytes = StateFile();
  RETURN_IF_ERROR(disk.Unlink(kStateFile));
  ASSIGN_OR_RETURN(const auto file, disk.Open(kStateFile, OpenMode::kCreateExclusive, 0600));
  RETURN_IF_ERROR(file->Write(bytes.substr(0, bytes.size() - kCut)));
  return file->Close();
}

}  // namespace kubelet_cm::harness
