#include "dra/plugin/claim_results.h"

#include <algorithm>
#include <cstddef>
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

// As Go shows what kubelets knew of a claim's CDI devices: a list, and later one for each driver.
std::string CdiDevicesOf(const ClaimRef& claim, const CallWording& wording) {
  const std::string list = ShownList(claim.cdi_device_ids);
  if (wording.words == CallWords::kUntil126) return list;
  return claim.cdi_device_ids.empty() ? "map[]" : absl::StrCat("map[", std::string(wording.driver), ":", list, "]");
}

// Until 1.27 there was a call for each claim and handle.
std::string SingularFailure(DraCall call, const ClaimRef& claim, const CallWording& wording, const std::string& why) {
  const std::string names = absl::StrCat("claim UID: ", claim.id.uid, ", claim name: ", claim.id.name);
  if (call == DraCall::kPrepare) {
    const std::string handle = claim.handles.empty() ? "" : LongShown(claim.handles.front().data);
    return absl::StrCat("NodePrepareResource failed, ", names, ", resource handle: ", handle, ", err: ", why);
  }
  return absl::StrCat("NodeUnprepareResource failed, pod: ", std::string(wording.pod_name), ", ", names,
                      ", CDI devices: ", CdiDevicesOf(claim, wording), ", err: ", why);
}

std::string CallFailure(DraCall call, DraClient::Claims asked, const CallWording& wording, const absl::Status& why) {
  const std::string reason = WasNotSent(why) ? std::string(why.message()) : GoRpcErrorText(why);
  if (wording.words <= CallWords::kUntil127) return SingularFailure(call, asked.front(), wording, reason);
  return absl::StrCat(NameOf(call), wording.words <= CallWords::kUntil133 ? " failed: " : ": ", reason);
}

std::string ClaimFailure(DraCall call, const ClaimRef& claim, const CallWording& wording, const std::string& error) {
  const std::string why = LongShown(error);
  if (wording.words <= CallWords::kUntil127) return SingularFailure(call, claim, wording, why);
  if (wording.words == CallWords::kNewest) {
    return absl::StrCat(NameOf(call), " failed for ResourceClaim ", claim.id.name, ": ", why);
  }
  // Go's print of an error that is none: it was the wrong variable.
  const bool unreasoned = call == DraCall::kUnprepare && wording.words <= CallWords::kUntil129;
  return absl::StrCat(NameOf(call), " failed for claim ", claim.id.Key(), ": ", unreasoned ? "%!s(<nil>)" : why);
}

std::string LeftOut(DraCall call, ptrdiff_t claims, const CallWording& wording) {
  return wording.words == CallWords::kNewest ? absl::StrCat(NameOf(call), " skipped ", claims, " ResourceClaims")
                                             : absl::StrCat(NameOf(call), " left out ", claims, " claims");
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

}  // namespace

absl::Status CannotCall(DraCall call, const absl::Status& why, const CallWording& wording) {
  const auto reworded = [&](const char* before, const char* after) {
    return absl::Status(why.code(), absl::StrCat(before, std::string(wording.driver), after, why.message()));
  };
  switch (wording.words) {
    case CallWords::kUntil126:
    case CallWords::kUntil127:
      return reworded("failed to get DRA Plugin client for plugin name ", ", err=");
    case CallWords::kUntil129:
    case CallWords::kUntil130:
      return reworded("failed to get DRA Plugin client for plugin name ", ": ");
    case CallWords::kUntil133:
      if (call == DraCall::kUnprepare) return reworded("get gRPC client for DRA driver ", ": ");
      return reworded("failed to get gRPC client for driver ", ": ");
    case CallWords::kNewest:
      break;
  }
  return why;
}

ClaimResults JudgeAnswers(DraCall call, DraClient::Claims asked, absl::StatusOr<ClaimAnswers> answers,
                          const CallWording& wording) {
  if (!answers.ok()) {
    const absl::Status& why = answers.status();
    return AllFail(absl::Status(why.code(), CallFailure(call, asked, wording, why)), asked.size());
  }
  if (const std::string* uid = UnknownUid(asked, *answers)) {
    return AllFail(
        absl::InternalError(absl::StrCat(NameOf(call), " returned result for unknown claim UID ", Shown(*uid))),
        asked.size());
  }
  const auto is_skipped = [&](const ClaimRef& claim) { return !answers->contains(claim.id.uid); };
  const absl::Status skipped =
      absl::InternalError(LeftOut(call, std::count_if(asked.begin(), asked.end(), is_skipped), wording));

  ClaimResults results;
  bool skips = false;
  for (const ClaimRef& claim : asked) {
    ClaimResult& result = results.claims.emplace_back();
    const auto answer = answers->find(claim.id.uid);
    if (answer == answers->end()) {
      skips = true;
      result.status = skipped;
    } else if (!answer->second.error.empty()) {
      result.status = absl::UnknownError(ClaimFailure(call, claim, wording, answer->second.error));
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
