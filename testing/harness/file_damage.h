// What can happen to the bytes of a file: cut short, one bit turned, one byte lost. Each function calls `look` with
// every such damage of `file`; what fails meanwhile is reported with the place of the damage.
#ifndef KUBELET_CM_TESTING_HARNESS_FILE_DAMAGE_H_
#define KUBELET_CM_TESTING_HARNESS_FILE_DAMAGE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"

namespace kubelet_cm::harness {

using LookAtBytes = absl::FunctionRef<void(const std::string& bytes)>;

void WithEachTruncation(const std::string& file, LookAtBytes look);
void WithEachFlippedBit(const std::string& file, LookAtBytes look);
void WithEachRemovedByte(const std::string& file, LookAtBytes look);

// The files of a golden corpus of at most `max_bytes`: those in `folders`, without what is expected of them.
std::vector<std::string> SmallGoldenFiles(const std::string& corpus, const std::vector<std::string>& folders,
                                          size_t max_bytes);

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_FILE_DAMAGE_H_
