// The JSON of k8s.io/component-base: {"ts":1700000000123.456,"caller":"log/file.cc:42","msg":"Message","v":0,"key":"x"}
//
// The time is in milliseconds since 1970; an error line has no "v" and ends with "err".
#ifndef KUBELET_CM_COMMON_LOG_JSON_FORMAT_H_
#define KUBELET_CM_COMMON_LOG_JSON_FORMAT_H_

#include <string>

#include "absl/time/time.h"
#include "common/log/logger.h"

namespace kubelet_cm {

// The line, without its end. Pure.
std::string JsonLine(const LogRecord& record, absl::Time time);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_JSON_FORMAT_H_
