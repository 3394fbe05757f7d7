// klog's text format: I0102 15:04:05.000000    1234 file.cc:42] "Message" key="value" n=3
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_LOG_TEXT_FORMAT_H_
#define KUBELET_CM_COMMON_LOG_TEXT_FORMAT_H_

#include <string>

#include "absl/time/time.h"
#include "common/log/logger.h"

namespace kubelet_cm {

// Everything up to and with "] ".
std::string TextHeader(const LogRecord& record, absl::Time time, absl::TimeZone zone, int process_id);

// What follows the header: the quoted message, the error, the fields.
std::string TextBody(const LogRecord& record);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_TEXT_FORMAT_H_
