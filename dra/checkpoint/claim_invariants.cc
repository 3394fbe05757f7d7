#include "dra/checkpoint/claim_invariants.h"

#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kubelet_cm::dra {
namespace {

using Kind = ClaimProblemKind;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

class Checker {
 public:
  void Check(const ClaimState& claim, size_t index) {
    name_ = absl::StrCat("claim ", ClaimKey(claim));
    Names(claim, index);
    Pods(claim);
    if (!claim.driver_state.has_value() || claim.driver_state->empty()) {
      return Add(Kind::kNoDrivers, absl::StrCat(name_, " has no drivers, so nobody unprepares it"));
    }
    for (const auto& [driver, state] : *claim.driver_state) Driver(claim, driver, state);
  }

  std::vector<ClaimProblem> Take() && { return std::move(problems_); }

 private:
  void Add(Kind kind, std::string sentence, bool is_error = true) {
    problems_.push_back({kind, std::move(sentence), is_error});
  }

  void Names(const ClaimState& claim, size_t index) {
    if (claim.claim_uid.empty() || claim.claim_name.empty() || claim.claim_namespace.empty()) {
      Add(Kind::kNameless, absl::StrCat("claim ", index + 1, " of the file has no name, namespace or UID"));
    }
    if (!keys_.insert(ClaimKey(claim)).second) {
      Add(Kind::kTwice, absl::StrCat(name_, " is there twice; a kubelet keeps the last"));
    }
    NotUtf8("name", claim.claim_name);
    NotUtf8("namespace", claim.claim_namespace);
    NotUtf8("UID", claim.claim_uid);
  }

  void NotUtf8(const char* what, std::string_view text) {
    if (text.find(kReplacement) == std::string_view::npos) return;
    Add(Kind::kNotUtf8,
        absl::StrCat(name_, " has a ", what, " with U+FFFD in it: it was not UTF-8 when it was written"));
  }

  void Pods(const ClaimState& claim) {
    if (!claim.pod_uids.has_value()) {
      Add(Kind::kNullPods, absl::StrCat(name_, " has null for its pods; upstream crashes when a pod is added to it"));
    } else if (claim.pod_uids->empty()) {
      Add(Kind::kNoPods, absl::StrCat(name_, " has no pods; a kubelet unprepares it after it has started"), false);
    }
  }

  void Driver(const ClaimState& claim, const std::string& driver, const DriverState& state) {
    if (state.devices.empty()) {
      Add(Kind::kNotPrepared,
          absl::StrCat(name_, " has no devices of driver ", driver, "; whether that has prepared it is not known"),
          false);
    }
    for (const ClaimDevice& device : state.devices) {
      if (device.device_name.empty()) continue;  // converted from before 1.31, when devices had no names
      const auto id = std::make_tuple(driver, device.pool_name, device.device_name, device.share_id.value_or(""));
      const auto [holder, is_first] = holders_.emplace(id, ClaimKey(claim));
      if (is_first) continue;
      Add(Kind::kDeviceHeldTwice,
          absl::StrCat(name_, " holds device ", driver, "/", device.pool_name, "/", device.device_name,
                       ", and so does ", holder->second, "; only claims with admin access may"));
    }
  }

  std::string name_;
  absl::flat_hash_set<std::string> keys_;
  absl::flat_hash_map<std::tuple<std::string, std::string, std::string, std::string>, std::string> holders_;
  std::vector<ClaimProblem> problems_;
};

}  // namespace

std::vector<ClaimProblem> ClaimProblems(const ClaimList& claims) {
  Checker checker;
  size_t index = 0;
  for (const ClaimState& claim : claims) checker.Check(claim, index++);
  return std::move(checker).Take();
}

}  // namespace kubelet_cm::dra
