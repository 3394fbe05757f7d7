#include "common/personality/personality.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr int kAny = std::numeric_limits<int>::max();

constexpr DeviceFormat kOnlyV0Of18[] = {DeviceFormat::kV0Of18};
constexpr DeviceFormat kOnlyV0Of19[] = {DeviceFormat::kV0Of19};
constexpr DeviceFormat kOnlyV1[] = {DeviceFormat::kV1};
constexpr DeviceFormat kOnlyV2[] = {DeviceFormat::kV2};
constexpr DeviceFormat kV2ThenV1[] = {DeviceFormat::kV2, DeviceFormat::kV1};
constexpr DeviceFormat kEveryDeviceFormat[] = {DeviceFormat::kV2, DeviceFormat::kV1, DeviceFormat::kV0Of19,
                                               DeviceFormat::kV0Of18};

constexpr std::string_view kOnlyV01[] = {"0.1"};
constexpr std::string_view kOnlyV1Alpha2[] = {"v1alpha2"};
constexpr std::string_view kOnlyV1Beta1[] = {"v1beta1"};
constexpr std::string_view kEveryDevicePluginVersion[] = {"v1beta1", "v1alpha2", "0.1"};

constexpr std::string_view kDraSince132[] = {"v1beta1.DRAPlugin", "v1alpha3.NodeService"};
constexpr std::string_view kDraSince134[] = {"v1.DRAPlugin", "v1beta1.DRAPlugin"};
constexpr std::string_view kEveryDraService[] = {"v1.DRAPlugin", "v1beta1.DRAPlugin", "v1alpha3.NodeService"};
constexpr std::string_view kHealthSince134[] = {"v1alpha1.DRAResourceHealth"};
constexpr std::string_view kHealthSince137[] = {"v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth"};

constexpr DraFormat kOnly127[] = {DraFormat::k127};
constexpr DraFormat k128Then127[] = {DraFormat::k128, DraFormat::k127};
constexpr DraFormat k130Then127[] = {DraFormat::k130, DraFormat::k127};
// From 1.31 the checksum is over text, and unknown fields are left out: these read each other.
constexpr DraFormat kCrcFormats[] = {DraFormat::k137, DraFormat::k135, DraFormat::k131};
constexpr DraFormat kEveryDraFormat[] = {DraFormat::k137, DraFormat::k135, DraFormat::k131,
                                         DraFormat::k130, DraFormat::k128, DraFormat::k127};

// By the first minor version of a row.
constexpr DraOffer OfferSince(int minor) {
  if (minor < 26) return {};
  if (minor == 26) return {.versioned_api = "v1alpha1"};
  if (minor == 27) return {.versioned_api = "v1alpha2"};
  if (minor < 31) return {.versioned_api = "v1alpha3"};
  if (minor == 31) return {.versioned_api = "v1alpha4"};
  if (minor < 34) return {.services = kDraSince132, .fallback_service = "v1alpha3.NodeService"};
  if (minor < 37) {
    return {.services = kDraSince134,
            .driver_order_decides = true,
            .health_services = kHealthSince134,
            .health_unasked = true};
  }
  return {.services = kDraSince134, .driver_order_decides = true, .health_services = kHealthSince137};
}

constexpr DraDriverRules DriverRulesSince(int minor) {
  DraDriverRules rules;
  if (29 <= minor && minor <= 33) rules.connect_limit = absl::Seconds(1);
  if (minor >= 31) rules.wipe_delay = minor < 33 ? absl::ZeroDuration() : absl::Seconds(30);
  rules.remembers_fallback = minor >= 29;
  rules.several_instances = minor >= 33;
  rules.monitors_connections = minor >= 34;
  return rules;
}

