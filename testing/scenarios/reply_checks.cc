#include "testing/scenarios/reply_checks.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::scenarios {

std::string WordsOf(const Reply& reply) {
  if (reply.ok) return "it went well";
  return absl::StrCat("it was refused: ", reply.reason, reply.reason.empty() ? "" : ": ", reply.message);
}

std::vector<std::string> WrongWith(const Reply& reply, const WantedReply& wanted) {
  if (wanted.outcome == proto::EITHER) return {};
  if (reply.ok != (wanted.outcome == proto::OK)) {
    return {absl::StrCat("expected it to be ", reply.ok ? "refused" : "granted", ", but ", WordsOf(reply))};
  }
  if (reply.ok) return {};
  if (!wanted.reason.empty() && reply.reason != wanted.reason) {
    return {absl::StrCat("expected reason ", wanted.reason, ", but ", WordsOf(reply))};
  }
  if (absl::StrContains(reply.message, wanted.message)) return {};
  return {absl::StrCat("expected \"", wanted.message, "\" in the message, but ", WordsOf(reply))};
}

std::vector<std::string> WrongWith(const absl::Status& refusal, const std::string& refused_with) {
  if (refused_with.empty() && refusal.ok()) return {};
  if (refused_with.empty()) return {std::string(refusal.message())};
  if (refusal.ok()) return {absl::StrCat("expected a refusal with \"", refused_with, "\", and it went well")};
  if (absl::StrContains(refusal.message(), refused_with)) return {};
  return {absl::StrCat("expected a refusal with \"", refused_with, "\", got: ", refusal.message())};
}

}  // namespace kubelet_cm::scenarios
