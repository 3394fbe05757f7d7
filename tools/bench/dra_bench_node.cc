#include "tools/bench/dra_bench_node.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/dra_restore.h"
#include "tools/bench/must.h"
#include "tools/bench/sample_claims.h"

namespace kubelet_cm {

using dra::DraManager;
using dra::DraStack;
using fakes::FakeDraDriver;

DraBenchNode::DraBenchNode(size_t claims) : last_claim_(claims) {
  for (size_t i = 0; i < claims; ++i) machine_.pods.Add(dra::SamplePodUid(i));
  const auto manager = Must(CheckpointManager::New(machine_.files, machine_.random, machine_.folder.path()));
  Must(manager->Write(dra::kDraCheckpointKey, EncodeClaims(dra::SampleClaims(claims), DraFormat::k137).bytes));
}

DraBenchNode::~DraBenchNode() {
  stack_.reset();
  drivers_.clear();
}

void DraBenchNode::StartStack(size_t drivers) {
  stack_ = Must(DraStack::New({.files = machine_.files,
                               .random = machine_.random,
                               .threads = machine_.threads,
                               .log = machine_.log,
                               .metrics = machine_.metrics,
                               .active_pods = machine_.pods,
                               .pod_updates = machine_.pod_updates,
                               .claims = claims_},
                              {.manager = {.folder = machine_.folder.path()}}, {}));
  const std::vector<std::string> versions = {"v1.DRAPlugin"};
  for (size_t i = 0; i < drivers; ++i) {
    drivers_.push_back(std::make_unique<FakeDraDriver>(
        FakeDraDriver::Dependencies{machine_.threads, machine_.files},
        FakeDraDriver::Options{
            .driver_name = DriverName(i), .folder = machine_.folder.path(), .socket_name = absl::StrCat(i, ".sock")}));
    Must(drivers_[i]->Start());
    Must(stack_->watcher_handler().RegisterPlugin(DriverName(i), drivers_[i]->socket_path(), versions));
  }
  // A call before the connection is there fails at once.
  const Pod first = NewPod(drivers);
  machine_.log.Await([&] { return stack_->manager().PrepareResources(first).ok(); });
  Unprepare(first);
}

std::unique_ptr<DraManager> DraBenchNode::NewManager() {
  class NoDrivers : public dra::DriverDirectory {
    absl::StatusOr<std::shared_ptr<dra::DraClient>> Find(std::string_view /*driver_name*/) const override {
      return absl::NotFoundError("no drivers here");
    }
  };
  static const NoDrivers no_drivers;
  return Must(DraManager::New({.files = machine_.files,
                               .random = machine_.random,
                               .threads = machine_.threads,
                               .log = machine_.log,
                               .metrics = machine_.metrics,
                               .active_pods = machine_.pods,
                               .drivers = no_drivers,
                               .claims = claims_},
                              {.folder = machine_.folder.path()}, {}));
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
  machine_.pods.Add(uid);
  return pod;
}

void DraBenchNode::Prepare(const Pod& pod) { Must(stack_->manager().PrepareResources(pod)); }

void DraBenchNode::Unprepare(const Pod& pod) {
  Must(stack_->manager().UnprepareResources(pod));
  machine_.pods.Remove(pod.uid);
  for (const auto& claim : pod.claims) claims_.Remove(pod.namespace_name, *claim.object_name);
}

std::string DraBenchNode::DriverName(size_t number) { return absl::StrCat("gpu-", number, ".example.com"); }

}  // namespace kubelet_cm