// In 1.20, 1.21 and 1.22 the reader of the v1 format was missing at first: a row for each half.
constexpr Personality V2WithoutV1(std::string_view name, int minor, int last_patch) {
  return {.name = name,
          .first = {1, minor, 0},
          .last = {1, minor, last_patch},
          .device_writes = DeviceFormat::kV2,
          .device_reads = kOnlyV2,
          .no_topology_key = 0,
          .device_plugin_versions = kOnlyV1Beta1,
          .dra_writes = {},
          .dra_reads = {},
          .dra_offer = {},
          .short_control_escapes = false};
}
constexpr Personality V2WithV1(std::string_view name, int minor, int first_patch) {
  return {.name = name,
          .first = {1, minor, first_patch},
          .last = {1, minor, kAny},
          .device_writes = DeviceFormat::kV2,
          .device_reads = kV2ThenV1,
          .no_topology_key = 0,
          .device_plugin_versions = kOnlyV1Beta1,
          .dra_writes = {},
          .dra_reads = {},
          .dra_offer = {},
          .short_control_escapes = false};
}
// From 1.23 on minor versions are all of a piece.
constexpr Personality FromMinor(std::string_view name, int first, int last, absl::Span<const DeviceFormat> device_reads,
                                std::optional<DraFormat> dra_writes, absl::Span<const DraFormat> dra_reads) {
  return {.name = name,
          .first = {1, first, 0},
          .last = {1, last, kAny},
          .device_writes = DeviceFormat::kV2,
          .device_reads = device_reads,
          .device_plugin_versions = kOnlyV1Beta1,
          .device_cdi_annotations = 28 <= first && last <= 31,
          .dra_writes = dra_writes,
          .dra_reads = dra_reads,
          .dra_offer = OfferSince(first),
          .dra_drivers = DriverRulesSince(first),
          .short_control_escapes = first >= 30};
}
constexpr Personality BeforeV2(std::string_view name, int first, int last, absl::Span<const DeviceFormat> format,
                               absl::Span<const std::string_view> plugins) {
  return {.name = name,
          .first = {1, first, 0},
          .last = {1, last, kAny},
          .device_writes = format.front(),
          .device_reads = format,
          .device_plugin_versions = plugins,
          .dra_writes = {},
          .dra_reads = {},
          .dra_offer = {},
          .short_control_escapes = false};
}

constexpr Personality kRows[] = {
    BeforeV2("1.8", 8, 8, kOnlyV0Of18, kOnlyV01),
    BeforeV2("1.9", 9, 9, kOnlyV0Of19, kOnlyV1Alpha2),
    BeforeV2("1.10", 10, 10, kOnlyV0Of19, kOnlyV1Beta1),
    BeforeV2("1.11 to 1.18", 11, 18, kOnlyV1, kOnlyV1Beta1),
    BeforeV2("1.19", 19, 19, kOnlyV1, kOnlyV1Beta1),
    V2WithoutV1("1.20.0 to 1.20.13", 20, 13),
    V2WithV1("1.20.14 and later 1.20", 20, 14),
    V2WithoutV1("1.21.0 to 1.21.7", 21, 7),
    V2WithV1("1.21.8 and later 1.21", 21, 8),
    V2WithoutV1("1.22.0 to 1.22.4", 22, 4),
    V2WithV1("1.22.5 and later 1.22", 22, 5),
    FromMinor("1.23", 23, 23, kV2ThenV1, std::nullopt, {}),
    FromMinor("1.24", 24, 24, kV2ThenV1, std::nullopt, {}),
    FromMinor("1.25", 25, 25, kV2ThenV1, std::nullopt, {}),
    FromMinor("1.26", 26, 26, kV2ThenV1, std::nullopt, {}),
    FromMinor("1.27", 27, 27, kV2ThenV1, DraFormat::k127, kOnly127),
    FromMinor("1.28", 28, 28, kV2ThenV1, DraFormat::k128, k128Then127),
    FromMinor("1.29", 29, 29, kV2ThenV1, DraFormat::k128, k128Then127),
    FromMinor("1.30", 30, 30, kV2ThenV1, DraFormat::k130, k130Then127),
    FromMinor("1.31", 31, 31, kOnlyV2, DraFormat::k131, kCrcFormats),
    FromMinor("1.32", 32, 32, kOnlyV2, DraFormat::k131, kCrcFormats),
    FromMinor("1.33", 33, 33, kOnlyV2, DraFormat::k131, kCrcFormats),
    FromMinor("1.34", 34, 34, kOnlyV2, DraFormat::k131, kCrcFormats),
    FromMinor("1.35", 35, 35, kOnlyV2, DraFormat::k135, kCrcFormats),
    FromMinor("1.36", 36, 36, kOnlyV2, DraFormat::k135, kCrcFormats),
    FromMinor("1.37 and later", 37, kAny, kOnlyV2, DraFormat::k137, kCrcFormats),
};

