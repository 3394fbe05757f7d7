// ScriptedDriver: a fake DRA driver without a transport: claims that it prepared, answers, and a script of what goes
// wrong. FakeDraDriver serves it on a unix socket. Thread-safe; `threads` outlives it.
#ifndef KUBELET_CM_TESTING_FAKES_SCRIPTED_DRIVER_H_
#define KUBELET_CM_TESTING_FAKES_SCRIPTED_DRIVER_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_object.h"
#include "dra/plugin/dra_client.h"
#include "testing/fakes/driver_script.h"

namespace kubelet_cm::fakes {

// What a prepared claim has unless a test says otherwise: device "dev-0" of pool "pool", with the CDI name
// "example.com/fake=<claim's uid>".
std::vector<dra::ClaimDevice> OneDevice(const dra::ClaimId& claim);

class ScriptedDriver {
 public:
  using SessionId = DriverScript::SessionId;
  using Claims = std::vector<dra::ClaimId>;
  static constexpr MonotonicTime kNever = MonotonicTime::InfiniteFuture();

  struct Options {
    std::function<std::vector<dra::ClaimDevice>(const dra::ClaimId& claim)> devices = OneDevice;
    // Called before a claim counts as prepared, with what it has, and before it does not any more, with nothing: what a
    // driver writes down for container runtimes. No lock is held.
    std::function<void(const dra::ClaimId& claim, const std::vector<dra::ClaimDevice>& devices)> write = nullptr;
  };

  ScriptedDriver(Threads& threads, Options options);

  DriverScript& script() { return script_; }
  // The uids of the claims that are prepared. Incarnations share them, as those of real drivers share a file.
  std::set<std::string> PreparedClaims() const;
  // The machine boots: nothing is prepared any more, and nobody was told of it.
  void ForgetPrepared();
  // How long each call in memory had, in their order.
  std::vector<absl::Duration> TimeLimits() const;
  void TellTimeLimit(absl::Duration limit);

  // For transports. `on_death` is told when the script lets the driver die, on the thread of the fatal call, with no
  // lock held; the session is closed already.
  void OnDeath(std::function<void(SessionId)> on_death);
  // A call that the script holds ends with kDeadlineExceeded at the deadline.
  absl::StatusOr<dra::ClaimAnswers> Prepare(SessionId session, const Claims& claims, MonotonicTime deadline = kNever);
  absl::StatusOr<dra::ClaimAnswers> Unprepare(SessionId session, const Claims& claims, MonotonicTime deadline = kNever);
  // Of the plugin registration.
  absl::Status GetInfo(SessionId session);
  absl::Status Notify(SessionId session, bool registered, const std::string& error);

 private:
  // As DriverScript::Begin; does what an act means for the whole driver.
  absl::StatusOr<DriverStep> Begin(SessionId session, DriverCall call, MonotonicTime deadline = kNever);
  dra::ClaimAnswers AnswersOf(const DriverStep& step, DriverMethod method, const Claims& claims);

  const Options options_;
  DriverScript script_;
  mutable Mutex mu_;
  std::function<void(SessionId)> on_death_ ABSL_GUARDED_BY(mu_);
  std::set<std::string> prepared_ ABSL_GUARDED_BY(mu_);
  std::vector<absl::Duration> limits_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_SCRIPTED_DRIVER_H_
