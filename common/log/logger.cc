#include "common/log/logger.h"

namespace kubelet_cm {

void Logger::Info(LogMessage message, Fields fields) { Write({Severity::kInfo, 0, message, nullptr, fields}); }

void Logger::Warning(LogMessage message, Fields fields) { Write({Severity::kWarning, 0, message, nullptr, fields}); }

void Logger::Error(LogMessage message, Fields fields) { Write({Severity::kError, 0, message, nullptr, fields}); }

void Logger::Error(const absl::Status& error, LogMessage message, Fields fields) {
  Write({Severity::kError, 0, message, error.ok() ? nullptr : &error, fields});
}

VerboseLogger Logger::V(int verbosity) { return VerboseLogger(Enabled(verbosity) ? this : nullptr, verbosity); }

void VerboseLogger::Info(LogMessage message, std::initializer_list<LogField> fields) const {
  if (logger_ != nullptr) logger_->Write({Severity::kInfo, verbosity_, message, nullptr, fields});
}

}  // namespace kubelet_cm
