#include "dra/dra_crash_world.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/personality/personality.h"
#include "common/status/status_macros.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

constexpr char kEdge[] = "/the-edge-of-a-call";

bool Dead(FileSystem& files) { return absl::IsAborted(files.Stat(kEdge).status()); }

// A connection to a driver of the world.
class EdgeClient : public DraClient {
 public:
  EdgeClient(CrashWorld& world, FileSystem& files, std::string driver)
      : world_(world), files_(files), driver_(std::move(driver)) {}

  absl::StatusOr<ClaimAnswers> Prepare(Claims claims, absl::Duration /*timeout*/) override {
    return Call(true, claims);
  }
  absl::StatusOr<ClaimAnswers> Unprepare(Claims claims, absl::Duration /*timeout*/) override {
    return Call(false, claims);
  }
  absl::StatusOr<bool> WaitForConnectionChange(bool known) override { return !known; }
  void Disconnect() override {}

 private:
  absl::StatusOr<ClaimAnswers> Call(bool prepare, Claims claims) {
    if (Dead(files_)) return absl::CancelledError("killed before it was sent");
    ClaimAnswers answers = world_.Call(driver_, prepare, claims);
    if (Dead(files_)) return absl::CancelledError("killed before it was answered");
    return answers;
  }

  CrashWorld& world_;
  FileSystem& files_;
  const std::string driver_;
};

}  // namespace

bool IsEdgeOfACall(const FileOperation& operation) { return operation.path == kEdge; }

void CrashWorld::AddClaim(const std::string& name, const std::string& uid, const std::vector<std::string>& drivers) {
  ClaimObject claim = harness::ClaimOf(name, drivers);
  claim.id.uid = uid;
  claims[name] = claim;
}

void CrashWorld::AddPod(const std::string& uid, const std::vector<std::string>& claim_names) {
  pods[uid] = harness::PodUsing(uid, claim_names);
  for (const std::string& name : claim_names) {
    claims.at(name).reserved_for.push_back({.api_group = "", .resource = "pods", .name = "", .uid = uid});
  }
}

std::set<std::string> CrashWorld::ClaimsOf(const std::string& pod_uid) const {
  std::set<std::string> uids;
  for (const PodClaim& claim : pods.at(pod_uid).claims) uids.insert(claims.at(*claim.object_name).id.uid);
  return uids;
}

ClaimAnswers CrashWorld::Call(const std::string& driver, bool prepare, DraClient::Claims asked) {
  const bool fails = failing.erase(driver) > 0;
  ClaimAnswers answers;
  for (const ClaimRef& claim : asked) {
    const std::string& uid = claim.id.uid;
    ++(prepare ? prepares : unprepares)[{driver, uid}];
    ClaimAnswer& answer = answers[uid];
    if (fails) answer.error = "did it, and says that it did not";
    if (prepare) {
      prepared[driver].insert(uid);
      answer.devices = fakes::OneDevice(claim.id);
      continue;
    }
    prepared[driver].erase(uid);
    for (const auto& [pod, uids] : running) {
      if (uids.contains(uid)) violations.push_back(absl::StrCat(driver, " was told to unprepare ", uid, " of ", pod));
    }
  }
  return answers;
}

class CrashLife::Drivers : public DriverDirectory {
 public:
  Drivers(CrashWorld& world, FileSystem& files) : world_(world), files_(files) {}

  absl::StatusOr<std::shared_ptr<DraClient>> Find(std::string_view driver_name) const override {
    return std::make_shared<EdgeClient>(world_, files_, std::string(driver_name));
  }

 private:
  CrashWorld& world_;
  FileSystem& files_;
};

CrashLife::CrashLife(CrashWorld& world, FileSystem& files, uint64_t seed, std::string_view kubelet)
    : world_(world),
      files_(files),
      kubelet_(*ParsePersonality(kubelet)),
      threads_(clock_, {.seed = seed}),
      drivers_(std::make_unique<Drivers>(world, files)) {
  for (const auto& [uid, pod] : world_.pods) pods_.Add(uid);
  for (const auto& [name, claim] : world_.claims) claims_.Set(claim);
}

CrashLife::~CrashLife() = default;

absl::Status CrashLife::Run(absl::AnyInvocable<void(CrashLife&)> body) {
  return threads_.Run([&] {
    auto manager = DraManager::New({.files = files_,
                                    .random = random_,
                                    .threads = threads_,
                                    .log = log_,
                                    .metrics = metrics_,
                                    .active_pods = pods_,
                                    .drivers = *drivers_,
                                    .claims = claims_},
                                   {.folder = "/state", .kubelet = kubelet_}, {});
    if (!manager.ok()) return;
    manager_ = *std::move(manager);
    body(*this);
    manager_.reset();
  });
}

bool CrashLife::IsDead() { return Dead(files_); }

absl::Status CrashLife::Prepare(const std::string& pod_uid) {
  if (IsDead()) return absl::CancelledError("dead");
  RETURN_IF_ERROR(manager_->PrepareResources(world_.pods.at(pod_uid)));
  world_.running[pod_uid] = world_.ClaimsOf(pod_uid);
  return absl::OkStatus();
}

absl::Status CrashLife::Unprepare(const std::string& pod_uid) {
  if (IsDead()) return absl::CancelledError("dead");
  world_.running.erase(pod_uid);
  world_.ending.insert(pod_uid);
  RETURN_IF_ERROR(manager_->UnprepareResources(world_.pods.at(pod_uid)));
  Remove(pod_uid);
  return absl::OkStatus();
}

void CrashLife::Remove(const std::string& pod_uid) {
  if (IsDead()) return;
  pods_.Remove(pod_uid);
  world_.pods.erase(pod_uid);
  world_.running.erase(pod_uid);
  world_.ending.erase(pod_uid);
}

void CrashLife::PrepareAll(const std::vector<std::string>& pod_uids) {
  std::vector<std::unique_ptr<Thread>> callers;
  for (const std::string& uid : pod_uids) {
    callers.push_back(threads_.Start("prepare", [this, uid] { (void)Prepare(uid); }));
  }
}

void CrashLife::AddPod(const std::string& uid, const std::vector<std::string>& claim_names) {
  if (IsDead()) return;
  world_.AddPod(uid, claim_names);
  for (const std::string& name : claim_names) claims_.Set(world_.claims.at(name));
  pods_.Add(uid);
}

void CrashLife::AddClaim(const std::string& name, const std::string& uid, const std::vector<std::string>& drivers) {
  if (IsDead()) return;
  world_.AddClaim(name, uid, drivers);
  claims_.Set(world_.claims.at(name));
}

}  // namespace kubelet_cm::dra
