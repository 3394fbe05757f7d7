#include "dra/dra_state.h"

#include <utility>

namespace kubelet_cm::dra {

DraState::DraState(Threads& threads, const DraRestore& restored, ClaimTableOptions options)
    : table(options), threads_(threads) {
  MutexLock lock(&mu);
  if (restored.format.has_value() && *restored.format < DraFormat::k131) {
    table.RestoreLegacy(restored.legacy_claims);
  } else {
    table.Restore(restored.claims);
  }
}

uint64_t DraState::Newest() {
  // Changes that a writer has taken already are in the state of the present number, or an older one.
  if (table.HasChanges()) ++number_;
  return number_;
}

void DraState::BeginAttempt(AttemptId attempt) {
  if (attempt != 0) attempts_.emplace(attempt, std::make_shared<Notification>(threads_, "drivers to answer"));
}

void DraState::EndAttempt(AttemptId attempt, const absl::Status& unanswered) {
  std::shared_ptr<Notification> ended;
  {
    MutexLock lock(&mu);
    table.EndAttempt(attempt, unanswered);
    const auto found = attempts_.find(attempt);
    if (found == attempts_.end()) return;
    ended = std::move(found->second);
    attempts_.erase(found);
  }
  ended->Notify();
}

void DraState::WaitForEnd(AttemptId attempt) {
  std::shared_ptr<Notification> ended;
  {
    MutexLock lock(&mu);
    const auto found = attempts_.find(attempt);
    if (found == attempts_.end()) return;
    ended = found->second;
  }
  ended->Wait();
}

DraChanges DraState::TakeChanges() {
  MutexLock lock(&mu);
  const uint64_t number = Newest();
  return {.number = number, .claims = table.TakeChanges()};
}

uint64_t DraState::TakeLegacyClaims(LegacyClaimList* claims) {
  MutexLock lock(&mu);
  const uint64_t number = Newest();
  table.TakeChanges();
  *claims = table.LegacyClaims();
  return number;
}

void DraState::WriteFailed() {
  MutexLock lock(&mu);
  ++number_;
}

}  // namespace kubelet_cm::dra
