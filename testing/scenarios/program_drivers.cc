#include "testing/scenarios/program_drivers.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "dra/health/health_report.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {

using fakes::DriverMethod;
using fakes::FakeDraDriver;

ProgramDrivers::ProgramDrivers(harness::RealMachine& machine, std::string folder, std::string registry,
                               const std::string& cdi, ProgramDeath& death)
    : machine_(machine),
      folder_(std::move(folder)),
      registry_(std::move(registry)),
      cdi_(machine.files, cdi),
      death_(death) {}

absl::Status ProgramDrivers::Start(const proto::StartDriver& start, dra::DraApi api) {
  Driver& driver = drivers_[start.driver()];
  driver.stays_away = start.stays_away();
  if (driver.fake == nullptr) {
    std::vector<dra::DraHealthApi> health;
    if (start.tells_health()) health = {dra::DraHealthApi::kV1, dra::DraHealthApi::kV1Alpha1};
    if (const auto only = HealthApiOfName(start.health_api()); only.has_value()) health = {*only};
    driver.one_socket = start.one_socket();
    fakes::ScriptedDriver::Options options = OptionsOf(start);
    cdi_.WriteFor(start.driver(), &options);
    driver.fake =
        std::make_unique<FakeDraDriver>(FakeDraDriver::Dependencies{machine_.threads, machine_.files},
                                        FakeDraDriver::Options{.driver_name = start.driver(),
                                                               .folder = folder_,
                                                               .socket_name = absl::StrCat(start.driver(), ".sock"),
                                                               .registration_folder = registry_,
                                                               .one_socket = start.one_socket(),
                                                               .api = api,
                                                               .health_apis = std::move(health),
                                                               .driver = std::move(options)});
    driver.fake->script().Guard([this](DriverMethod method) { return death_.Come(fakes::MethodName(method)); });
  }
  if (!start.api().empty()) driver.fake->Speak(*DriverApiOfName(start.api()));
  driver.listens = !start.listens_later();
  RETURN_IF_ERROR(driver.fake->Listen(driver.listens));
  const bool can_be_found = !std::exchange(driver.unlinked, false);
  return driver.fake->serving() && can_be_found ? absl::OkStatus() : driver.fake->Start();
}

absl::Status ProgramDrivers::Stop(const std::string& driver) {
  const auto found = drivers_.find(driver);
  if (found == drivers_.end() || !found->second.fake->serving()) {
    return absl::FailedPreconditionError(absl::StrCat("driver ", driver, " is not up"));
  }
  found->second.fake->Stop();
  return absl::OkStatus();
}

absl::Status ProgramDrivers::SetHealth(const proto::DriverHealth& says) {
  const auto found = drivers_.find(says.driver());
  if (found == drivers_.end()) return absl::FailedPreconditionError(absl::StrCat("there is no ", says.driver()));
  dra::HealthReports reports;
  for (const proto::DriverHealth::Device& device : says.devices()) {
    const dra::HealthValue health =
        device.health().empty() ? dra::HealthValue::kHealthy : dra::ParseHealthName(device.health());
    reports.push_back({.pool = "pool", .device = device.device(), .health = health});
  }
  found->second.fake->health().Publish(std::move(reports));
  return absl::OkStatus();
}

absl::Status ProgramDrivers::Listen(const proto::DriverSocket& socket) {
  const auto found = drivers_.find(socket.driver());
  if (found == drivers_.end() || !found->second.fake->serving()) {
    return absl::FailedPreconditionError(absl::StrCat("driver ", socket.driver(), " is not up"));
  }
  found->second.listens = socket.listens();
  return found->second.fake->Listen(socket.listens());
}

int32_t ProgramDrivers::ConnectionCount(const std::string& driver) const {
  const auto found = drivers_.find(driver);
  return found == drivers_.end() ? 0 : found->second.fake->connections();
}

absl::Status ProgramDrivers::Unlink(const std::string& driver) {
  if (!Up().contains(driver)) return absl::FailedPreconditionError(absl::StrCat("nobody finds ", driver));
  Driver& up = drivers_.at(driver);
  up.unlinked = true;
  return machine_.files.Unlink(up.fake->registration_path());
}

void ProgramDrivers::PowerOff() {
  for (auto& [name, driver] : drivers_) {
    driver.fake->Stop();
    driver.fake->ForgetPrepared();
  }
}

void ProgramDrivers::Hide() {
  for (auto& [name, driver] : drivers_) {
    if (driver.stays_away) driver.fake->Stop();
  }
}

absl::Status ProgramDrivers::Fail(const proto::DriverFault& fault) {
  const auto found = drivers_.find(fault.driver());
  if (found == drivers_.end()) return absl::FailedPreconditionError(absl::StrCat("there is no ", fault.driver()));
  fakes::DriverScript& script = found->second.fake->script();
  if (fault.always() && fault.act() == proto::DriverFault::ANSWER) {
    // Calls of kubelets that were killed may still be held, and would take effect if they were answered now.
    script.Always(MethodOfCall(fault.call()), StepOf(fault));
  } else {
    Arm(script, fault);
  }
  return absl::OkStatus();
}

std::set<std::string> ProgramDrivers::Up() const {
  std::set<std::string> up;
  for (const auto& [name, driver] : drivers_) {
    if (driver.fake->serving() && !driver.unlinked && (driver.listens || driver.one_socket)) up.insert(name);
  }
  return up;
}

std::set<std::string> ProgramDrivers::Unregistered() const {
  std::set<std::string> unregistered = Up();
  std::erase_if(unregistered, [this](const std::string& name) { return drivers_.at(name).fake->registered(); });
  return unregistered;
}

std::set<std::string> ProgramDrivers::All() const {
  std::set<std::string> all;
  for (const auto& [name, driver] : drivers_) all.insert(name);
  return all;
}

std::vector<SeenCall> ProgramDrivers::Calls(const std::string& driver) const {
  std::vector<SeenCall> calls;
  const auto found = drivers_.find(driver);
  if (found == drivers_.end()) return calls;
  for (const fakes::DriverCall& call : found->second.fake->script().Calls()) {
    calls.push_back({.method = fakes::MethodName(call.method), .ids = call.claim_uids});
  }
  return calls;
}

std::set<std::string> ProgramDrivers::PreparedClaims(const std::string& driver) const {
  const auto found = drivers_.find(driver);
  return found == drivers_.end() ? std::set<std::string>() : found->second.fake->PreparedClaims();
}

void ProgramDrivers::KubeletIsGone() {
  for (auto& [name, driver] : drivers_) driver.fake->script().CallersAreGone();
}

int ProgramDrivers::HeldCount() const {
  int held = 0;
  for (const auto& [name, driver] : drivers_) held += driver.fake->script().HeldCount();
  return held;
}

}  // namespace kubelet_cm::scenarios
