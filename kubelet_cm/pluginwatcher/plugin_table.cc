#include "kubelet_cm/pluginwatcher/plugin_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::pluginwatcher {
namespace {

constexpr absl::Duration kFirstDelay = absl::Milliseconds(500);
constexpr absl::Duration kLongestDelay = absl::Seconds(122);

}  // namespace

// Whether what it holds is to go: its socket is gone or another one, or its plugin could not be told of success.
bool PluginTable::Entry::IsLeaving() const {
  return held.has_value() && (releasing || !socket.has_value() || held_generation != generation);
}

bool PluginTable::Entry::WantsUnregistration() const { return !running.has_value() && held.has_value() && IsLeaving(); }

bool PluginTable::Entry::WantsRegistration() const {
  return !running.has_value() && !held.has_value() && socket.has_value();
}

void PluginTable::FindOne(const std::string& path, const SocketIdentity& socket, Changes& changes) {
  const auto known = entries_.find(path);
  const bool is_there = known != entries_.end() && known->second.socket.has_value();
  if (is_there && *known->second.socket == socket) return;
  if (!is_there && sockets_ >= limits_.plugins) {
    changes.refused.push_back(path);
    return;
  }
  if (!is_there) ++sockets_;
  (is_there ? changes.replaced : changes.appeared).push_back(path);
  ++paths_version_;
  Entry& entry = entries_[path];
  entry.socket = socket;
  entry.generation = ++last_generation_;
  if (!entry.held.has_value()) entry.said = {};
  entry.error.clear();
  entry.failures = 0;
  entry.delay = absl::ZeroDuration();
  entry.not_before = MonotonicTime();
}

PluginTable::Changes PluginTable::Found(const FoundSockets& sockets) {
  Changes changes;
  for (const auto& [path, socket] : sockets) FindOne(path, socket, changes);
  return changes;
}

PluginTable::Changes PluginTable::FoundAll(const FoundSockets& sockets) {
  Changes changes;
  // Those that vanish make room, so they go first.
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (!sockets.contains(entry->first)) LoseOne(entry, changes);
    entry = next;
  }
  for (const auto& [path, socket] : sockets) FindOne(path, socket, changes);
  return changes;
}

void PluginTable::LoseOne(Entries::iterator entry, Changes& changes) {
  if (!entry->second.socket.has_value()) return;
  changes.vanished.push_back(entry->first);
  entry->second.socket.reset();
  --sockets_;
  ++paths_version_;
  ForgetIfDone(std::string(entry->first));
}

PluginTable::Changes PluginTable::Vanished(const std::string& path) {
  Changes changes;
  if (const auto entry = entries_.find(path); entry != entries_.end()) LoseOne(entry, changes);
  return changes;
}

PluginTable::Changes PluginTable::VanishedBelow(const std::string& folder) {
  Changes changes;
  const std::string prefix = absl::StrCat(folder, "/");
  for (auto entry = entries_.lower_bound(prefix); entry != entries_.end();) {
    if (!absl::StartsWith(entry->first, prefix)) break;
    const auto next = std::next(entry);
    LoseOne(entry, changes);
    entry = next;
  }
  return changes;
}

void PluginTable::ForgetIfDone(const std::string& path) {
  const auto entry = entries_.find(path);
  const Entry& it = entry->second;
  if (!it.socket.has_value() && !it.held.has_value() && !it.running.has_value()) entries_.erase(entry);
}

void PluginTable::Begin(Entries::iterator entry, PluginOperation::Kind kind, std::vector<PluginOperation>& begun) {
  Entry& it = entry->second;
  it.running = kind;
  it.running_generation = it.generation;
  if (kind == PluginOperation::Kind::kUnregister) {
    ++unregistering_;
    begun.push_back({.kind = kind, .path = entry->first, .plugin = *it.held});
    return;
  }
  it.running_is_retry = it.failures > 0;
  ++registering_;
  if (it.running_is_retry) ++retrying_;
  begun.push_back({.kind = kind, .path = entry->first});
}

std::vector<PluginOperation> PluginTable::TakeDue(MonotonicTime now) {
  std::vector<PluginOperation> begun;
  std::vector<Entries::iterator> fresh;
  std::vector<Entries::iterator> retries;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    const Entry& it = entry->second;
    if (it.WantsUnregistration()) {
      if (unregistering_ < limits_.unregistrations) Begin(entry, PluginOperation::Kind::kUnregister, begun);
    } else if (it.WantsRegistration() && now >= it.not_before) {
      (it.failures > 0 ? retries : fresh).push_back(entry);
    }
  }
  // Who has come first, and who has been waiting longest.
  std::sort(fresh.begin(), fresh.end(),
            [](const auto& a, const auto& b) { return a->second.generation < b->second.generation; });
  std::stable_sort(retries.begin(), retries.end(),
                   [](const auto& a, const auto& b) { return a->second.not_before < b->second.not_before; });
  for (const auto& entry : fresh) {
    if (registering_ < limits_.registrations) Begin(entry, PluginOperation::Kind::kRegister, begun);
  }
  for (const auto& entry : retries) {
    if (registering_ < limits_.registrations && retrying_ < limits_.retries) {
      Begin(entry, PluginOperation::Kind::kRegister, begun);
    }
  }
  return begun;
}

