#include "dra/plugin/claim_results.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/grpc_status.h"
#include "dra/plugin/shown_text.h"

namespace kubelet_cm::dra {
namespace {

std::string NameOf(DraCall call) {
  return call == DraCall::kPrepare ? "NodePrepareResources" : "NodeUnprepareResources";
}

ClaimResults AllFail(const absl::Status& status, size_t claims) {
  return {std::vector<ClaimResult>(claims, ClaimResult{.status = status}), status};
}

// The first uid that nobody asked about; null if there is none.
const std::string* UnknownUid(DraClient::Claims asked, const ClaimAnswers& answers) {
  for (const auto& [uid, answer] : answers) {
    const auto is_it = [&uid = uid](const ClaimRef& claim) { return claim.id.uid == uid; };
    if (std::none_of(asked.begin(), asked.end(), is_it)) return &uid;
  }
  return nullptr;
}

// Kubernetes gives a claim 32 devices at most. Memory here is some hundred bytes a device, however short its names are.
constexpr size_t kMaxDevices = 4096;

absl::Status Failed(DraCall call, const ClaimRef& claim, const std::string& error) {
  return absl::UnknownError(
      absl::StrCat(NameOf(call), " failed for ResourceClaim ", claim.id.name, ": ", LongShown(error)));
}

}  // namespace

ClaimResults JudgeAnswers(DraCall call, DraClient::Claims asked, absl::StatusOr<ClaimAnswers> answers) {
  if (!answers.ok()) {
    const absl::Status& why = answers.status();
    return AllFail(absl::Status(why.code(), absl::StrCat(NameOf(call), ": ", GoRpcErrorText(why))), asked.size());
  }
  if (const std::string* uid = UnknownUid(asked, *answers)) {
    return AllFail(
        absl::InternalError(absl::StrCat(NameOf(call), " returned result for unknown claim UID ", Shown(*uid))),
        asked.size());
  }
  const auto is_skipped = [&](const ClaimRef& claim) { return !answers->contains(claim.id.uid); };
  const absl::Status skipped = absl::InternalError(absl::StrCat(
      NameOf(call), " skipped ", std::count_if(asked.begin(), asked.end(), is_skipped), " ResourceClaims"));

  ClaimResults results;
  bool skips = false;
  for (const ClaimRef& claim : asked) {
    ClaimResult& result = results.claims.emplace_back();
    const auto answer = answers->find(claim.id.uid);
    if (answer == answers->end()) {
      skips = true;
      result.status = skipped;
    } else if (!answer->second.error.empty()) {
      result.status = Failed(call, claim, answer->second.error);
      results.error.Update(result.status);
    } else if (const size_t devices = answer->second.devices.size(); devices > kMaxDevices) {
      result.status = absl::ResourceExhaustedError(absl::StrCat(NameOf(call), " failed for ResourceClaim ",
                                                                claim.id.name, ": the driver names ", devices,
                                                                " devices, more than ", kMaxDevices));
      results.error.Update(result.status);
    } else {
      result.devices = answer->second.devices;
    }
  }
  if (skips) results.error.Update(skipped);
  return results;
}

}  // namespace kubelet_cm::dra
