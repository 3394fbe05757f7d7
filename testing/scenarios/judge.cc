#include "testing/scenarios/judge.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::scenarios {

using invariants::Violation;

Judge::Judge(BenchNode& node, const proto::Scenario& scenario)
    : node_(node), scenario_(scenario), devices_(node, oracle_), claims_(node, oracle_) {}

std::optional<Sight> Judge::Check(const std::map<std::string, std::string>& claim_uids, Failures* failures) {
  absl::StatusOr<Sight> seen = node_.Look();
  if (!seen.ok()) {
    failures->push_back(absl::StrCat("the kubelet cannot be looked at: ", seen.status().message()));
    return std::nullopt;
  }
  Report(devices_.Check(*seen), failures);
  Report(claims_.Check(drivers_, claim_uids), failures);
  return *std::move(seen);
}

void Judge::CheckNothingIsLeft(Failures* failures) {
  const absl::StatusOr<Sight> seen = node_.Look();
  if (!seen.ok()) {
    failures->push_back(absl::StrCat("the kubelet cannot be looked at: ", seen.status().message()));
    return;
  }
  for (const auto& [uid, phase] : seen->pods) {
    if (phase != "refused") failures->push_back(absl::StrCat("pod ", uid, " was removed, and is still ", phase));
  }
  std::vector<Violation> broken = claims_.CheckAllGone(drivers_, *seen);
  for (const auto& [holder, ids] : seen->holdings) {
    broken.push_back(
        {"D7", absl::StrCat("pod ", std::get<0>(holder), " is gone, and still holds some of ", std::get<2>(holder))});
  }
  Report(broken, failures);
}

void Judge::Report(const std::vector<Violation>& broken, Failures* failures) {
  for (const Violation& violation : broken) {
    const bool known =
        std::any_of(scenario_.breaks().begin(), scenario_.breaks().end(),
                    [&](const proto::KnownViolation& breaks) { return breaks.invariant() == violation.invariant; });
    if (known) {
      broken_.insert(violation.invariant);
    } else {
      failures->push_back(absl::StrCat(violation.invariant, " is broken: ", violation.message));
    }
  }
}

std::vector<std::string> Judge::UnbrokenAfterAll() const {
  std::vector<std::string> unbroken;
  for (const proto::KnownViolation& known : scenario_.breaks()) {
    if (!broken_.contains(known.invariant())) unbroken.push_back(known.invariant());
  }
  return unbroken;
}

void Judge::Booted() {
  oracle_.Booted();
  claims_.Booted();
}

void Judge::FileChanged(const std::string& file) {
  oracle_.ForgetFile(file);
  devices_.FileChanged(file);
  if (file == "claims") claims_.FileChanged();
  claims_.Interfered();
}

}  // namespace kubelet_cm::scenarios
