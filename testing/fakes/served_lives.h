// ServedLives: the incarnations of a fake that is served on sockets. At most one of them serves; one that ended before
// may still be going down.
//
// Thread-safe. No life is left when it is destroyed.
#ifndef KUBELET_CM_TESTING_FAKES_SERVED_LIVES_H_
#define KUBELET_CM_TESTING_FAKES_SERVED_LIVES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "common/unixsocket/server.h"

namespace kubelet_cm::fakes {

class ServedLives {
 public:
  using SessionId = uint64_t;  // of a CallScript

  struct Life {
    SessionId session = 0;
    std::vector<std::unique_ptr<grpc::Service>> services = {};
    std::vector<std::unique_ptr<UnixSocketServer>> servers =
        {};  // of these services, or null; the last goes down first
  };

  // `close_session` ends the calls of a session and refuses later ones; it is called with no lock held. `threads`
  // outlives the object.
  ServedLives(Threads& threads, std::function<void(SessionId session, const absl::Status& why)> close_session);

  // Puts `next`, which may be null, in the place of the life that there is, and returns that one, to be ended.
  std::unique_ptr<Life> Replace(std::unique_ptr<Life> next);
  // Closes the session of a life that was replaced, and returns when its servers are down. Nothing, for null.
  void End(std::unique_ptr<Life> life, const absl::Status& why = SocketClosed());

  // Puts `server`, which may be null, in the place of a server of the life that serves, and returns that one; `server`
  // itself where none serves.
  std::unique_ptr<UnixSocketServer> ReplaceServer(size_t index, std::unique_ptr<UnixSocketServer> server);

  // The life of this session died in one of its own calls, which cannot wait for the end of it: BuryTheDead does.
  void Died(SessionId session);
  // Ends the life that there is if it has died.
  void BuryTheDead();

  // Of the life that serves.
  std::optional<SessionId> session() const;
  // Waits until none serves and none is still going down. kDeadlineExceeded after `limit`.
  absl::Status WaitUntilDown(absl::Duration limit) const;

  // Why calls to a fake that crashed fail.
  static absl::Status SocketClosed() { return absl::UnavailableError("Socket closed"); }

 private:
  Threads& threads_;
  const std::function<void(SessionId, const absl::Status&)> close_session_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> down_;
  std::unique_ptr<Life> life_ ABSL_GUARDED_BY(mu_);
  int being_ended_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<SessionId> dead_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_SERVED_LIVES_H_
