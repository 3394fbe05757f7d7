#include "common/node/fake_active_pods.h"

#include <utility>

namespace kubelet_cm {

bool FakeActivePods::SourcesReady() const {
  MutexLock lock(&mu_);
  return sources_ready_;
}

std::shared_ptr<const PodUids> FakeActivePods::Uids() const {
  MutexLock lock(&mu_);
  return uids_;
}

uint64_t FakeActivePods::Departures() const {
  MutexLock lock(&mu_);
  return departures_;
}

void FakeActivePods::SetSourcesReady(bool ready) {
  MutexLock lock(&mu_);
  if (ready && !sources_ready_) ++departures_;
  sources_ready_ = ready;
}

void FakeActivePods::Add(const std::string& uid) {
  MutexLock lock(&mu_);
  auto changed = std::make_shared<PodUids>(*uids_);
  changed->insert(uid);
  uids_ = std::move(changed);
}

void FakeActivePods::Remove(const std::string& uid) {
  MutexLock lock(&mu_);
  auto changed = std::make_shared<PodUids>(*uids_);
  if (changed->erase(uid) > 0) ++departures_;
  uids_ = std::move(changed);
}

}  // namespace kubelet_cm
