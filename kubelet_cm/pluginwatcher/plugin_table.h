// PluginTable: which plugin sockets there should be (those in the folder), which plugins are registered, and what is to
// be done about the difference, now or at a later instant. Value code, used under the watcher's lock; times are given.
//
// Per socket path one operation runs at a time. A socket that was made again is another one: what it announced before
// is unregistered first. A registration that failed is tried again after 0.5 s, 1 s and so on up to 2 min 2 s; a socket
// that was made again, at once. Unregistering never waits for that. At most a number of operations run at once, and
// fewer that have failed before, so that sockets on which nobody answers do not hold up others for long.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_TABLE_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "kubelet_cm/pluginwatcher/plugin_info.h"

namespace kubelet_cm::pluginwatcher {

// Tells a socket from one that was at its path before.
struct SocketIdentity {
  uint64_t inode = 0;
  absl::Time modified = {};

  friend bool operator==(const SocketIdentity& a, const SocketIdentity& b) = default;
};

using FoundSockets = absl::btree_map<std::string, SocketIdentity>;  // by path

struct PluginOperation {
  enum class Kind { kRegister, kUnregister };
  Kind kind = Kind::kRegister;
  std::string path = {};
  PluginInfo plugin = {};  // of kUnregister

  friend bool operator==(const PluginOperation&, const PluginOperation&) = default;
};

enum class PluginState { kWaiting, kRegistering, kRegistered, kFailed, kUnregistering };

// A line of a listing.
struct PluginRow {
  std::string path = {};  // of the registration socket
  PluginState state = PluginState::kWaiting;
  PluginInfo plugin = {};                          // what it said last; empty before it has
  std::string error = {};                          // why the last attempt failed
  int failures = 0;                                // in a row
  std::optional<MonotonicTime> next_attempt = {};  // of kFailed
};

class PluginTable {
 public:
  struct Limits {
    size_t plugins = 1000;
    size_t registrations = 64;  // at once
    size_t retries = 16;        // of these, those that failed before
    size_t unregistrations = 4;
  };

  explicit PluginTable(Limits limits) : limits_(limits) {}

  // What the folder has. All that changed is told, sorted.
  struct Changes {
    std::vector<std::string> appeared = {};
    std::vector<std::string> replaced = {};  // the path has another socket than before
    std::vector<std::string> vanished = {};
    std::vector<std::string> refused = {};  // too many are there
  };
  Changes Found(const FoundSockets& sockets);
  Changes Vanished(const std::string& path);
  // Of all sockets in the folder and below it.
  Changes VanishedBelow(const std::string& folder);
  // As Found; every socket that is not among them has vanished.
  Changes FoundAll(const FoundSockets& sockets);

  // What is to be begun now; it counts as running until it is finished.
  std::vector<PluginOperation> TakeDue(MonotonicTime now);
  // When TakeDue has something to give although nothing else has happened; InfiniteFuture when it never has.
  MonotonicTime NextDue() const;

  // A plugin is held while a handler knows it for a socket. Its registration takes hold before the handler is called,
  // and must wait while MayHold says no: the same plugin is about to be unregistered for another socket.
  bool MayHold(const std::string& path, const PluginInfo& plugin) const;
  void Hold(const std::string& path, const PluginInfo& plugin);
  // The plugin of `path` is about to be let go. True when its handler is to be told: it was `registered`, for this
  // socket or for another that was let go meanwhile, and no other socket holds it.
  bool BeginRelease(const std::string& path, bool registered);
  void Release(const std::string& path);

  struct Retry {
    absl::Duration delay;
    MonotonicTime at;
  };
  void FinishRegistered(const std::string& path);
  // `plugin` is what it said, if it did.
  Retry FinishFailed(const std::string& path, const PluginInfo& plugin, const std::string& error, MonotonicTime now);
  void FinishUnregistered(const std::string& path);

  // All sockets that are there or still held, sorted by path.
  std::vector<PluginRow> Rows() const;
  // Upstream's desired and actual state of the world. They are what they were as long as the number is.
  uint64_t paths_version() const { return paths_version_; }
  std::vector<std::string> DesiredPaths() const;
  std::vector<std::string> HeldPaths() const;

 private:
  struct Entry {
    std::optional<SocketIdentity> socket = {};
    uint64_t generation = 0;  // of the socket: a number for each that was there
    std::optional<PluginInfo> held = {};
    uint64_t held_generation = 0;  // of the socket for which it is held
    bool releasing = false;
    bool inherited = false;  // registered for another socket that did not tell the handler when it went
    std::optional<PluginOperation::Kind> running = {};
    uint64_t running_generation = 0;
    bool running_is_retry = false;
    PluginInfo said = {};
    std::string error = {};
    int failures = 0;
    absl::Duration delay = absl::ZeroDuration();
    MonotonicTime not_before = {};

    bool IsLeaving() const;
    bool WantsRegistration() const;
    bool WantsUnregistration() const;
  };
  using Entries = std::map<std::string, Entry>;

  void FindOne(const std::string& path, const SocketIdentity& socket, Changes& changes);
  void LoseOne(Entries::iterator entry, Changes& changes);
  void Begin(Entries::iterator entry, PluginOperation::Kind kind, std::vector<PluginOperation>& begun);
  Entry& Finish(const std::string& path);
  void ForgetIfDone(const std::string& path);

  const Limits limits_;
  Entries entries_;
  uint64_t last_generation_ = 0;
  uint64_t paths_version_ = 1;
  size_t sockets_ = 0;
  size_t registering_ = 0;
  size_t retrying_ = 0;
  size_t unregistering_ = 0;
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_TABLE_H_
