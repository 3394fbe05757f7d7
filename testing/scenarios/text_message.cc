#include "testing/scenarios/text_message.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace kubelet_cm::scenarios {
namespace {

class Errors : public google::protobuf::io::ErrorCollector {
 public:
  explicit Errors(std::vector<Complaint>* found) : found_(found) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    found_->push_back({.line = line + 1, .column = column + 1, .message = message});
  }

 private:
  std::vector<Complaint>* const found_;
};

}  // namespace

absl::Status ReadText(const std::string& name, const std::string& text, google::protobuf::Message* message,
                      absl::FunctionRef<void(const TextPlace::Tree& tree, std::vector<Complaint>* complaints)> check) {
  std::vector<Complaint> complaints;
  TextPlace::Tree tree;
  Errors errors(&complaints);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&tree);
  if (parser.ParseFromString(text, message)) check(tree, &complaints);
  if (complaints.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(complaints, "\n", [&](std::string* out, const Complaint& complaint) {
    absl::StrAppend(out, name, ":", complaint.line, ":", complaint.column, ": ", complaint.message);
  }));
}

}  // namespace kubelet_cm::scenarios
