// ListeningFolder: a name for a folder, /proc/self/fd/<n>, that can be taken back.
//
// gRPC unlinks the path that it bound when a server shuts down, even when a successor's socket is there by then, and
// even where a kubelet leaves its socket (it always does). So a server binds through this name, and takes the name
// back before it shuts down: then gRPC finds nothing to unlink.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_LISTENING_FOLDER_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_LISTENING_FOLDER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace kubelet_cm {

// Used by one thread at a time. It must outlive the server: until it is destroyed its number stands for no other file.
class ListeningFolder {
 public:
  static absl::StatusOr<std::unique_ptr<ListeningFolder>> Open(const std::string& folder);
  ~ListeningFolder();
  ListeningFolder(const ListeningFolder&) = delete;
  ListeningFolder& operator=(const ListeningFolder&) = delete;

  // The path of a file in the folder.
  std::string PathOf(const std::string& name) const;

  // From now on no path that PathOf has returned leads anywhere.
  void TakeBack();

 private:
  ListeningFolder(int fd, int nothing) : fd_(fd), nothing_(nothing) {}
  const int fd_;
  const int nothing_;  // no folder; opened early, for there may be no descriptor left when it is needed
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_LISTENING_FOLDER_H_
