#include "deviceplugin/device_rules.h"

namespace kubelet_cm::deviceplugin {
namespace {

SecondPlugin SecondPluginSince(int minor) {
  if (minor >= 37) return SecondPlugin::kServesBeside;
  return minor >= 25 ? SecondPlugin::kSharesItsFate : SecondPlugin::kTakesItsPlace;
}

HealthNews HealthNewsSince(int minor) {
  if (minor >= 37) return HealthNews::kOfListed;
  return minor >= 31 ? HealthNews::kOfListedByAnybodysName : HealthNews::kNone;
}

}  // namespace

DeviceRules RulesOf(const Personality& kubelet) {
  DeviceRules rules;
  if (&kubelet == &LatestPersonality()) return rules;
  const int minor = kubelet.first.minor;
  rules.inventory = {.stopped_grace = minor >= 10 ? kStoppedGrace : kNoGrace, .counts_unhealthy = minor >= 10};
  rules.check = {.looks_at_held = minor >= 28, .trusts_running = minor >= 28, .trusts_running_entry = false};
  rules.follows_init_containers = false;
  rules.second_plugin = SecondPluginSince(minor);
  rules.sidecars = minor >= 29 ? SidecarDevices::kItsOwn : SidecarDevices::kForTheOthers;
  rules.health_news = HealthNewsSince(minor);
  rules.shows_unknown = false;
  rules.writes_collected = false;
  rules.every_node_has_hints = minor < 36;
  rules.cdi_names = minor >= 28;
  rules.late_only_if_active = minor >= 24;
  rules.unhealthy_allocatable = minor < 23;
  rules.starts_without_zeros = minor >= 21;
  rules.asks_preferred = minor >= 19;
  return rules;
}

}  // namespace kubelet_cm::deviceplugin
