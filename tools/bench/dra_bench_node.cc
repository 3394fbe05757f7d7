#include "tools/bench/dra_bench_node.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/dra_restore.h"
#include "tools/bench/sample_claims.h"

namespace kubelet_cm {

using dra::DraManager;
using dra::DraStack;
using fakes::FakeDraDriver;

namespace {

template <typename T>
T Must(absl::StatusOr<T> value) {
  CHECK(value.ok()) << value.status().ToString();
  return *std::move(value);
}

void Must(const absl::Status& status) { CHECK(status.ok()) << status.ToString(); }

}  // namespace

DraBenchNode::DraBenchNode(size_t claims) : last_claim_(claims) {
  for (size_t i = 0; i < claims; ++i) pods_.Add(dra::SamplePodUid(i));
  const auto manager = Must(CheckpointManager::New(files_, random_, folder_.path()));
  Must(manager->Write(dra::kDraCheckpointKey, EncodeClaims(dra::SampleClaims(claims), DraFormat::k137).bytes));
}

DraBenchNode::~DraBenchNode() {
  stack_.reset();
  drivers_.clear();
}

void DraBenchNode::StartStack(size_t drivers) {
  metrics_ = std::make_unique<MetricsRegistry>();
  stack_ = Must(DraStack::New({.files = files_,
                               .random = random_,
                               .threads = threads_,
                               .log = log_,
                               .metrics = *metrics_,
                               .active_pods = pods_,
                               .pod_updates = pod_updates_,
                               .claims = claims_},
                              {.manager = {.folder = folder_.path()}}, {}));
  const std::vector<std::string> versions = {"v1.DRAPlugin"};
  for (size_t i = 0; i < drivers; ++i) {
    drivers_.push_back(std::make_unique<FakeDraDriver>(
        FakeDraDriver::Dependencies{threads_, files_},
        FakeDraDriver::Options{
            .driver_name = DriverName(i), .folder = folder_.path(), .socket_name = absl::StrCat(i, ".sock")}));
    Must(drivers_[i]->Start());
    Must(stack_->watcher_handler().RegisterPlugin(DriverName(i), drivers_[i]->socket_path(), versions));
  }
  // A call before the connection is there fails at once.
  const Pod first = NewPod(drivers);
  log_.Await([&] { return stack_->manager().PrepareResources(first).ok(); });
  Unprepare(first);
}

std::unique_ptr<DraManager> DraBenchNode::NewManager() {
  class NoDrivers : public dra::DriverDirectory {
    absl::StatusOr<std::shared_ptr<dra::DraClient>> Find(std::string_view /*driver_name*/) const override {
      return absl::NotFoundError("no drivers here");
    }
  };
  static const NoDrivers no_drivers;
  metrics_ = std::make_unique<MetricsRegistry>();
  return Must(DraManager::New({.files = files_,
                               .random = random_,
                               .threads = threads_,
                               .log = log_,
                               .metrics = *metrics_,
                               .active_pods = pods_,
                               .drivers = no_drivers,
                               .claims = claims_},
                              {.folder = folder_.path()}, {}));
}

Pod DraBenchNode::NewPod(size_t claims) {
  const std::string uid = dra::SamplePodUid(last_claim_);
  Pod pod{.uid = uid, .namespace_name = dra::kSampleNamespace, .name = absl::StrCat("pod-", uid)};
  pod.containers = {{.name = "main"}};
  for (size_t i = 0; i < claims; ++i) {
    const dra::ClaimState state = dra::SampleClaim(last_claim_++);
    dra::ClaimObject claim{.id = {dra::kSampleNamespace, state.claim_name, state.claim_uid}};
    claim.reserved_for.push_back({.api_group = "", .resource = "pods", .name = pod.name, .uid = uid});
    claim.allocation.emplace();
    claim.allocation->results.push_back(
        {.request = "gpu", .driver = DriverName(i % drivers_.size()), .pool = "node-17", .device = "gpu-0"});
    claims_.Set(claim);
    pod.claims.push_back({.name = state.claim_name, .object_name = state.claim_name});
    pod.containers[0].claims.push_back({.name = state.claim_name, .request = ""});
  }
  pods_.Add(uid);
  return pod;
}

void DraBenchNode::Prepare(const Pod& pod) { Must(stack_->manager().PrepareResources(pod)); }

void DraBenchNode::Unprepare(const Pod& pod) {
  Must(stack_->manager().UnprepareResources(pod));
  pods_.Remove(pod.uid);
  for (const auto& claim : pod.claims) claims_.Remove(pod.namespace_name, *claim.object_name);
}

std::string DraBenchNode::DriverName(size_t number) { return absl::StrCat("gpu-", number, ".example.com"); }

}  // namespace kubelet_cm
