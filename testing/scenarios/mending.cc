#include "testing/scenarios/mending.h"

namespace kubelet_cm::scenarios {
namespace {

// What is up already cannot be started, and what never came up cannot be told anything: neither is an error here.

void MendPlugin(BenchNode& node, const std::string& plugin) {
  proto::StartPlugin start;
  start.set_plugin(plugin);
  node.StartPlugin(start).IgnoreError();
  proto::PluginFault fine;
  fine.set_plugin(plugin);
  fine.set_always(true);
  fine.set_act(proto::PluginFault::ANSWER);
  for (int call = proto::PluginFault::Call_MIN + 1; call <= proto::PluginFault::Call_MAX; ++call) {
    fine.set_call(static_cast<proto::PluginFault::Call>(call));
    node.FailPlugin(fine).IgnoreError();
  }
}

void MendDriver(BenchNode& node, const std::string& driver) {
  proto::DriverFault fine;
  fine.set_driver(driver);
  fine.set_always(true);
  fine.set_act(proto::DriverFault::ANSWER);
  for (int call = proto::DriverFault::Call_MIN + 1; call <= proto::DriverFault::Call_MAX; ++call) {
    fine.set_call(static_cast<proto::DriverFault::Call>(call));
    node.FailDriver(fine).IgnoreError();
  }
  proto::StartDriver start;
  start.set_driver(driver);
  node.StartDriver(start).IgnoreError();
}

}  // namespace

void MendEverything(BenchNode& node, const std::set<std::string>& plugins, const std::set<std::string>& drivers) {
  node.MendDisk().IgnoreError();
  for (const std::string& plugin : plugins) MendPlugin(node, plugin);
  for (const std::string& driver : drivers) MendDriver(node, driver);
}

}  // namespace kubelet_cm::scenarios
