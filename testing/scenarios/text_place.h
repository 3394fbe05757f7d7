// TextPlace: a message that was read from text, with the place of everything in it, so that a complaint about a field
// says where the field stands. A value for as long as the message, the parser's tree and the list of complaints live.
#ifndef KUBELET_CM_TESTING_SCENARIOS_TEXT_PLACE_H_
#define KUBELET_CM_TESTING_SCENARIOS_TEXT_PLACE_H_

#include <string>
#include <string_view>
#include <vector>

#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace kubelet_cm::scenarios {

struct Complaint {
  int line = 0;  // from 1
  int column = 0;
  std::string message;
};

class TextPlace {
 public:
  using Tree = google::protobuf::TextFormat::ParseInfoTree;

  TextPlace(const google::protobuf::Message& message, const Tree& tree, std::vector<Complaint>* complaints)
      : message_(message), tree_(&tree), complaints_(complaints) {}

  // About a field, or where the field is not there, about the message. `index`: of a repeated field.
  void Complain(const std::string& field, std::string what, int index = -1) const;
  // A text that must be there; false, and a complaint, when it is empty.
  bool Needs(const std::string& field, std::string_view value) const;
  // A nested message that is there.
  TextPlace Nested(const std::string& field, int index = -1) const;

 private:
  const google::protobuf::FieldDescriptor* Find(const std::string& field) const;

  const google::protobuf::Message& message_;
  const Tree* tree_;
  std::vector<Complaint>* complaints_;
  int line_ = 1;
  int column_ = 1;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_TEXT_PLACE_H_