constexpr Personality MakeLatest() {
  Personality latest = FromMinor("latest", 37, kAny, kEveryDeviceFormat, DraFormat::k137, kEveryDraFormat);
  latest.device_plugin_versions = kEveryDevicePluginVersion;
  latest.dra_offer = {.services = kEveryDraService, .health_services = kHealthSince137};
  return latest;
}
constexpr Personality kLatest = MakeLatest();

struct DeviceFormatNames {
  DeviceFormat format;
  std::string_view name, short_name;
};
constexpr DeviceFormatNames kDeviceNames[] = {
    {DeviceFormat::kV0Of18, "devicemanager-v0-1.8", "v0-1.8"},
    {DeviceFormat::kV0Of19, "devicemanager-v0-1.9", "v0-1.9"},
    {DeviceFormat::kV1, "devicemanager-v1", "v1"},
    {DeviceFormat::kV2, "devicemanager-v2", "v2"},
};

struct DraFormatNames {
  DraFormat format;
  std::string_view name, short_name;
};
constexpr DraFormatNames kDraNames[] = {
    {DraFormat::k127, "dra-v1.27", "dra-1.27"}, {DraFormat::k128, "dra-v1.28", "dra-1.28"},
    {DraFormat::k130, "dra-v1.30", "dra-1.30"}, {DraFormat::k131, "dra-v1.31", "dra-1.31"},
    {DraFormat::k135, "dra-v1.35", "dra-1.35"}, {DraFormat::k137, "dra-head", "dra-1.37"},
};

template <typename Names, typename Format>
std::string_view NameOf(const Names& names, Format format) {
  return std::find_if(std::begin(names), std::end(names), [&](const auto& row) { return row.format == format; })->name;
}

template <typename Format, typename Names>
absl::StatusOr<Format> ParseName(const Names& names, std::string_view text) {
  std::string known;
  for (const auto& row : names) {
    if (row.name == text || row.short_name == text) return row.format;
    absl::StrAppend(&known, known.empty() ? "" : ", ", std::string(row.short_name));
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown format \"", std::string(text), "\"; there are ", known));
}

}  // namespace

std::string_view FormatName(DeviceFormat format) { return NameOf(kDeviceNames, format); }
std::string_view FormatName(DraFormat format) { return NameOf(kDraNames, format); }
absl::StatusOr<DeviceFormat> ParseDeviceFormat(std::string_view name) {
  return ParseName<DeviceFormat>(kDeviceNames, name);
}
absl::StatusOr<DraFormat> ParseDraFormat(std::string_view name) { return ParseName<DraFormat>(kDraNames, name); }

bool Personality::Reads(DeviceFormat format) const {
  return std::find(device_reads.begin(), device_reads.end(), format) != device_reads.end();
}
bool Personality::Reads(DraFormat format) const {
  return std::find(dra_reads.begin(), dra_reads.end(), format) != dra_reads.end();
}

absl::Span<const Personality> AllPersonalities() { return kRows; }

absl::StatusOr<const Personality*> PersonalityOf(const KubeletVersion& version) {
  for (const Personality& row : kRows) {
    if (row.first <= version && version <= row.last) return &row;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("kubelet ", version.ToString(), " had no device manager; the first that did is 1.8"));
}

const Personality& LatestPersonality() { return kLatest; }

absl::StatusOr<const Personality*> ParsePersonality(std::string_view text) {
  if (text == "latest") return &kLatest;
  ASSIGN_OR_RETURN(const KubeletVersion version, KubeletVersion::Parse(text));
  return PersonalityOf(version);
}

}  // namespace kubelet_cm
