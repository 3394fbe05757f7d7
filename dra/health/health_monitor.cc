#include "dra/health/health_monitor.h"

#include <utility>

#include "absl/status/status.h"
#include "common/clock/clock.h"
#include "common/status/check.h"

namespace kubelet_cm::dra {

HealthMonitor::HealthMonitor(Dependencies dependencies, Options options, HealthRestore restored)
    : deps_(std::move(dependencies)),
      options_(options),
      work_(deps_.threads, "device health to write, or to time out"),
      writer_(deps_.manager, deps_.threads, *this, {.key = kHealthStateKey, .on_disk = std::move(restored.bytes)}) {
  {
    MutexLock lock(&mu_);
    cache_.Restore(restored.state, Now());
  }
  thread_ = deps_.threads.Start("health-house", [this] { Run(); });
}

HealthMonitor::~HealthMonitor() {
  absl::btree_map<HealthSourceId, std::unique_ptr<HealthWatcher>> watchers;
  {
    MutexLock lock(&mu_);
    watchers.swap(watchers_);
  }
  for (const auto& [id, watcher] : watchers) watcher->Stop();
  watchers.clear();
  stopping_ = true;
  work_.Set();
  thread_.reset();
}

HealthInstant HealthMonitor::Now() const {
  const Clock& clock = deps_.threads.clock();
  return {clock.MonotonicNow(), clock.WallNow()};
}

void HealthMonitor::AddInstance(HealthSource source, std::unique_ptr<HealthClient> client) {
  CHECK(source.id != 0) << "an instance without an id";
  const HealthSourceId id = source.id;
  auto watcher = std::make_unique<HealthWatcher>(
      HealthWatcher::Dependencies{.threads = deps_.threads, .log = deps_.log, .observer = *this}, std::move(source),
      std::move(client), options_.retry);
  MutexLock lock(&mu_);
  CHECK(watchers_.emplace(id, std::move(watcher)).second) << "instance " << id << " is there already";
}

void HealthMonitor::RemoveInstance(HealthSourceId id) {
  std::unique_ptr<HealthWatcher> watcher;
  {
    MutexLock lock(&mu_);
    const auto found = watchers_.find(id);
    if (found == watchers_.end()) return;
    watcher = std::move(found->second);
    watchers_.erase(found);
  }
  const HealthSource source = watcher->source();
  watcher.reset();  // nothing is heard of it any more
  Forget(source);
}

void HealthMonitor::Forget(const HealthSource& source) {
  if (keeps_) return;
  HealthChange change;
  {
    MutexLock lock(&mu_);
    change = cache_.RemoveSource(source.driver_name, source.id);
    if (change.state_changed) ++number_;
  }
  Announce(change);
}

void HealthMonitor::OnReports(const HealthSource& source, HealthReports reports) {
  // Kubelets read what their time had in the message, which is also what was in their file.
  for (HealthReport& report : reports) {
    if (options_.format < HealthFormat::k135) report.timeout_seconds = 0;
    if (options_.format < HealthFormat::k136) report.message.clear();
  }
  HealthFindings findings;
  HealthChange change;
  {
    MutexLock lock(&mu_);
    change = cache_.Update(source.driver_name, source.id, std::move(reports), Now(), &findings);
    if (change.state_changed) ++number_;
  }
  LogFindings(source, findings);
  Announce(change);
}

void HealthMonitor::OnStreamEnded(const HealthSource& source) {
  deps_.log.V(4).Info("Clearing health cache for driver upon stream exit",
                      {{"pluginName", source.driver_name}, {"endpoint", source.endpoint}});
  Forget(source);
}

void HealthMonitor::LogFindings(const HealthSource& source, const HealthFindings& findings) {
  if (findings.beyond_limit > 0) {
    deps_.log.Error(
        "Ignoring device health beyond the limit of devices of a driver",
        {{"pluginName", source.driver_name}, {"ignored", findings.beyond_limit}, {"limit", kMaxHealthDevices}});
  }
  if (findings.bad_names > 0) {
    deps_.log.Error("Ignoring health of devices without a name, or with one that is too long",
                    {{"pluginName", source.driver_name}, {"ignored", findings.bad_names}});
  }
  if (findings.negative_timeouts > 0) {
    deps_.log.V(4).Info("Ignoring negative health check timeout, using default",
                        {{"pluginName", source.driver_name},
                         {"devices", findings.negative_timeouts},
                         {"defaultTimeout", kDefaultHealthTimeout}});
  }
  if (findings.cut_messages > 0) {
    deps_.log.V(4).Info("Cut health messages that are too long",
                        {{"pluginName", source.driver_name}, {"devices", findings.cut_messages}});
  }
}

void HealthMonitor::Announce(const HealthChange& change) {
  // Also for what did not change: it may time out at another time than the thread waits for.
  work_.Set();
  if (change.devices.empty()) return;
  deps_.log.V(4).Info("Health info changed, checking affected pods", {{"changedDevicesCount", change.devices.size()}});
  const std::vector<std::string> pods = deps_.pods_using(change.devices);
  if (pods.empty()) {
    deps_.log.V(4).Info("Health info changed, but no active pods found using the affected devices");
    return;
  }
  deps_.pod_updates.Add(pods);
  deps_.log.Info("Sending health update notification for pods", {{"pods", pods}});
}

DeviceCondition HealthMonitor::Read(const DeviceName& device) const {
  const MonotonicTime now = deps_.threads.clock().MonotonicNow();
  MutexLock lock(&mu_);
  return cache_.Read(device, now);
}

void HealthMonitor::Run() {
  while (!stopping_) {
    ExpireSilent();
    Save();
    work_.WaitUntil(NextTimeout());
  }
}

MonotonicTime HealthMonitor::NextTimeout() const {
  MutexLock lock(&mu_);
  return cache_.NextTimeout().value_or(MonotonicTime::InfiniteFuture());
}

void HealthMonitor::ExpireSilent() {
  HealthChange change;
  {
    MutexLock lock(&mu_);
    change = cache_.Expire(deps_.threads.clock().MonotonicNow());
    if (change.state_changed) ++number_;
  }
  if (change.devices.empty()) return;
  deps_.log.Info("Devices were not heard of in time, their health is unknown",
                 {{"devices", change.devices.size()},
                  {"firstDriver", change.devices.front().driver},
                  {"firstDevice", change.devices.front().device}});
  Announce(change);
}

void HealthMonitor::Save() {
  uint64_t number = 0;
  {
    MutexLock lock(&mu_);
    number = number_;
  }
  if (number <= attempted_ || stopping_) return;
  attempted_ = number;
  if (const absl::Status saved = writer_.WaitDurable(number); !saved.ok()) {
    deps_.log.Error(saved,
                    "Failed to save health checkpoint after update. Kubelet restart may lose the device health "
                    "information.");
  } else {
    deps_.log.V(4).Info("Saved health checkpoint");
  }
}

uint64_t HealthMonitor::Render(std::string& bytes) {
  HealthState state;
  uint64_t number = 0;
  {
    MutexLock lock(&mu_);
    state = cache_.State();
    number = number_;
  }
  bytes = EncodeHealth(state, options_.format);
  return number;
}

}  // namespace kubelet_cm::dra
