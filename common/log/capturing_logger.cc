#include "common/log/capturing_logger.h"

#include <string_view>
#include <utility>
#include <variant>

#include "common/log/field.h"
#include "common/log/text_format.h"

namespace kubelet_cm {
namespace {

std::string PlainText(const LogValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value.variant())) return std::string(*text);
  if (const auto* status = std::get_if<const absl::Status*>(&value.variant())) return std::string((*status)->message());
  std::string json;
  AppendJsonValue(value, json);
  return json;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const CapturedLine& line) {
  return out << "IWE"[static_cast<int>(line.severity)] << line.verbosity << " " << line.text;
}

void CapturingLogger::Write(const LogRecord& record) {
  CapturedLine line{.severity = record.severity,
                    .verbosity = record.verbosity,
                    .message = std::string(record.message.text),
                    .error = record.error == nullptr ? "" : std::string(record.error->message()),
                    .text = TextBody(record)};
  for (const LogField& field : record.fields) line.fields.emplace(field.key, PlainText(field.value));
  MutexLock lock(&mu_);
  lines_.push_back(std::move(line));
}

std::vector<CapturedLine> CapturingLogger::lines() const {
  MutexLock lock(&mu_);
  return lines_;
}

}  // namespace kubelet_cm
