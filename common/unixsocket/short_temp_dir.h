// ShortTempDir: a folder of one test, with a path that leaves room for a socket's name. Bazel's own temporary folders
// are too deep for that.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_SHORT_TEMP_DIR_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_SHORT_TEMP_DIR_H_

#include <string>

namespace kubelet_cm {

// The folder is there, empty and with mode 0700, while the object is; it goes with everything in it.
class ShortTempDir {
 public:
  ShortTempDir();
  ~ShortTempDir();
  ShortTempDir(const ShortTempDir&) = delete;
  ShortTempDir& operator=(const ShortTempDir&) = delete;

  const std::string& path() const { return path_; }

  // The path of `name` in the folder.
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  const std::string path_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_SHORT_TEMP_DIR_H_
