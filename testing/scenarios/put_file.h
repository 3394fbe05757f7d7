// PutFile: a file with these bytes in place of what is there; its folders are made.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PUT_FILE_H_
#define KUBELET_CM_TESTING_SCENARIOS_PUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm::scenarios {

absl::Status PutFile(FileSystem& files, const std::string& path, const std::string& bytes);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PUT_FILE_H_
