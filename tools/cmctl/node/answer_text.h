// Answers of the APIs as JSON and YAML for programs: ProtoJSON with the field names of the .proto files, so that any
// client of the API reads the same. Fields that are not set are there with their zero values, messages excepted.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_ANSWER_TEXT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_ANSWER_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace kubelet_cm::cmctl {

// In one line, without its end. The same for the same message: the keys of maps are sorted.
absl::StatusOr<std::string> AnswerJson(const google::protobuf::Message& message);

// `format` is "json" (indented) or "yaml".
absl::StatusOr<std::string> AnswerText(const google::protobuf::Message& message, const std::string& format);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_ANSWER_TEXT_H_