MonotonicTime PluginTable::NextDue() const {
  MonotonicTime next = MonotonicTime::InfiniteFuture();
  // With no room left, it is the end of an operation that is waited for.
  const bool room = registering_ < limits_.registrations;
  for (const auto& [path, entry] : entries_) {
    if (entry.WantsUnregistration() && unregistering_ < limits_.unregistrations) return MonotonicTime();
    if (!entry.WantsRegistration() || !room || (entry.failures > 0 && retrying_ >= limits_.retries)) continue;
    next = std::min(next, entry.not_before);
  }
  return next;
}

bool PluginTable::MayHold(const std::string& path, const PluginInfo& plugin) const {
  return std::none_of(entries_.begin(), entries_.end(), [&](const auto& other) {
    return other.first != path && other.second.IsLeaving() && other.second.held->IsSamePluginAs(plugin);
  });
}

void PluginTable::Hold(const std::string& path, const PluginInfo& plugin) {
  Entry& entry = entries_.at(path);
  CHECK(!entry.held.has_value()) << path << " holds a plugin";
  entry.held = plugin;
  entry.held_generation = entry.running_generation;
  entry.said = plugin;
  ++paths_version_;
}

bool PluginTable::BeginRelease(const std::string& path, bool registered) {
  Entry& entry = entries_.at(path);
  entry.releasing = true;
  const bool is_known = registered || entry.inherited;
  bool is_last = true;
  for (auto& [other_path, other] : entries_) {
    if (other_path == path || !other.held.has_value() || !other.held->IsSamePluginAs(*entry.held)) continue;
    is_last = false;
    other.inherited = other.inherited || is_known;
  }
  return is_last && is_known;
}

void PluginTable::Release(const std::string& path) {
  Entry& entry = entries_.at(path);
  entry.held.reset();
  entry.releasing = false;
  entry.inherited = false;
  ++paths_version_;
}

PluginTable::Entry& PluginTable::Finish(const std::string& path) {
  Entry& entry = entries_.at(path);
  if (entry.running == PluginOperation::Kind::kUnregister) --unregistering_;
  if (entry.running == PluginOperation::Kind::kRegister) {
    --registering_;
    if (entry.running_is_retry) --retrying_;
    entry.running_is_retry = false;
  }
  entry.running.reset();
  return entry;
}

void PluginTable::FinishRegistered(const std::string& path) {
  Entry& entry = Finish(path);
  entry.error.clear();
  entry.failures = 0;
  entry.delay = absl::ZeroDuration();
  ForgetIfDone(path);
}

PluginTable::Retry PluginTable::FinishFailed(const std::string& path, const PluginInfo& plugin,
                                             const std::string& error, MonotonicTime now) {
  Entry& entry = Finish(path);
  const bool is_same_socket = entry.generation == entry.running_generation;
  Retry retry{.delay = kFirstDelay, .at = now + kFirstDelay};
  // Nothing is held against a socket for what was at its path before.
  if (is_same_socket) {
    retry.delay = std::clamp(entry.delay * 2, kFirstDelay, kLongestDelay);
    retry.at = now + retry.delay;
    entry.said = plugin;
    entry.error = error;
    ++entry.failures;
    entry.delay = retry.delay;
    entry.not_before = retry.at;
  }
  ForgetIfDone(path);
  return retry;
}

void PluginTable::FinishUnregistered(const std::string& path) {
  Finish(path);
  Release(path);
  ForgetIfDone(path);
}

std::vector<PluginRow> PluginTable::Rows() const {
  std::vector<PluginRow> rows;
  for (const auto& [path, entry] : entries_) {
    PluginRow row{.path = path, .plugin = entry.said, .error = entry.error, .failures = entry.failures};
    if (entry.running == PluginOperation::Kind::kRegister) {
      row.state = PluginState::kRegistering;
    } else if (entry.running == PluginOperation::Kind::kUnregister || entry.IsLeaving()) {
      row.state = PluginState::kUnregistering;
    } else if (entry.held.has_value()) {
      row.state = PluginState::kRegistered;
    } else if (entry.failures > 0) {
      row.state = PluginState::kFailed;
      row.next_attempt = entry.not_before;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> PluginTable::DesiredPaths() const {
  std::vector<std::string> paths;
  for (const auto& [path, entry] : entries_) {
    if (entry.socket.has_value()) paths.push_back(path);
  }
  return paths;
}

std::vector<std::string> PluginTable::HeldPaths() const {
  std::vector<std::string> paths;
  for (const auto& [path, entry] : entries_) {
    if (entry.held.has_value()) paths.push_back(path);
  }
  return paths;
}

}  // namespace kubelet_cm::pluginwatcher
