#include "testing/fakes/served_lives.h"

#include <utility>

#include "common/clock/monotonic_time.h"

namespace kubelet_cm::fakes {
namespace {

// For handlers to return after their session was closed; they do at once.
constexpr absl::Duration kGrace = absl::Seconds(5);

}  // namespace

ServedLives::ServedLives(Threads& threads, std::function<void(SessionId, const absl::Status&)> close_session)
    : threads_(threads),
      close_session_(std::move(close_session)),
      down_(threads.NewCondition("a served fake to be down")) {}

std::unique_ptr<ServedLives::Life> ServedLives::Replace(std::unique_ptr<Life> next) {
  MutexLock lock(&mu_);
  life_.swap(next);
  if (next != nullptr) ++being_ended_;
  return next;
}

void ServedLives::End(std::unique_ptr<Life> life, const absl::Status& why) {
  if (life == nullptr) return;
  close_session_(life->session, why);
  for (auto server = life->servers.rbegin(); server != life->servers.rend(); ++server) {
    if (*server != nullptr) (*server)->Shutdown(kGrace);
  }
  MutexLock lock(&mu_);
  --being_ended_;
  down_->NotifyAll();
}

std::unique_ptr<UnixSocketServer> ServedLives::ReplaceServer(size_t index, std::unique_ptr<UnixSocketServer> server) {
  MutexLock lock(&mu_);
  if (life_ != nullptr) life_->servers[index].swap(server);
  return server;
}

void ServedLives::Died(SessionId session) {
  MutexLock lock(&mu_);
  dead_ = session;
}

void ServedLives::BuryTheDead() {
  std::unique_ptr<Life> dead;
  {
    MutexLock lock(&mu_);
    if (life_ == nullptr || dead_ != life_->session) return;
    dead.swap(life_);
    ++being_ended_;
  }
  End(std::move(dead));
}

std::optional<ServedLives::SessionId> ServedLives::session() const {
  MutexLock lock(&mu_);
  if (life_ == nullptr || dead_ == life_->session) return std::nullopt;
  return life_->session;
}

absl::Status ServedLives::WaitUntilDown(absl::Duration limit) const {
  const MonotonicTime deadline = threads_.clock().MonotonicNow() + limit;
  MutexLock lock(&mu_);
  const auto is_down = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return life_ == nullptr && being_ended_ == 0; };
  while (!is_down() && down_->WaitUntil(&mu_, deadline)) {
  }
  if (is_down()) return absl::OkStatus();
  return absl::DeadlineExceededError("the fake is still there");
}

}  // namespace kubelet_cm::fakes
