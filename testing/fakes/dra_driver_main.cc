// dra_driver: a DRA driver without devices, for trying out a kubelet or this project's daemon.
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/threads/real_threads.h"
#include "dra/api/dra_api.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/fakes/fake_main.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/fault_text.h"
#include "testing/scenarios/scenario_words.h"

namespace {

using kubelet_cm::dra::DraApi;
using kubelet_cm::dra::DraHealthApi;
using kubelet_cm::fakes::Complain;
using kubelet_cm::fakes::DefaultFolder;
using kubelet_cm::fakes::FakeDraDriver;

struct Flags {
  std::string driver = "fake.example.com";
  std::string socket_dir;
  std::string registry = DefaultFolder("plugins_registry");
  std::string api = "v1";
  std::vector<std::string> faults;
};

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--driver", flags.driver, "name of the driver")->capture_default_str();
  app.add_option("--socket-dir", flags.socket_dir, "folder of its socket; default: plugins/<driver> of the daemon");
  app.add_option("--registry", flags.registry, "folder in which it can be found")->capture_default_str();
  app.add_option("--api", flags.api, "API that it speaks")
      ->capture_default_str()
      ->check(CLI::IsMember({"v1", "v1beta1", "v1alpha4", "v1alpha3", "v1alpha2", "v1alpha1"}));
  app.add_option("--fault", flags.faults,
                 "what goes wrong at a call, as in a scenario's driver_fault; more than once for more of them: "
                 "\"call: NODE_PREPARE_RESOURCES nth: 2 act: CLAIM_ERROR message: 'busy'\"")
      ->allow_extra_args(false);
}

int Serve(Flags flags, const sigset_t& signals) {
  if (flags.socket_dir.empty()) flags.socket_dir = DefaultFolder("plugins/" + flags.driver);
  kubelet_cm::RealClock clock;
  kubelet_cm::RealThreads threads(clock);
  kubelet_cm::PosixFileSystem files;
  const DraApi api = *kubelet_cm::scenarios::DriverApiOfName(flags.api);
  const bool tells_health = api <= DraApi::kV1Beta1;
  FakeDraDriver driver({threads, files}, {.driver_name = flags.driver,
                                          .folder = flags.socket_dir,
                                          .registration_folder = flags.registry,
                                          .api = api,
                                          .health_apis = tells_health ? std::vector<DraHealthApi>{DraHealthApi::kV1}
                                                                      : std::vector<DraHealthApi>{},
                                          .on_death = kubelet_cm::fakes::Die});
  for (const std::string& text : flags.faults) {
    const auto fault = kubelet_cm::scenarios::DriverFaultOf(text);
    if (!fault.ok()) return Complain("--fault \"" + text + "\"", fault.status());
    kubelet_cm::scenarios::Arm(driver.script(), *fault);
  }
  if (const absl::Status started = driver.Start(); !started.ok()) return Complain(flags.socket_dir, started);
  std::cout << "serving " << flags.driver << " on " << driver.socket_path() << ", announced at "
            << driver.registration_path() << std::endl;
  kubelet_cm::fakes::WaitForSignal(signals);
  std::cout << "stopping" << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const sigset_t signals = kubelet_cm::fakes::HoldSignals();
  CLI::App app(
      "A DRA driver that prepares every claim with a device that does nothing. It ends with SIGTERM or SIGINT.");
  Flags flags;
  Declare(app, flags);
  CLI11_PARSE(app, argc, argv);
  return Serve(flags, signals);
}
