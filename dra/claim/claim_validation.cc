#include "dra/claim/claim_validation.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

constexpr size_t kMaxLabelSize = 63;
constexpr size_t kShownSize = 64;  // of a value that is wrong

bool IsLowerAlphanumeric(char c) { return absl::ascii_islower(c) || absl::ascii_isdigit(c); }

absl::Status Wrong(std::string_view field, std::string_view value, std::string_view rule) {
  return absl::InvalidArgumentError(absl::StrCat(std::string(field), ": ", GoQuote(value.substr(0, kShownSize)),
                                                 value.size() > kShownSize ? "... " : " ", std::string(rule)));
}

absl::Status CheckDriver(std::string_view field, std::string_view driver) {
  // Driver names may have upper case letters.
  if (IsDnsSubdomain(absl::AsciiStrToLower(std::string(driver)))) return absl::OkStatus();
  return Wrong(field, driver, "is not a driver's name");
}

absl::Status CheckText(std::string_view field, std::string_view text) {
  if (text.size() <= kMaxNameSize) return absl::OkStatus();
  return Wrong(field, text, "is too long");
}

absl::Status CheckCount(std::string_view field, size_t count, size_t max) {
  if (count <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(field), ": ", count, " entries, of which there can be ", max));
}

absl::Status CheckIdentity(const ClaimId& id) {
  if (!IsDnsSubdomain(id.name)) return Wrong("metadata.name", id.name, "is not a name of an object");
  if (!IsDnsLabel(id.namespace_name)) return Wrong("metadata.namespace", id.namespace_name, "is not a namespace");
  if (id.uid.empty()) return Wrong("metadata.uid", id.uid, "is not a UID");
  return CheckText("metadata.uid", id.uid);
}

absl::Status CheckResult(const std::string& field, const AllocatedDevice& result) {
  RETURN_IF_ERROR(CheckDriver(field + ".driver", result.driver));
  RETURN_IF_ERROR(CheckText(field + ".request", result.request));
  RETURN_IF_ERROR(CheckText(field + ".pool", result.pool));
  RETURN_IF_ERROR(CheckText(field + ".device", result.device));
  if (result.share_id.has_value()) RETURN_IF_ERROR(CheckText(field + ".shareID", *result.share_id));
  const std::string skipped = field + ".skipNodeOperations";
  RETURN_IF_ERROR(CheckCount(skipped, result.skip_node_operations.size(), kMaxSkippedOperations));
  for (const std::string& operation : result.skip_node_operations) RETURN_IF_ERROR(CheckText(skipped, operation));
  return absl::OkStatus();
}

absl::Status CheckAllocation(const ClaimObject& claim) {
  const Allocation& allocation = *claim.allocation;
  const std::string results = "status.allocation.devices.results";
  RETURN_IF_ERROR(CheckCount(results, allocation.results.size(), kMaxResults));
  for (size_t i = 0; i < allocation.results.size(); ++i) {
    RETURN_IF_ERROR(CheckResult(absl::StrCat(results, "[", i, "]"), allocation.results[i]));
  }
  const std::string handles = "status.allocation.resourceHandles";
  RETURN_IF_ERROR(CheckCount(handles, allocation.handles.size(), kMaxResults));
  for (size_t i = 0; i < allocation.handles.size(); ++i) {
    const std::string& driver = allocation.handles[i].driver_name;
    if (driver.empty() && !claim.driver_name.empty()) continue;
    RETURN_IF_ERROR(CheckDriver(absl::StrCat(handles, "[", i, "].driverName"), driver));
  }
  return absl::OkStatus();
}

}  // namespace

bool IsDnsLabel(std::string_view name) {
  if (name.empty() || name.size() > kMaxLabelSize) return false;
  return IsLowerAlphanumeric(name.front()) && IsLowerAlphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return c == '-' || IsLowerAlphanumeric(c); });
}

bool IsDnsSubdomain(std::string_view name) {
  if (name.empty() || name.size() > kMaxNameSize) return false;
  char before = '.';
  for (const char c : name) {
    const bool inside = c == '-' || c == '.';
    if (!inside && !IsLowerAlphanumeric(c)) return false;
    if (inside && before == '.') return false;                   // a label starts with a letter or a digit
    if (c == '.' && !IsLowerAlphanumeric(before)) return false;  // and ends with one
    before = c;
  }
  return IsLowerAlphanumeric(before);
}

absl::Status ValidateClaim(const ClaimObject& claim) {
  RETURN_IF_ERROR(CheckIdentity(claim.id));
  if (claim.controller.has_value()) {
    RETURN_IF_ERROR(CheckText("metadata.ownerReferences.name", claim.controller->name));
    RETURN_IF_ERROR(CheckText("metadata.ownerReferences.uid", claim.controller->uid));
  }
  RETURN_IF_ERROR(CheckCount("status.reservedFor", claim.reserved_for.size(), kMaxReservations));
  for (size_t i = 0; i < claim.reserved_for.size(); ++i) {
    if (!claim.reserved_for[i].uid.empty()) continue;
    return Wrong(absl::StrCat("status.reservedFor[", i, "].uid"), claim.reserved_for[i].uid, "is not a UID");
  }
  RETURN_IF_ERROR(CheckText("spec.resourceClassName", claim.class_name));
  if (!claim.driver_name.empty()) RETURN_IF_ERROR(CheckDriver("status.driverName", claim.driver_name));
  return claim.allocation.has_value() ? CheckAllocation(claim) : absl::OkStatus();
}

}  // namespace kubelet_cm::dra
