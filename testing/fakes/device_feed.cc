#include "testing/fakes/device_feed.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::fakes {

DeviceFeed::DeviceFeed(Threads& threads, List devices)
    : changed_(threads.NewCondition("devices of a fake plugin to change")),
      devices_(std::make_shared<const List>(std::move(devices))) {}

DeviceFeed::List DeviceFeed::devices() const {
  MutexLock lock(&mu_);
  return *devices_;
}

void DeviceFeed::PublishLocked() {
  for (auto& [id, stream] : streams_) {
    if (stream.ended.ok()) stream.waiting.push_back(devices_);
  }
  changed_->NotifyAll();
}

void DeviceFeed::Publish(List devices) {
  MutexLock lock(&mu_);
  devices_ = std::make_shared<const List>(std::move(devices));
  PublishLocked();
}

absl::Status DeviceFeed::SetHealth(const std::string& id, const std::string& health) {
  MutexLock lock(&mu_);
  auto changed = std::make_shared<List>(*devices_);
  for (::v1beta1::Device& device : *changed->mutable_devices()) {
    if (device.id() != id) continue;
    device.set_health(health);
    devices_ = std::move(changed);
    PublishLocked();
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("the fake plugin has no device ", id));
}

DeviceFeed::StreamId DeviceFeed::Open() {
  MutexLock lock(&mu_);
  streams_[++last_stream_].waiting.push_back(devices_);
  return last_stream_;
}

absl::StatusOr<std::shared_ptr<const DeviceFeed::List>> DeviceFeed::Next(StreamId id, MonotonicTime deadline) {
  MutexLock lock(&mu_);
  const auto found = streams_.find(id);
  CHECK(found != streams_.end()) << "stream " << id << " is forgotten";
  Stream& stream = found->second;
  while (stream.waiting.empty() && stream.ended.ok()) {
    if (!changed_->WaitUntil(&mu_, deadline)) break;
  }
  if (stream.waiting.empty() && stream.ended.ok()) return nullptr;
  if (stream.waiting.empty()) return stream.ended;
  std::shared_ptr<const List> list = std::move(stream.waiting.front());
  stream.waiting.pop_front();
  return list;
}

void DeviceFeed::EndStream(Stream& stream, const absl::Status& how) {
  CHECK(!how.ok()) << "a stream ends with a reason";
  if (!absl::IsOutOfRange(how)) stream.waiting.clear();
  if (stream.ended.ok()) stream.ended = how;
}

void DeviceFeed::End(StreamId id, const absl::Status& how) {
  MutexLock lock(&mu_);
  if (const auto stream = streams_.find(id); stream != streams_.end()) EndStream(stream->second, how);
  changed_->NotifyAll();
}

void DeviceFeed::EndAll(const absl::Status& how) {
  MutexLock lock(&mu_);
  for (auto& [id, stream] : streams_) EndStream(stream, how);
  changed_->NotifyAll();
}

void DeviceFeed::Forget(StreamId id) {
  MutexLock lock(&mu_);
  streams_.erase(id);
}

int DeviceFeed::stream_count() const {
  MutexLock lock(&mu_);
  return static_cast<int>(
      std::count_if(streams_.begin(), streams_.end(), [](const auto& entry) { return entry.second.ended.ok(); }));
}

}  // namespace kubelet_cm::fakes
