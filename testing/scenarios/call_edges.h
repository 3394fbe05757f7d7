// CallEdges: the moments just before a call leaves the kubelet and just after its answer has come, as operations on a
// file system. (Of a call that the kubelet gets: before it has it, and before its answer goes.) So whoever counts file
// operations, and kills at one of them, does the same at both edges of every call.
//
// Thread-safe, as the file system is.
#ifndef KUBELET_CM_TESTING_SCENARIOS_CALL_EDGES_H_
#define KUBELET_CM_TESTING_SCENARIOS_CALL_EDGES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm::scenarios {

class CallEdges {
 public:
  // `files` is what the kubelet works on, with the faults of whoever kills it. Outlives the object.
  explicit CallEdges(FileSystem& files) : files_(files) {}

  // Whether the operation on this path is such a moment.
  static bool IsEdge(absl::string_view path) { return absl::StartsWith(path, "/call/"); }

  // `call()` returns a status or a StatusOr. Cancelled where the kubelet dies at an edge: before the call is made, or
  // when it has been.
  template <typename Call>
  auto Around(const std::string& what, Call call) -> decltype(call()) {
    if (IsDead(absl::StrCat("/call/", what, "/sent"))) return absl::CancelledError("killed before it was sent");
    auto answer = call();
    if (IsDead(absl::StrCat("/call/", what, "/answered"))) return absl::CancelledError("killed before it was answered");
    return answer;
  }

 private:
  bool IsDead(const std::string& path) { return absl::IsAborted(files_.Stat(path).status()); }

  FileSystem& files_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_CALL_EDGES_H_
