#include "testing/scenarios/text_place.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::scenarios {

using google::protobuf::FieldDescriptor;

const FieldDescriptor* TextPlace::Find(const std::string& field) const {
  const FieldDescriptor* found = message_.GetDescriptor()->FindFieldByName(field);
  CHECK(found != nullptr) << message_.GetDescriptor()->full_name() << " has no field " << field;
  return found;
}

void TextPlace::Complain(const std::string& field, std::string what, int index) const {
  const FieldDescriptor* descriptor = Find(field);
  if (descriptor->is_repeated() && index < 0) index = 0;
  const auto place = tree_->GetLocation(descriptor, index);
  const bool is_there = place.line >= 0;
  complaints_->push_back({.line = is_there ? place.line + 1 : line_,
                          .column = is_there ? place.column + 1 : column_,
                          .message = std::move(what)});
}

bool TextPlace::Needs(const std::string& field, std::string_view value) const {
  if (!value.empty()) return true;
  Complain(field, absl::StrCat(message_.GetDescriptor()->name(), " needs ", field));
  return false;
}

TextPlace TextPlace::Nested(const std::string& field, int index) const {
  const FieldDescriptor* descriptor = Find(field);
  const google::protobuf::Reflection& reflection = *message_.GetReflection();
  const google::protobuf::Message& message = descriptor->is_repeated()
                                                 ? reflection.GetRepeatedMessage(message_, descriptor, index)
                                                 : reflection.GetMessage(message_, descriptor);
  const Tree* tree = tree_->GetTreeForNested(descriptor, index);
  CHECK(tree != nullptr) << field << " is not there";
  TextPlace nested(message, *tree, complaints_);
  const auto place = tree_->GetLocation(descriptor, index);
  nested.line_ = place.line + 1;
  nested.column_ = place.column + 1;
  return nested;
}

}  // namespace kubelet_cm::scenarios
