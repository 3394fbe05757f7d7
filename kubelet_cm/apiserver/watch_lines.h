// WatchLines: takes a stream of bytes apart into lines of bounded length. Value code.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_WATCH_LINES_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_WATCH_LINES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::apiserver {

class WatchLines {
 public:
  explicit WatchLines(size_t max_line) : max_line_(max_line) {}

  void Add(std::string_view bytes) {
    pending_.erase(0, taken_);
    taken_ = 0;
    pending_ += bytes;
  }

  // The next line, without its end; empty ones are left out. Good until Add.
  std::optional<std::string_view> Next() {
    while (true) {
      const size_t end = pending_.find('\n', taken_ + searched_);
      if (end == std::string::npos) {
        searched_ = pending_.size() - taken_;
        return std::nullopt;
      }
      const std::string_view line = std::string_view(pending_).substr(taken_, end - taken_);
      taken_ = end + 1;
      searched_ = 0;
      if (!line.empty()) return line;
    }
  }

  // Asked after Next has given everything.
  absl::Status CheckLength() const {
    if (pending_.size() - taken_ <= max_line_) return absl::OkStatus();
    return absl::ResourceExhaustedError(absl::StrCat("a watch event of more than ", max_line_, " bytes"));
  }

 private:
  const size_t max_line_;
  std::string pending_;
  size_t taken_ = 0;     // bytes of it that Next has given
  size_t searched_ = 0;  // bytes after that in which there is no end of a line
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_WATCH_LINES_H_
