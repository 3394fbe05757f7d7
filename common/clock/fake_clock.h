// FakeClock: time that stands still until a test moves it.
//
// Advance() moves both times, and on its way rings every alarm that falls due: first the earlier, of equal ones the
// first set, those included that a ringing alarm sets within the window; each rings with the clock at its instant. A
// ring is a callback on the advancing thread, with no lock held; when Advance() returns, all have returned. Alarms are
// what FakeTimers and the deadlines of RealThreads are made of. JumpWall() and SetWall() move the wall's time alone, as
// somebody who sets a clock does.
//
// With RealThreads, Advance() wakes threads that wait for a deadline but does not wait for what they do then; and a
// thread that has not begun to wait takes its deadline from the new time. AwaitAlarms() tells that it has begun.
//
// Thread-safe; one thread at a time advances.
#ifndef KUBELET_CM_COMMON_CLOCK_FAKE_CLOCK_H_
#define KUBELET_CM_COMMON_CLOCK_FAKE_CLOCK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/functional/any_invocable.h"
#include "common/clock/waitable_clock.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class FakeClock : public WaitableClock {
 public:
  // Unique to an alarm; ordered as alarms ring.
  using AlarmId = std::pair<MonotonicTime, uint64_t>;

  FakeClock() : FakeClock(absl::FromUnixSeconds(1767225600)) {}  // the first second of 2026
  explicit FakeClock(absl::Time wall) : wall_at_start_(wall) {}

  absl::Time WallNow() const override;
  MonotonicTime MonotonicNow() const override;
  void ParkUntil(const std::shared_ptr<Parker>& parker, MonotonicTime deadline) override;

  // By 0 or more. Advance(0) rings what is due already.
  void Advance(absl::Duration by);
  // Does nothing when `to` is past.
  void AdvanceTo(MonotonicTime to);
  void JumpWall(absl::Duration by);
  void SetWall(absl::Time wall);

  // Calls `ring` once the clock has been advanced to `when`. It does not advance the clock.
  AlarmId SetAlarm(MonotonicTime when, absl::AnyInvocable<void()> ring);
  // False when it has begun to ring.
  bool RemoveAlarm(AlarmId alarm);
  // The instant of the next alarm; none when there is none.
  std::optional<MonotonicTime> NextAlarm() const;
  // Waits until at least `count` alarms are set, for `limit` of real time. False when there are still fewer.
  [[nodiscard]] bool AwaitAlarms(size_t count, absl::Duration limit = absl::Seconds(30)) const;

 private:
  AlarmId AddAlarm(MonotonicTime when, absl::AnyInvocable<void()> ring) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Takes the first alarm that is due at `to` out and moves the clock to its instant. Where there is none, moves the
  // clock to `to` and returns nullopt.
  std::optional<absl::AnyInvocable<void()>> TakeDue(MonotonicTime to);

  mutable Mutex mu_;
  mutable CondVar alarm_set_;
  MonotonicTime now_ ABSL_GUARDED_BY(mu_);
  absl::Time wall_at_start_ ABSL_GUARDED_BY(mu_);
  bool advancing_ ABSL_GUARDED_BY(mu_) = false;
  uint64_t alarms_set_ ABSL_GUARDED_BY(mu_) = 0;
  absl::btree_map<AlarmId, absl::AnyInvocable<void()>> alarms_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_FAKE_CLOCK_H_
