#include "common/log/text_format.h"

#include <string_view>

#include "absl/strings/str_format.h"
#include "common/gotext/quote.h"

namespace kubelet_cm {
namespace {

char Letter(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return 'I';
    case Severity::kWarning:
      return 'W';
    case Severity::kError:
      return 'E';
  }
  return '?';
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

// Not by glog, whose header comes close: it is five wide where klog is seven, its LogSink::ToString takes a time but
// always shows the year, and its LogMessage takes no time.
std::string TextHeader(const LogRecord& record, absl::Time time, absl::TimeZone zone, int process_id) {
  return absl::StrFormat("%c%s %7d %s:%d] ", Letter(record.severity), absl::FormatTime("%m%d %H:%M:%E6S", time, zone),
                         process_id, BaseName(record.message.file), record.message.line);
}

std::string TextBody(const LogRecord& record) {
  std::string body = GoQuote(record.message.text);
  if (record.error != nullptr) {
    body += " err";
    AppendTextValue(*record.error, body);
  }
  for (const LogField& field : record.fields) {
    body.append(" ").append(field.key);
    AppendTextValue(field.value, body);
  }
  return body;
}

}  // namespace kubelet_cm
