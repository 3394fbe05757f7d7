#include "kubelet_cm/pods/pod_table.h"

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm {

PodTable::Turn::Turn(PodTable& table, std::string uid) : table_(table), uid_(std::move(uid)) { table_.TakeTurn(uid_); }

PodTable::Turn::~Turn() { table_.EndTurn(uid_); }

PodTable::PodTable(Threads& threads, absl::btree_set<PodSource> sources)
    : turn_ended_(threads.NewCondition("pod's turn")), awaited_(std::move(sources)) {}

void PodTable::TakeTurn(const std::string& uid) {
  MutexLock lock(&mu_);
  while (turns_.contains(uid)) turn_ended_->Wait(&mu_);
  turns_.insert(uid);
}

void PodTable::EndTurn(const std::string& uid) {
  {
    MutexLock lock(&mu_);
    turns_.erase(uid);
  }
  turn_ended_->NotifyAll();
}

void PodTable::Fill(std::vector<PodRecord> records) {
  MutexLock lock(&mu_);
  CHECK(records_.empty() && turns_.empty()) << "the table is in use";
  records_.reserve(records.size());
  for (PodRecord& record : records) {
    CHECK(IsActive(record)) << record.pod->uid;
    uids_of_name_[NameOf(record)].insert(record.pod->uid);
    const std::string& uid = record.pod->uid;
    records_.emplace(uid, std::make_shared<const PodRecord>(std::move(record)));
  }
  active_ = nullptr;
}

void PodTable::Put(const Turn& turn, PodRecord record) {
  CHECK(record.pod->uid == turn.uid()) << record.pod->uid;
  const bool active = IsActive(record);
  auto shared = std::make_shared<const PodRecord>(std::move(record));
  MutexLock lock(&mu_);
  SharedPodRecord& there = records_[turn.uid()];
  const bool was_active = there != nullptr && IsActive(*there);
  if (there != nullptr && NameOf(*there) != NameOf(*shared)) {
    const auto named = uids_of_name_.find(NameOf(*there));
    named->second.erase(turn.uid());
    if (named->second.empty()) uids_of_name_.erase(named);
  }
  uids_of_name_[NameOf(*shared)].insert(turn.uid());
  there = std::move(shared);
  if (active != was_active) active_ = nullptr;
  if (was_active && !active) ++departures_;
  if (!active) RememberRefused(turn.uid());
}

void PodTable::Remove(const Turn& turn) {
  MutexLock lock(&mu_);
  Erase(turn.uid());
}

void PodTable::Erase(const std::string& uid) {
  const auto found = records_.find(uid);
  if (found == records_.end()) return;
  const auto named = uids_of_name_.find(NameOf(*found->second));
  named->second.erase(uid);
  if (named->second.empty()) uids_of_name_.erase(named);
  if (IsActive(*found->second)) {
    ++departures_;
    active_ = nullptr;
  }
  records_.erase(found);
}

void PodTable::RememberRefused(const std::string& uid) {
  std::erase(refused_, uid);
  refused_.push_back(uid);
  if (refused_.size() <= kMostRefused) return;
  const std::string oldest = std::move(refused_.front());
  refused_.pop_front();
  // It may have been admitted since.
  const auto found = records_.find(oldest);
  if (found != records_.end() && !IsActive(*found->second)) Erase(oldest);
}

void PodTable::SetReady(PodSource source) {
  MutexLock lock(&mu_);
  if (awaited_.erase(source) > 0 && awaited_.empty()) ++departures_;
}

SharedPodRecord PodTable::Find(const std::string& uid) const {
  MutexLock lock(&mu_);
  const auto found = records_.find(uid);
  return found == records_.end() ? nullptr : found->second;
}

absl::StatusOr<SharedPodRecord> PodTable::Find(const PodName& pod) const {
  if (!pod.uid.empty()) {
    SharedPodRecord found = Find(pod.uid);
    if (found == nullptr) return absl::NotFoundError(absl::StrCat("pod with uid \"", pod.uid, "\" not found"));
    return found;
  }
  MutexLock lock(&mu_);
  const auto named = uids_of_name_.find(NameKey(pod.namespace_name, pod.name));
  if (pod.name.empty() || named == uids_of_name_.end()) {
    return absl::NotFoundError(absl::StrCat("pod ", pod.name, " in namespace ", pod.namespace_name, " not found"));
  }
  SharedPodRecord active;
  SharedPodRecord refused;
  for (const std::string& uid : named->second) {
    const SharedPodRecord& record = records_.at(uid);
    SharedPodRecord& kind = IsActive(*record) ? active : refused;
    if (kind != nullptr && IsActive(*record)) {
      return absl::InvalidArgumentError(
          absl::StrCat("there are several pods ", pod.namespace_name, "/", pod.name, ": say which one by its uid"));
    }
    kind = record;
  }
  return active != nullptr ? active : refused;
}

std::vector<SharedPodRecord> PodTable::All() const {
  MutexLock lock(&mu_);
  std::vector<SharedPodRecord> all;
  all.reserve(records_.size());
  for (const auto& [name, uids] : uids_of_name_) {
    for (const std::string& uid : uids) all.push_back(records_.at(uid));
  }
  return all;
}

bool PodTable::SourcesReady() const {
  MutexLock lock(&mu_);
  return awaited_.empty();
}

std::shared_ptr<const PodUids> PodTable::Uids() const {
  MutexLock lock(&mu_);
  if (active_ == nullptr) {
    auto uids = std::make_shared<PodUids>();
    uids->reserve(records_.size());
    for (const auto& [uid, record] : records_) {
      if (IsActive(*record)) uids->insert(uid);
    }
    active_ = std::move(uids);
  }
  return active_;
}

uint64_t PodTable::Departures() const {
  MutexLock lock(&mu_);
  return departures_;
}

}  // namespace kubelet_cm
