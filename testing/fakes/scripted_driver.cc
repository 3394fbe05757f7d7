#include "testing/fakes/scripted_driver.h"

#include <utility>

#include "common/status/status_macros.h"

namespace kubelet_cm::fakes {
namespace {

absl::Status Dead() { return absl::UnavailableError("Socket closed"); }

std::vector<std::string> UidsOf(const ScriptedDriver::Claims& claims) {
  std::vector<std::string> uids;
  for (const dra::ClaimId& claim : claims) uids.push_back(claim.uid);
  return uids;
}

}  // namespace

std::vector<dra::ClaimDevice> OneDevice(const dra::ClaimId& claim) {
  dra::ClaimDevice device;
  device.pool_name = "pool";
  device.device_name = "dev-0";
  device.cdi_device_ids.Set({"example.com/fake=" + claim.uid});
  return {device};
}

ScriptedDriver::ScriptedDriver(Threads& threads, Options options) : options_(std::move(options)), script_(threads) {}

std::set<std::string> ScriptedDriver::PreparedClaims() const {
  MutexLock lock(&mu_);
  return prepared_;
}

void ScriptedDriver::ForgetPrepared() {
  MutexLock lock(&mu_);
  prepared_.clear();
}

std::vector<absl::Duration> ScriptedDriver::TimeLimits() const {
  MutexLock lock(&mu_);
  return limits_;
}

void ScriptedDriver::TellTimeLimit(absl::Duration limit) {
  MutexLock lock(&mu_);
  limits_.push_back(limit);
}

void ScriptedDriver::OnDeath(std::function<void(SessionId)> on_death) {
  MutexLock lock(&mu_);
  on_death_ = std::move(on_death);
}

absl::StatusOr<DriverStep> ScriptedDriver::Begin(SessionId session, DriverCall call, MonotonicTime deadline) {
  ASSIGN_OR_RETURN(DriverStep step, script_.Begin(session, std::move(call), deadline));
  if (step.act != DriverAct::kDie) return step;
  script_.CloseSession(session, Dead());
  std::function<void(SessionId)> on_death;
  {
    MutexLock lock(&mu_);
    on_death = on_death_;
  }
  if (on_death) on_death(session);
  return Dead();
}

dra::ClaimAnswers ScriptedDriver::AnswersOf(const DriverStep& step, DriverMethod method, const Claims& claims) {
  const bool prepares = method == DriverMethod::kPrepare;
  dra::ClaimAnswers answers;
  for (const dra::ClaimId& claim : claims) {
    const bool is_first = &claim == &claims.front();
    if (is_first && step.act == DriverAct::kSkipClaim) continue;
    dra::ClaimAnswer& answer = answers[claim.uid];
    if (is_first && step.act == DriverAct::kClaimError) {
      answer.error = std::string(step.error.message());
      continue;
    }
    if (prepares && step.act != DriverAct::kNoDevices) answer.devices = options_.devices(claim);
    if (options_.write) options_.write(claim, answer.devices);
    MutexLock lock(&mu_);
    prepares ? void(prepared_.insert(claim.uid)) : void(prepared_.erase(claim.uid));
  }
  if (step.act == DriverAct::kUnknownClaim) answers["nobody-mentioned-me"] = {};
  return answers;
}

absl::StatusOr<dra::ClaimAnswers> ScriptedDriver::Prepare(SessionId session, const Claims& claims,
                                                          MonotonicTime deadline) {
  constexpr DriverMethod kMethod = DriverMethod::kPrepare;
  ASSIGN_OR_RETURN(const DriverStep step, Begin(session, {.method = kMethod, .claim_uids = UidsOf(claims)}, deadline));
  return AnswersOf(step, kMethod, claims);
}

absl::StatusOr<dra::ClaimAnswers> ScriptedDriver::Unprepare(SessionId session, const Claims& claims,
                                                            MonotonicTime deadline) {
  constexpr DriverMethod kMethod = DriverMethod::kUnprepare;
  ASSIGN_OR_RETURN(const DriverStep step, Begin(session, {.method = kMethod, .claim_uids = UidsOf(claims)}, deadline));
  return AnswersOf(step, kMethod, claims);
}

absl::Status ScriptedDriver::GetInfo(SessionId session) {
  return Begin(session, {.method = DriverMethod::kGetInfo}).status();
}

absl::Status ScriptedDriver::Notify(SessionId session, bool registered, const std::string& error) {
  return Begin(session, {.method = DriverMethod::kNotify, .registered = registered, .error = error}).status();
}

}  // namespace kubelet_cm::fakes
