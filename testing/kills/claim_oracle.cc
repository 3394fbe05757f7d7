#include "testing/kills/claim_oracle.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm::kills {
namespace {

std::string AskedAgain(const std::string& claim, int then, int now) {
  return absl::StrCat("C3: the driver was asked for ", claim, " ", then, " times when it was answered, and then ",
                      now - then, " times more");
}

testing::AssertionResult ResultOf(const std::vector<std::string>& problems) {
  if (problems.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << absl::StrJoin(problems, "\n");
}

}  // namespace

testing::AssertionResult ClaimOracle::Prepared(const std::string& claim, const std::string& pod, int prepares) {
  MutexLock lock(&mu_);
  Claim& known = claims_.try_emplace(claim, Claim{.prepares = prepares}).first->second;
  known.pods.insert(pod);
  if (known.prepares == prepares) return testing::AssertionSuccess();
  return testing::AssertionFailure() << AskedAgain(claim, known.prepares, prepares);
}

void ClaimOracle::Removing(const std::string& claim, const std::string& pod) {
  MutexLock lock(&mu_);
  const auto known = claims_.find(claim);
  if (known == claims_.end()) return;
  known->second.pods.erase(pod);
  if (known->second.pods.empty()) claims_.erase(known);
}

bool ClaimOracle::IsPrepared(const std::string& claim, const std::string& pod) const {
  MutexLock lock(&mu_);
  const auto known = claims_.find(claim);
  return known != claims_.end() && known->second.pods.contains(pod);
}

testing::AssertionResult ClaimOracle::Check(const Claims& seen) const {
  std::vector<std::string> problems;
  MutexLock lock(&mu_);
  for (const auto& [name, claim] : claims_) {
    const auto found = seen.find(name);
    const Seen now = found == seen.end() ? Seen() : found->second;
    if (!now.listed) problems.push_back(absl::StrCat(name, " was answered as prepared and is not listed as such"));
    if (!std::ranges::includes(now.pods, claim.pods)) {
      problems.push_back(absl::StrCat(name, " was prepared for [", absl::StrJoin(claim.pods, " "),
                                      "], and is listed for [", absl::StrJoin(now.pods, " "), "]"));
    }
    if (!now.at_driver) {
      problems.push_back(absl::StrCat("C2: ", name, " was unprepared under [", absl::StrJoin(claim.pods, " "), "]"));
    }
    if (found != seen.end() && now.prepares != claim.prepares) {
      problems.push_back(AskedAgain(name, claim.prepares, now.prepares));
    }
  }
  return ResultOf(problems);
}

testing::AssertionResult ClaimOracle::CheckAll(const Claims& seen) const {
  if (const testing::AssertionResult known = Check(seen); !known) return known;
  std::vector<std::string> problems;
  MutexLock lock(&mu_);
  for (const auto& [name, claim] : seen) {
    if (claims_.contains(name)) continue;
    if (claim.at_driver) problems.push_back(absl::StrCat("C1: ", name, " is still prepared, and no pod has it"));
    if (claim.listed) problems.push_back(absl::StrCat("C1: the daemon still has ", name, ", and no pod has it"));
  }
  return ResultOf(problems);
}

}  // namespace kubelet_cm::kills
