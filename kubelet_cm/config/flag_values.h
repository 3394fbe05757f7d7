// How the values of flags read: numbers with their bounds, lists, durations. Errors say what is wrong with the value
// and leave it to the caller to say of which flag.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_FLAG_VALUES_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_FLAG_VALUES_H_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kubelet_cm::config {

absl::Status SetNumber(const std::string& text, int least, int* number, int most = std::numeric_limits<int>::max());
// Greater than zero.
absl::Status SetRate(const std::string& text, double* rate);
absl::Status SetDuration(const std::string& text, absl::Duration* duration);
// "true" and "false".
absl::Status SetSwitch(const std::string& text, bool* on);
// "0,1": ids of NUMA nodes, of which there are 64; given back ascending. Empty: none.
absl::Status SetNumaNodes(const std::string& text, std::vector<int>* nodes);
// "a=1,b=2".
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ParsePairs(const std::string& text);
// A name as API objects have them: labels of lower case letters, digits and dashes, between dots.
absl::Status CheckNodeName(const std::string& name);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_FLAG_VALUES_H_
