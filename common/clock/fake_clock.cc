#include "common/clock/fake_clock.h"

#include <algorithm>

#include "common/status/check.h"

namespace kubelet_cm {

absl::Time FakeClock::WallNow() const {
  MutexLock lock(&mu_);
  return wall_at_start_ + now_.since_start();
}

MonotonicTime FakeClock::MonotonicNow() const {
  MutexLock lock(&mu_);
  return now_;
}

void FakeClock::ParkUntil(const std::shared_ptr<Parker>& parker, MonotonicTime deadline) {
  if (deadline == MonotonicTime::InfiniteFuture()) return parker->Park();
  AlarmId alarm;
  {
    MutexLock lock(&mu_);
    if (deadline <= now_) return;
    alarm = AddAlarm(deadline, [parker] { parker->Unpark(); });
  }
  parker->Park();
  RemoveAlarm(alarm);
}

void FakeClock::Advance(absl::Duration by) {
  CHECK(by >= absl::ZeroDuration()) << "monotonic time does not go back: " << by;
  AdvanceTo(MonotonicNow() + by);
}

void FakeClock::AdvanceTo(MonotonicTime to) {
  {
    MutexLock lock(&mu_);
    CHECK(!advancing_) << "the clock is being advanced, by another thread or by the alarm that rings";
    advancing_ = true;
  }
  while (std::optional<absl::AnyInvocable<void()>> ring = TakeDue(to)) (*ring)();
  MutexLock lock(&mu_);
  advancing_ = false;
}

std::optional<absl::AnyInvocable<void()>> FakeClock::TakeDue(MonotonicTime to) {
  MutexLock lock(&mu_);
  if (alarms_.empty() || alarms_.begin()->first.first > to) {
    now_ = std::max(now_, to);
    return std::nullopt;
  }
  const auto due = alarms_.begin();
  now_ = std::max(now_, due->first.first);
  absl::AnyInvocable<void()> ring = std::move(due->second);
  alarms_.erase(due);
  return ring;
}

void FakeClock::JumpWall(absl::Duration by) {
  MutexLock lock(&mu_);
  wall_at_start_ += by;
}

void FakeClock::SetWall(absl::Time wall) {
  MutexLock lock(&mu_);
  wall_at_start_ = wall - now_.since_start();
}

FakeClock::AlarmId FakeClock::SetAlarm(MonotonicTime when, absl::AnyInvocable<void()> ring) {
  MutexLock lock(&mu_);
  return AddAlarm(when, std::move(ring));
}

FakeClock::AlarmId FakeClock::AddAlarm(MonotonicTime when, absl::AnyInvocable<void()> ring) {
  const AlarmId alarm(when, alarms_set_++);
  alarms_.emplace(alarm, std::move(ring));
  alarm_set_.SignalAll();
  return alarm;
}

bool FakeClock::RemoveAlarm(AlarmId alarm) {
  absl::AnyInvocable<void()> ring;  // destroyed after the lock is released
  MutexLock lock(&mu_);
  const auto found = alarms_.find(alarm);
  if (found == alarms_.end()) return false;
  ring = std::move(found->second);
  alarms_.erase(found);
  return true;
}

std::optional<MonotonicTime> FakeClock::NextAlarm() const {
  MutexLock lock(&mu_);
  if (alarms_.empty()) return std::nullopt;
  return alarms_.begin()->first.first;
}

bool FakeClock::AwaitAlarms(size_t count, absl::Duration limit) const {
  MutexLock lock(&mu_);
  while (alarms_.size() < count) {
    if (alarm_set_.WaitFor(&mu_, limit)) break;
  }
  return alarms_.size() >= count;
}

}  // namespace kubelet_cm
