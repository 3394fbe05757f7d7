// A state for tests of CheckpointWriter: a number that threads raise, and its file.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_NUMBERED_STATE_H_
#define KUBELET_CM_CHECKPOINTMANAGER_NUMBERED_STATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

// Its bytes are the number, padding, and the number again, so that a part of a file is never a file, and what is put
// together of two files is none either. Thread-safe.
class NumberedState : public CheckpointSource {
 public:
  explicit NumberedState(size_t padding = 100) : padding_(padding) {}

  // Back to state 0.
  void Reset() {
    MutexLock lock(&mu_);
    number_ = shown_ = 0;
  }
  // Makes the next change; returns its number.
  uint64_t Change() {
    MutexLock lock(&mu_);
    return shown_ = ++number_;
  }
  // A change of which the file shows nothing.
  uint64_t ChangeInvisibly() {
    MutexLock lock(&mu_);
    return ++number_;
  }
  uint64_t number() const {
    MutexLock lock(&mu_);
    return number_;
  }

  uint64_t Render(std::string& bytes) override {
    MutexLock lock(&mu_);
    bytes = Text(shown_, padding_);
    return number_;
  }

  static std::string Text(uint64_t number, size_t padding = 100) {
    return absl::StrCat("state ", number, " ", std::string(padding, '.'), " ", number, "\n");
  }

  // The number in a file's bytes; nothing if they are not whole.
  static std::optional<uint64_t> NumberIn(const std::string& bytes) {
    uint64_t number = 0;
    const size_t end = bytes.find(' ', 6);
    if (end == std::string::npos || !absl::SimpleAtoi(bytes.substr(6, end - 6), &number)) return std::nullopt;
    const std::string end_text = absl::StrCat(" ", number, "\n");
    if (bytes.size() < end + 1 + end_text.size()) return std::nullopt;
    const size_t padding = bytes.size() - end - 1 - end_text.size();
    return bytes == Text(number, padding) ? std::optional(number) : std::nullopt;
  }

 private:
  const size_t padding_;
  mutable Mutex mu_;
  uint64_t number_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t shown_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_NUMBERED_STATE_H_
