#include "common/gotext/json_writer.h"

#include <charconv>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace kubelet_cm {
namespace {

template <typename Number>
void AppendDecimal(Number value, std::string* out) {
  char digits[20];  // as long as the smallest int64 and the largest uint64
  const auto result = std::to_chars(digits, digits + sizeof(digits), value);
  out->append(digits, result.ptr);
}

}  // namespace

void JsonWriter::Key(std::string_view key) {
  Separate();
  AppendJsonString(key, escapes_, out_);
  out_->push_back(':');
  comma_due_ = false;
}

void JsonWriter::String(std::string_view value) {
  Separate();
  AppendJsonString(value, escapes_, out_);
}

void JsonWriter::Int(int64_t value) {
  Separate();
  AppendDecimal(value, out_);
}

void JsonWriter::Uint(uint64_t value) {
  Separate();
  AppendDecimal(value, out_);
}

void JsonWriter::Base64(std::string_view bytes) {
  Separate();
  absl::Base64Escape(absl::string_view(bytes.data(), bytes.size()), &base64_);
  out_->push_back('"');
  out_->append(base64_);
  out_->push_back('"');
}

void JsonWriter::Raw(std::string_view json) {
  Separate();
  out_->append(json);
}

void JsonWriter::Begin(char bracket) {
  Separate();
  out_->push_back(bracket);
  comma_due_ = false;
}

void JsonWriter::End(char bracket) {
  out_->push_back(bracket);
  comma_due_ = true;
}

}  // namespace kubelet_cm
