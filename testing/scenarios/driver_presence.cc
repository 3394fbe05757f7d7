#include "testing/scenarios/driver_presence.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "testing/scenarios/fake_steps.h"

namespace kubelet_cm::scenarios {

void DriverPresence::Leave(const std::string& driver) {
  {
    MutexLock lock(&mu_);
    states_[driver].up = false;
  }
  drivers_.Leave(driver);
}

void DriverPresence::Start(const proto::StartDriver& start) {
  const std::string& name = start.driver();
  bool is_new = false;
  {
    MutexLock lock(&mu_);
    is_new = states_.try_emplace(name).second;
    states_[name] = {.up = true, .stays_away = start.stays_away()};
  }
  if (is_new) {
    fakes::ScriptedDriver::Options options = OptionsOf(start);
    cdi_.WriteFor(name, &options);
    drivers_.Add(name, std::move(options)).OnDeath([this, name](fakes::ScriptedDriver::SessionId) { Leave(name); });
  } else {
    drivers_.ComeBack(name);
  }
}

absl::Status DriverPresence::Stop(const std::string& driver) {
  const bool up = [&] {
    MutexLock lock(&mu_);
    return states_[driver].up;
  }();
  if (!up) return absl::FailedPreconditionError(absl::StrCat("driver ", driver, " is not up"));
  Leave(driver);
  return absl::OkStatus();
}

void DriverPresence::PowerOff() {
  for (const std::string& driver : UpWhere([](const State&) { return true; })) Leave(driver);
  MutexLock lock(&mu_);
  for (const auto& [driver, state] : states_) drivers_.driver(driver).ForgetPrepared();
}

absl::Status DriverPresence::Unlink(const std::string& driver) {
  if (!Up().contains(driver)) return absl::FailedPreconditionError(absl::StrCat("nobody finds ", driver));
  {
    MutexLock lock(&mu_);
    states_[driver].unlinked = true;
  }
  drivers_.Leave(driver);
  return absl::OkStatus();
}

void DriverPresence::KubeletStarts() {
  for (const std::string& driver : UpWhere([](const State& state) { return state.stays_away; })) drivers_.Leave(driver);
}

std::set<std::string> DriverPresence::UpWhere(absl::FunctionRef<bool(const State&)> so) const {
  std::set<std::string> up;
  MutexLock lock(&mu_);
  for (const auto& [name, state] : states_) {
    if (state.up && so(state)) up.insert(name);
  }
  return up;
}

}  // namespace kubelet_cm::scenarios
