#include "kubelet_cm/pluginwatcher/plugin_watcher.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::pluginwatcher {
namespace {

// How long a registration waits for the same plugin to be unregistered for another socket.
constexpr absl::Duration kTakeTimeout = absl::Seconds(30);

}  // namespace

absl::StatusOr<std::unique_ptr<PluginWatcher>> PluginWatcher::New(Dependencies dependencies, const Options& options) {
  std::unique_ptr<PluginWatcher> watcher(new PluginWatcher(std::move(dependencies), options));
  watcher->deps_.log.V(2).Info("Plugin Watcher Start", {{"path", options.folder}});
  ASSIGN_OR_RETURN(watcher->folder_, SocketFolder::New({.files = watcher->deps_.files,
                                                        .watches = watcher->deps_.watches,
                                                        .clock = watcher->deps_.threads.clock(),
                                                        .log = watcher->deps_.log,
                                                        .listener = *watcher},
                                                       {.folder = options.folder,
                                                        .look_interval = options.look_interval,
                                                        .tree = {.follow_links = options.follow_links}}));
  watcher->deps_.log.Info("Starting Kubelet Plugin Manager");
  watcher->watching_ = watcher->deps_.threads.Start("plugin-folder", [it = watcher.get()] { it->folder_->Run(); });
  watcher->dispatching_ = watcher->deps_.threads.Start("plugin-watcher", [it = watcher.get()] { it->Dispatch(); });
  return watcher;
}

PluginWatcher::PluginWatcher(Dependencies dependencies, const Options& options)
    : deps_(std::move(dependencies)),
      options_(options),
      registering_({.files = deps_.files,
                    .handlers = deps_.handlers,
                    .holds = *this,
                    .confine_endpoints_to = options_.confine_endpoints_to}),
      work_(deps_.threads, "a change among the plugins"),
      shown_(deps_.metrics),
      released_(deps_.threads.NewCondition("the same plugin to be unregistered for another socket")),
      table_(options_.limits) {}

PluginWatcher::~PluginWatcher() {
  Stop();
  watching_.reset();
  dispatching_.reset();
}

void PluginWatcher::Stop() {
  std::vector<std::shared_ptr<RegistrationClient>> clients;
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    for (const auto& [path, running] : running_) {
      if (running.client != nullptr) clients.push_back(running.client);
    }
    released_->NotifyAll();
  }
  for (const auto& client : clients) client->Cancel();
  if (folder_ != nullptr) folder_->Stop();
  work_.Set();
}

std::vector<PluginRow> PluginWatcher::List() const {
  MutexLock lock(&mu_);
  return table_.Rows();
}

void PluginWatcher::OnFound(const FoundSockets& sockets) {
  PluginTable::Changes changes;
  {
    MutexLock lock(&mu_);
    changes = table_.Found(sockets);
  }
  Report(changes);
}

void PluginWatcher::OnFoundAll(const FoundSockets& sockets) {
  PluginTable::Changes changes;
  {
    MutexLock lock(&mu_);
    changes = table_.FoundAll(sockets);
  }
  Report(changes);
}

void PluginWatcher::OnVanished(const std::string& path) {
  PluginTable::Changes changes;
  {
    MutexLock lock(&mu_);
    changes = table_.Vanished(path);
    // It may have been a folder.
    for (std::string& below : table_.VanishedBelow(path).vanished) changes.vanished.push_back(std::move(below));
  }
  Report(changes);
}

void PluginWatcher::Report(const PluginTable::Changes& changes) {
  for (const std::string& path : changes.appeared) {
    deps_.log.V(2).Info("Adding socket path or updating timestamp to desired state cache", {{"path", path}});
  }
  for (const std::string& path : changes.replaced) {
    deps_.log.V(2).Info("Adding socket path or updating timestamp to desired state cache", {{"path", path}});
    deps_.log.V(5).Info(
        "An updated version of plugin has been found, unregistering the plugin first before reregistering",
        {{"path", path}});
  }
  for (const std::string& path : changes.vanished) {
    deps_.log.V(2).Info("Removing socket path from desired state cache", {{"path", path}});
  }
  // Once, and not for each of them.
  if (!changes.refused.empty() && !std::exchange(refusing_, true)) {
    deps_.log.Warning("Plugin sockets are left out, because too many are there",
                      {{"path", changes.refused.front()}, {"limit", options_.limits.plugins}});
  }
  if (!changes.vanished.empty()) refusing_ = false;
  if (!changes.appeared.empty() || !changes.replaced.empty() || !changes.vanished.empty()) work_.Set();
}

absl::Status PluginWatcher::Take(const std::string& path, const PluginInfo& plugin) {
  const MonotonicTime deadline = deps_.threads.clock().MonotonicNow() + kTakeTimeout;
  MutexLock lock(&mu_);
  while (!stopping_ && !table_.MayHold(path, plugin) && released_->WaitUntil(&mu_, deadline)) {
  }
  if (stopping_) return absl::CancelledError("the plugin watcher is stopping");
  if (!table_.MayHold(path, plugin)) {
    return absl::DeadlineExceededError("the plugin is still being unregistered for another socket");
  }
  table_.Hold(path, plugin);
  return absl::OkStatus();
}

