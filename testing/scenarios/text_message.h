// Reading a message from text, with complaints that name their place: what scenario files and the command lines of
// fakes have in common. A pure function.
#ifndef KUBELET_CM_TESTING_SCENARIOS_TEXT_MESSAGE_H_
#define KUBELET_CM_TESTING_SCENARIOS_TEXT_MESSAGE_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

// Reads `message`, and lets `check` look at it. InvalidArgument with all complaints, a line each as "<name>:3:7: what
// is wrong"; where the text is no such message, they are the parser's.
absl::Status ReadText(const std::string& name, const std::string& text, google::protobuf::Message* message,
                      absl::FunctionRef<void(const TextPlace::Tree& tree, std::vector<Complaint>* complaints)> check);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_TEXT_MESSAGE_H_
