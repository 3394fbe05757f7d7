#include "kubelet_cm/control/claim_view.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/threads/mutex.h"
#include "dra/claim/claim_entry.h"
#include "dra/dra_state.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ListClaimsResponse;

using dra::ClaimDriver;
using dra::ClaimEntry;
using dra::DriverPhase;

std::string_view StateName(const ClaimEntry& entry) {
  if (entry.unpreparing) return "Unpreparing";
  if (dra::AllPrepared(entry)) return "Prepared";
  const bool calling = std::any_of(entry.drivers.begin(), entry.drivers.end(),
                                   [](const auto& driver) { return driver.second.phase == DriverPhase::kPreparing; });
  return calling ? "Preparing" : "Referenced";
}

void Show(const std::string& name, const ClaimDriver& driver, ListClaimsResponse::Driver* view) {
  view->set_name(name);
  view->set_prepared(driver.phase == DriverPhase::kPrepared);
  for (const dra::ClaimDevice& device : driver.state.devices) {
    ListClaimsResponse::Device& to = *view->add_devices();
    to.set_pool(device.pool_name);
    to.set_device(device.device_name);
    for (const std::string& request : device.request_names) to.add_requests(request);
    for (const std::string& id : device.cdi_device_ids) to.add_cdi_devices(id);
  }
}

void Show(const ClaimEntry& entry, ListClaimsResponse::Claim* view) {
  view->set_namespace_(entry.id.namespace_name);
  view->set_name(entry.id.name);
  view->set_uid(entry.id.uid);
  const std::string_view state = StateName(entry);
  view->set_state(state.data(), state.size());
  for (const std::string& uid : entry.pods) {
    if (uid != dra::kNobody) view->add_pods()->set_uid(uid);
  }
  for (const auto& [name, driver] : entry.drivers) Show(name, driver, view->add_drivers());
}

void NamePods(const PodTable& pods, ListClaimsResponse* response) {
  for (ListClaimsResponse::Claim& claim : *response->mutable_claims()) {
    for (::kubeletcm::v1::PodReference& pod : *claim.mutable_pods()) {
      const SharedPodRecord record = pods.Find(pod.uid());
      if (record == nullptr) continue;
      pod.set_namespace_(record->pod->namespace_name);
      pod.set_name(record->pod->name);
    }
  }
}

}  // namespace

ListClaimsResponse ViewClaims(dra::DraManager& claims, const PodTable& pods) {
  ListClaimsResponse response;
  {
    dra::DraState& state = claims.state();
    MutexLock lock(&state.mu);
    for (const ClaimEntry* entry : state.table.claims().All()) Show(*entry, response.add_claims());
  }
  NamePods(pods, &response);
  for (const dra::StuckClaim& stuck : claims.StuckClaims()) {
    for (ListClaimsResponse::Claim& claim : *response.mutable_claims()) {
      if (claim.namespace_() != stuck.claim.namespace_name || claim.name() != stuck.claim.name) continue;
      if (!claim.stuck().empty()) claim.mutable_stuck()->append("; ");
      absl::StrAppend(claim.mutable_stuck(), "driver ", stuck.driver, ": ", stuck.reason.message());
    }
  }
  return response;
}

}  // namespace kubelet_cm
