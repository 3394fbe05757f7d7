// device_plugin: a device plugin without devices, for trying out a kubelet or this project's daemon.
#include <csignal>
#include <iostream>
#include <map>
#include <string>

#include "CLI/CLI.hpp"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/threads/real_threads.h"
#include "deviceplugin/api/plugin_api.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/fakes/fake_main.h"

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
                         .plugin = {.devices = kubelet_cm::fakes::NumberedDevices("dev-", flags.devices, flags.numa)}});
  if (const absl::Status started = plugin.Start(); !started.ok()) {
    std::cerr << started.message() << "\n";
    return 1;
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
