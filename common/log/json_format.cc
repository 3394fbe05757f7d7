#include "common/log/json_format.h"

#include <charconv>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_string.h"
#include "common/log/field.h"

namespace kubelet_cm {
namespace {

// The last folder and the file, as zap shows a caller.
std::string_view ShortPath(std::string_view path) {
  const size_t file = path.rfind('/');
  if (file == std::string_view::npos || file == 0) return path;
  return path.substr(path.rfind('/', file - 1) + 1);
}

void AppendTimestamp(absl::Time time, std::string& out) {
  const double milliseconds = static_cast<double>(absl::ToUnixNanos(time)) / 1e6;
  char digits[32];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof(digits), milliseconds, std::chars_format::fixed);
  out.append(digits, end.ptr);
}

void AppendMember(std::string_view key, const LogValue& value, std::string& out) {
  out += ',';
  AppendJsonString(key, ControlEscapes::kNumeric, &out);
  out += ':';
  AppendJsonValue(value, out);
}

}  // namespace

std::string JsonLine(const LogRecord& record, absl::Time time) {
  std::string line = "{\"ts\":";
  AppendTimestamp(time, line);
  AppendMember("caller", absl::StrCat(std::string(ShortPath(record.message.file)), ":", record.message.line), line);
  AppendMember("msg", record.message.text, line);
  if (record.severity != Severity::kError) AppendMember("v", record.verbosity, line);
  for (const LogField& field : record.fields) AppendMember(field.key, field.value, line);
  if (record.error != nullptr) AppendMember("err", *record.error, line);
  line += '}';
  return line;
}

}  // namespace kubelet_cm
