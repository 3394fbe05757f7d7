// FakeDraClient: a DraClient without a socket. It asks a ScriptedDriver, which answers, fails, holds calls or dies as a
// test says; also one step at a time, under SeededThreads.
//
// Each client is a connection of its own, which is there until one side ends it. A call that is held ends with
// Disconnect, or when its time is over by the threads' clock. Thread-safe.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_DRA_CLIENT_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_DRA_CLIENT_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"
#include "dra/plugin/dra_client.h"
#include "testing/fakes/scripted_driver.h"

namespace kubelet_cm::fakes {

class FakeDraClient : public dra::DraClient {
 public:
  // Both outlive the client.
  FakeDraClient(Threads& threads, ScriptedDriver& driver);
  ~FakeDraClient() override;

  absl::StatusOr<dra::ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) override;
  absl::StatusOr<dra::ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) override;
  absl::StatusOr<bool> WaitForConnectionChange(bool known) override;
  void Disconnect() override;

 private:
  const Clock& clock_;
  ScriptedDriver& driver_;
  const ScriptedDriver::SessionId session_;
  Notification disconnected_;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_DRA_CLIENT_H_