bool PluginWatcher::BeginRelease(const std::string& path, bool registered) {
  MutexLock lock(&mu_);
  return table_.BeginRelease(path, registered);
}

void PluginWatcher::Release(const std::string& path) {
  MutexLock lock(&mu_);
  table_.Release(path);
  released_->NotifyAll();
}

void PluginWatcher::Dispatch() {
  bool stopping = false;
  while (!stopping) {
    std::vector<Running> over;
    std::vector<PluginOperation> due;
    std::vector<std::string> desired;
    std::vector<std::string> held;
    bool is_shown = false;
    MonotonicTime next;
    {
      MutexLock lock(&mu_);
      for (const std::string& path : over_) over.push_back(std::move(running_.extract(path).mapped()));
      over_.clear();
      stopping = stopping_;
      if (!stopping) due = table_.TakeDue(deps_.threads.clock().MonotonicNow());
      next = table_.NextDue();
      is_shown = std::exchange(shown_version_, table_.paths_version()) == table_.paths_version();
      if (!is_shown) desired = table_.DesiredPaths();
      if (!is_shown) held = table_.HeldPaths();
    }
    over.clear();
    if (!is_shown) shown_.Show(desired, held);
    for (const PluginOperation& operation : due) Begin(operation);
    if (!stopping) work_.WaitUntil(next);
  }
  std::map<std::string, Running> rest;
  {
    MutexLock lock(&mu_);
    rest.swap(running_);
  }
  rest.clear();  // waits for them
}

void PluginWatcher::Begin(const PluginOperation& operation) {
  const bool registers = operation.kind == PluginOperation::Kind::kRegister;
  std::shared_ptr<RegistrationClient> client;
  if (registers) client = deps_.make_client(operation.path);
  bool stopping = false;
  {
    MutexLock lock(&mu_);
    running_[operation.path].client = client;
    stopping = stopping_;
  }
  if (stopping && client != nullptr) client->Cancel();
  std::unique_ptr<Thread> thread = deps_.threads.Start("plugin-operation", [this, operation, client] {
    client != nullptr ? RunRegister(operation.path, *client) : RunUnregister(operation);
  });
  MutexLock lock(&mu_);
  running_[operation.path].thread = std::move(thread);
}

void PluginWatcher::RunRegister(const std::string& path, RegistrationClient& client) {
  deps_.log.V(1).Info("OperationExecutor.RegisterPlugin started", {{"path", path}});
  const RegistrationOutcome outcome = RegisterPlugin(registering_, path, client);
  std::optional<PluginTable::Retry> retry;
  bool stopping = false;
  {
    MutexLock lock(&mu_);
    if (outcome.status.ok()) {
      table_.FinishRegistered(path);
    } else {
      retry = table_.FinishFailed(path, outcome.plugin, outcome.reason, deps_.threads.clock().MonotonicNow());
    }
    stopping = stopping_;
    End(path);
  }
  work_.Set();
  if (retry.has_value()) {
    // Whoever stops has cut it short; that says nothing of the plugin.
    if (!stopping) ReportFailure(path, outcome, *retry);
    return;
  }
  deps_.log.V(1).Info("Plugin registered", {{"path", path},
                                            {"type", outcome.plugin.type},
                                            {"pluginName", outcome.plugin.name},
                                            {"endpoint", outcome.plugin.endpoint}});
  if (deps_.listener != nullptr) deps_.listener->OnPluginRegistered(path, outcome.plugin);
}

void PluginWatcher::RunUnregister(const PluginOperation& operation) {
  deps_.log.V(1).Info("OperationExecutor.UnregisterPlugin started", {{"path", operation.path}});
  deps_.log.V(4).Info("DeRegisterPlugin called",
                      {{"pluginName", operation.plugin.name}, {"endpoint", operation.plugin.endpoint}});
  UnregisterPlugin(registering_, operation.path, operation.plugin);
  {
    MutexLock lock(&mu_);
    table_.FinishUnregistered(operation.path);
    End(operation.path);
    released_->NotifyAll();
  }
  work_.Set();
  if (deps_.listener != nullptr) deps_.listener->OnPluginUnregistered(operation.path, operation.plugin);
}

void PluginWatcher::ReportFailure(const std::string& path, const RegistrationOutcome& outcome,
                                  const PluginTable::Retry& retry) {
  const absl::Time until = deps_.threads.clock().WallNow() + retry.delay;
  deps_.log.Error(
      outcome.status, "Operation failed. No retries permitted until the time given",
      {{"path", path}, {"noRetriesPermittedUntil", absl::FormatTime(until)}, {"durationBeforeRetry", retry.delay}});
  if (deps_.listener != nullptr) deps_.listener->OnPluginFailed(path, outcome.plugin, outcome.reason);
}

void PluginWatcher::End(const std::string& path) { over_.push_back(path); }

}  // namespace kubelet_cm::pluginwatcher
