#include "deviceplugin/checkpoint/device_decoder.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_error.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr GoField kFileFields[] = {{"Data"}, {"Checksum"}};
constexpr GoField kContentFields[] = {{"PodDeviceEntries"}, {"RegisteredDevices"}};
constexpr GoField kContentFieldsOf18[] = {{"Entries"}};
constexpr GoField kEntryFields[] = {{"PodUID"}, {"ContainerName"}, {"ResourceName"}, {"DeviceIDs"}, {"AllocResp"}};
constexpr GoField kEntryFieldsOf18[] = {{"PodUID"}, {"ContainerName"}, {"ResourceName"}, {"DeviceID"}};
constexpr GoUint kChecksum = {"checksum.Checksum", std::numeric_limits<uint64_t>::max()};

// An entry as the Go object has it. What of it is used depends on the layout.
struct GoEntry {
  std::string pod_uid;
  std::string container_name;
  std::string resource_name;
  std::string device_id;               // 1.8
  GoSlice<std::string> device_ids;     // 1.9 to v1
  std::optional<DevicesPerNuma> numa;  // v2
  GoBytes alloc_response;
};

class Decoding {
 public:
  explicit Decoding(DeviceLayout layout) : layout_(layout), types_(TypesOf(layout)) {
    // The kubelets with checksums decode into empty lists, older ones into nil.
    if (!IsChecksummed(layout)) return;
    entries_.Set({});
    registered_.emplace();
  }

  DecodedDevices Decode(JsonValue root) {
    if (IsChecksummed(layout_)) {
      File(root);
    } else {
      Content(root);
    }
    return {.status = Status(), .content = TakeContent(), .checksum = checksum_};
  }

 private:
  bool IsOf18() const { return layout_ == DeviceLayout::kV0Of18; }

  void File(JsonValue value) {
    decoder_.Struct(value, {types_.file, kFileFields}, [this](size_t field, JsonValue member) {
      field == 0 ? Content(member) : decoder_.Uint(member, kChecksum, &checksum_);
    });
  }

  void Content(JsonValue value) {
    const GoStruct type{types_.content, IsOf18() ? absl::MakeConstSpan(kContentFieldsOf18) : kContentFields};
    decoder_.Struct(value, type,
                    [this](size_t field, JsonValue member) { field == 0 ? Entries(member) : Registered(member); });
  }

  void Entries(JsonValue value) {
    if (value.size() > kMaxDeviceEntries) {
      return Exceed(absl::StrCat(value.size(), " entries, more than ", kMaxDeviceEntries));
    }
    const GoStruct type{types_.entry, IsOf18() ? absl::MakeConstSpan(kEntryFieldsOf18) : kEntryFields};
    size_t index = 0;
    decoder_.Slice(value, types_.entries, &entries_, [&](JsonValue element, GoEntry* entry) {
      const auto size = static_cast<size_t>(element.end_offset() - element.begin_offset());
      if (size > kMaxDeviceEntryBytes) {
        Exceed(absl::StrCat("entry ", index, " is ", size, " bytes long, more than ", kMaxDeviceEntryBytes));
      } else {
        decoder_.Struct(element, type, [&](size_t field, JsonValue member) { EntryField(field, member, entry); });
      }
      ++index;
    });
  }

  void EntryField(size_t field, JsonValue value, GoEntry* entry) {
    switch (field) {
      case 0:
        return decoder_.String(value, "string", &entry->pod_uid);
      case 1:
        return decoder_.String(value, "string", &entry->container_name);
      case 2:
        return decoder_.String(value, "string", &entry->resource_name);
      case 3:
        return Devices(value, entry);
      default:
        return decoder_.Bytes(value, &entry->alloc_response);
    }
  }

  void Devices(JsonValue value, GoEntry* entry) {
    switch (layout_) {
      case DeviceLayout::kV0Of18:
        return decoder_.String(value, "string", &entry->device_id);
      case DeviceLayout::kV2:
        return decoder_.Map(value, {types_.devices, "int64"}, &entry->numa,
                            [this](JsonValue list, std::optional<DeviceIds>* out) { NewList(list, out); });
      default:
        return List(value, &entry->device_ids);
    }
  }

  void Registered(JsonValue value) {
    decoder_.Map(value, {"map[string][]string"}, &registered_,
                 [this](JsonValue list, std::optional<DeviceIds>* out) { NewList(list, out); });
  }

  void List(JsonValue value, GoSlice<std::string>* out) {
    decoder_.Slice(value, "[]string", out,
                   [this](JsonValue element, std::string* id) { decoder_.String(element, "string", id); });
  }
  // The value of a map starts anew each time.
  void NewList(JsonValue value, std::optional<DeviceIds>* out) {
    GoSlice<std::string> list;
    List(value, &list);
    if (!list.is_nil()) *out = std::move(list).Take();
  }

  void Exceed(std::string_view what) {
    if (exceeded_.ok())
      exceeded_ = absl::ResourceExhaustedError(absl::StrCat("read device checkpoint: ", std::string(what)));
  }

  absl::Status Status() const {
    RETURN_IF_ERROR(exceeded_);
    if (decoder_.status().ok() || types_.error_prefix.empty()) return decoder_.status();
    return JsonError(absl::StrCat(std::string(types_.error_prefix), decoder_.status().message()),
                     JsonErrorOffset(decoder_.status()).value_or(0));
  }

  DeviceContent TakeContent() {
    DeviceContent content{.entries = std::nullopt, .registered = std::move(registered_)};
    if (entries_.is_nil()) return content;
    std::vector<GoEntry> read = std::move(entries_).Take();
    content.entries.emplace();
    content.entries->reserve(read.size());
    for (GoEntry& entry : read) content.entries->push_back(TakeEntry(std::move(entry)));
    return content;
  }

  DeviceEntry TakeEntry(GoEntry&& from) const {
    DeviceEntry entry{.pod_uid = std::move(from.pod_uid),
                      .container_name = std::move(from.container_name),
                      .resource_name = std::move(from.resource_name),
                      .devices = std::nullopt,
                      .alloc_response = std::nullopt};
    if (!from.alloc_response.is_nil()) entry.alloc_response = std::move(from.alloc_response).Take();
    if (layout_ == DeviceLayout::kV2) {
      entry.devices = std::move(from.numa);
      return entry;
    }
    std::optional<DeviceIds>& ids = entry.devices.emplace()[0];
    if (IsOf18()) {
      ids.emplace().push_back(std::move(from.device_id));
    } else if (!from.device_ids.is_nil()) {
      ids = std::move(from.device_ids).Take();
    }
    return entry;
  }

  const DeviceLayout layout_;
  const DeviceTypes& types_;
  JsonDecoder decoder_;
  absl::Status exceeded_;
  GoSlice<GoEntry> entries_;
  std::optional<RegisteredDevices> registered_;
  uint64_t checksum_ = 0;
};

}  // namespace

DecodedDevices DecodeDevices(JsonValue root, DeviceLayout layout) { return Decoding(layout).Decode(root); }

}  // namespace kubelet_cm::deviceplugin
