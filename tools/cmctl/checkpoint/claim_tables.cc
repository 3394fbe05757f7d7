#include "tools/cmctl/checkpoint/claim_tables.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dra/checkpoint/claim_invariants.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

template <typename List>
std::string Joined(const List& list) {
  return absl::StrJoin(list.begin(), list.end(), ",");
}

std::string Pods(const dra::ClaimState& claim) { return claim.pod_uids.has_value() ? Joined(*claim.pod_uids) : ""; }

class ClaimRows {
 public:
  ClaimRows(bool wide, TextTable* table) : wide_(wide), table_(table) {}

  void Add(const dra::ClaimState& claim) {
    if (!claim.driver_state.has_value() || claim.driver_state->empty()) return AddRow(claim, "", {}, {});
    for (const auto& [driver, state] : *claim.driver_state) {
      if (state.devices.empty()) AddRow(claim, driver, state, {});
      for (const dra::ClaimDevice& device : state.devices) AddRow(claim, driver, state, device);
    }
  }

 private:
  void AddRow(const dra::ClaimState& claim, const std::string& driver, const dra::DriverState& state,
              const dra::ClaimDevice& device) {
    std::vector<std::string>& row = table_->rows.emplace_back();
    row = {claim.claim_namespace,        claim.claim_name, Pods(claim), driver, device.pool_name, device.device_name,
           Joined(device.cdi_device_ids)};
    if (!wide_) return;
    row.push_back(Joined(device.request_names));
    row.push_back(device.share_id.value_or(""));
    row.push_back(Joined(state.skip_node_operations));
    row.push_back(claim.claim_uid);
  }

  const bool wide_;
  TextTable* const table_;
};

std::string DeviceText(const dra::ClaimDevice& device, const FactDetail& detail) {
  std::string text = absl::StrCat("device ", Printable(device.pool_name), "/", Printable(device.device_name));
  if (detail.share_ids && device.share_id.has_value()) absl::StrAppend(&text, " share ", Printable(*device.share_id));
  if (!device.request_names.empty()) absl::StrAppend(&text, " for ", Printable(Joined(device.request_names)));
  return text;
}

void AddDriverFacts(const std::string& text, const dra::DriverState& state, const FactDetail& detail, Facts* facts) {
  (*facts)[text];
  for (const dra::ClaimDevice& device : state.devices) {
    const std::string where = detail.named_devices ? absl::StrCat(text, ": ", DeviceText(device, detail)) : text;
    (*facts)[where];
    for (const std::string& id : device.cdi_device_ids) (*facts)[absl::StrCat(where, ": cdi ", Printable(id))];
  }
  if (!detail.skip_lists) return;
  for (const std::string& name : state.skip_node_operations) {
    (*facts)[absl::StrCat(text, ": skips ", Printable(name))];
  }
}

template <typename Claim>
std::string ClaimText(const Claim& claim) {
  return absl::StrCat("claim ", Printable(claim.claim_namespace), "/", Printable(claim.claim_name));
}

}  // namespace

TextTable ClaimTable(const dra::ClaimList& claims, bool wide) {
  TextTable table{{"NAMESPACE", "CLAIM", "PODS", "DRIVER", "POOL", "DEVICE", "CDI"}};
  if (wide) table.headings.insert(table.headings.end(), {"REQUESTS", "SHARE ID", "SKIPS", "CLAIM UID"});
  ClaimRows rows(wide, &table);
  for (const dra::ClaimState& claim : claims) rows.Add(claim);
  return table;
}

Facts ClaimFacts(const dra::ClaimList& claims, const FactDetail& detail) {
  Facts facts;
  for (const dra::ClaimState& claim : claims) {
    const std::string text = ClaimText(claim);
    facts[text];
    facts[absl::StrCat(text, ": uid ", Printable(claim.claim_uid))];
    for (const std::string& pod : claim.pod_uids.value_or(std::set<std::string>())) {
      facts[absl::StrCat(text, ": pod ", Printable(pod))];
    }
    if (!claim.driver_state.has_value()) continue;
    for (const auto& [driver, state] : *claim.driver_state) {
      AddDriverFacts(absl::StrCat(text, ": driver ", Printable(driver)), state, detail, &facts);
    }
  }
  return facts;
}

Facts LegacyFacts(const dra::LegacyClaimList& claims, const FactDetail& detail) {
  Facts facts;
  for (const dra::LegacyClaim& claim : claims) {
    const std::string text = ClaimText(claim);
    facts[absl::StrCat(text, ": class ", Printable(claim.class_name))];
    if (!detail.handles) continue;
    size_t number = 0;
    for (const dra::ResourceHandle& handle : claim.resource_handles) {
      // What is in a handle is the driver's own affair: compared, not shown.
      facts[absl::StrCat(text, ": resource handle ", ++number, " for driver ", Printable(handle.driver_name))] =
          handle.data;
    }
  }
  return facts;
}

std::vector<FileProblem> ClaimInvariants(const dra::ClaimList& claims) {
  std::vector<FileProblem> problems;
  for (const dra::ClaimProblem& problem : dra::ClaimProblems(claims)) {
    if (!problem.is_error) continue;
    const bool held = problem.kind == dra::ClaimProblemKind::kDeviceHeldTwice;
    problems.push_back({held ? "held-twice" : "odd-claim", problem.sentence, {}});
  }
  return problems;
}

}  // namespace kubelet_cm::cmctl
