// device_plugin: a device plugin without devices, for trying out a kubelet or this project's daemon.
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/threads/real_threads.h"
#include "deviceplugin/api/plugin_api.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/fakes/fake_main.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/fault_text.h"

namespace {

using kubelet_cm::deviceplugin::PluginApi;

struct Flags {
  std::string resource = "example.com/fake";
  int devices = 4;
  int numa = 0;
  std::string socket_dir = kubelet_cm::fakes::DefaultFolder("device-plugins");
  std::string socket_name = "fake.sock";
  std::string api = "v1beta1";
  std::string kubelet_socket;
  std::vector<std::string> faults;
};

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--resource", flags.resource, "name of the resource")->capture_default_str();
  app.add_option("--devices", flags.devices, "how many devices there are")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  app.add_option("--numa", flags.numa, "NUMA nodes over which the devices are spread; 0: no topology")
      ->capture_default_str()
      ->check(CLI::Range(0, 64));
  app.add_option("--socket-dir", flags.socket_dir, "folder of the plugin's socket")->capture_default_str();
  app.add_option("--socket-name", flags.socket_name, "name of the plugin's socket")->capture_default_str();
  app.add_option("--api", flags.api, "API that it speaks")
      ->capture_default_str()
      ->check(CLI::IsMember({"v1beta1", "v1alpha2", "0.1"}));
  app.add_option("--kubelet-socket", flags.kubelet_socket,
                 "socket to register at, now and whenever it is made anew; default: kubelet.sock in --socket-dir");
  app.add_option("--fault", flags.faults,
                 "what goes wrong at a call, as in a scenario's plugin_fault; more than once for more of them: "
                 "\"call: ALLOCATE nth: 2 act: FAIL code: 'UNAVAILABLE' message: 'busy'\"")
      ->allow_extra_args(false);
}

PluginApi ApiOf(const std::string& version) {
  for (const PluginApi api : {PluginApi::kV1Alpha2, PluginApi::k01}) {
    if (kubelet_cm::deviceplugin::ApiVersion(api) == version) return api;
  }
  return PluginApi::kV1Beta1;
}

int Serve(const Flags& flags, const sigset_t& signals) {
  kubelet_cm::RealClock clock;
  kubelet_cm::RealThreads threads(clock);
  kubelet_cm::PosixFileSystem files;
  kubelet_cm::fakes::FakeDevicePlugin plugin(
      {threads, files}, {.resource_name = flags.resource,
                         .folder = flags.socket_dir,
                         .socket_name = flags.socket_name,
                         .api = ApiOf(flags.api),
                         .plugin = {.devices = kubelet_cm::fakes::NumberedDevices("dev-", flags.devices, flags.numa)},
                         .on_death = kubelet_cm::fakes::Die});
  for (const std::string& text : flags.faults) {
    const auto fault = kubelet_cm::scenarios::PluginFaultOf(text);
    if (!fault.ok()) return kubelet_cm::fakes::Complain("--fault \"" + text + "\"", fault.status());
    kubelet_cm::scenarios::Arm(plugin.script(), *fault);
  }
  if (const absl::Status started = plugin.Start(); !started.ok()) {
    return kubelet_cm::fakes::Complain(flags.socket_dir, started);
  }
  std::cout << "serving " << flags.devices << " devices of " << flags.resource << " on " << plugin.socket_path()
            << std::endl;
  const std::string in_folder = flags.socket_dir + "/kubelet.sock";
  plugin.Follow(flags.kubelet_socket.empty() ? in_folder : flags.kubelet_socket, absl::Milliseconds(100));
  kubelet_cm::fakes::WaitForSignal(signals);
  std::cout << "stopping" << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const sigset_t signals = kubelet_cm::fakes::HoldSignals();
  CLI::App app("A device plugin whose devices do nothing. It ends with SIGTERM or SIGINT.");
  Flags flags;
  Declare(app, flags);
  CLI11_PARSE(app, argc, argv);
  return Serve(flags, signals);
}
