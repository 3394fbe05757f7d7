#include "deviceplugin/checkpoint/golden_case.h"

#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "common/gotext/json_compare.h"
#include "common/personality/kubelet_version.h"
#include "common/personality/personality.h"
#include "common/status/check.h"
#include "deviceplugin/checkpoint/content_json.h"
#include "deviceplugin/checkpoint/device_checksum.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_reader.h"

namespace kubelet_cm::deviceplugin {
namespace {

// The name of a format in the sidecars' fields: "v1".
std::string ShortName(DeviceFormat format) {
  return std::string(FormatName(format).substr(std::string_view("devicemanager-").size()));
}

class Reader {
 public:
  Reader(std::string_view file, JsonValue sidecar, JsonValue reader)
      : file_(file), sidecar_(sidecar), reader_(reader), name_(JsonText(reader, "reader")) {}

  std::vector<std::string> Check(bool is_first) && {
    const auto version = KubeletVersion::Parse(name_);
    CHECK(version.ok()) << version.status();
    const auto personality = PersonalityOf(*version);
    CHECK(personality.ok()) << personality.status();
    personality_ = *personality;
    verdict_ = ReadDevicesAs(*personality_, file_);
    Acceptance();
    Errors();
    Checksum();
    if (verdict_.accepted()) Content("content", verdict_.content);
    if (FindJson(reader_, "decodedButRejected")) Content("decodedButRejected", verdict_.attempts.front().content);
    if (verdict_.accepted() && FindJson(reader_, "rewrite")) Rewrite();
    if (is_first) Hashed();
    return std::move(wrong_);
  }

 private:
  void Expect(std::string_view what, std::string_view wanted, std::string_view got) {
    if (wanted == got) return;
    wrong_.push_back(
        absl::StrCat(name_, ": ", std::string(what), ": wanted ", std::string(wanted), ", got ", std::string(got)));
  }

  void Acceptance() {
    const std::optional<JsonValue> accept = FindJson(reader_, "accept");
    Expect("accept", accept.has_value() ? accept->literal() : "nothing", verdict_.accepted() ? "true" : "false");
    if (const std::string via = JsonText(reader_, "via"); !via.empty()) {
      Expect("via", via, verdict_.format.has_value() ? ShortName(*verdict_.format) : "none");
    }
  }

  void Errors() {
    Expect("error", JsonText(reader_, "error"), std::string(verdict_.status.message()));
    if (const std::optional<JsonValue> errors = FindJson(reader_, "errorPerFormat")) {
      for (const DeviceAttempt& attempt : verdict_.attempts) {
        const std::string format = ShortName(FormatOf(attempt.layout));
        Expect(absl::StrCat("error of ", format), JsonText(*errors, format), std::string(attempt.status.message()));
      }
    }
    if (const std::string stage = JsonText(reader_, "stage"); !stage.empty()) {
      Expect("stage", stage, verdict_.attempts.front().computed_checksum.has_value() ? "checksum" : "unmarshal");
    }
  }

  void Checksum() {
    const std::string wanted = JsonText(reader_, "computedChecksum");
    const auto computed = verdict_.attempts.back().computed_checksum;
    if (!wanted.empty()) Expect("checksum", wanted, computed.has_value() ? absl::StrCat(*computed) : "none");
  }

  void Content(std::string_view field, const DeviceContent& content) {
    std::optional<JsonValue> wanted = FindJson(reader_, field);
    if (wanted.has_value() && wanted->type() == JsonType::kString) {
      if (wanted->text() != "same as the first reader") return;  // left out
      wanted = FirstContent();
    }
    std::string text;
    JsonWriter writer(&text);
    WriteDeviceContentJson(content, *personality_->device_writes, &writer, *personality_);
    const auto got = JsonDocument::Parse(text);
    CHECK(got.ok()) << got.status();
    if (!wanted.has_value() || !SameJson(*wanted, got->root())) {
      Expect(field, wanted.has_value() ? wanted->literal() : "none", text);
    }
  }

  // Of the first reader that decoded anything.
  std::optional<JsonValue> FirstContent() const {
    for (const JsonValue reader : FindJson(sidecar_, "readers")->elements()) {
      for (const std::string_view field : {"content", "decodedButRejected"}) {
        const std::optional<JsonValue> content = FindJson(reader, field);
        if (content.has_value() && content->type() == JsonType::kObject) return content;
      }
    }
    return std::nullopt;
  }

  void Rewrite() {
    const ControlEscapes escapes =
        personality_->short_control_escapes ? ControlEscapes::kShort : ControlEscapes::kNumeric;
    const std::string written = EncodeDevices(verdict_.content, verdict_.attempts.back().layout, escapes);
    Expect("rewrite", JsonText(reader_, "rewrite"), written == file_ ? "identical" : "different");
  }

  // What stood under the checksum: for a written file in its writer, so only known here if the file was accepted.
  void Hashed() {
    const std::optional<JsonValue> hashed = FindJson(sidecar_, "hashed");
    if (!hashed.has_value() || (JsonText(sidecar_, "kind") == "written" && !verdict_.accepted())) return;
    const DeviceContent& content = verdict_.accepted() ? verdict_.content : verdict_.attempts.front().content;
    const std::string text = DeviceDumpText(content, verdict_.attempts.front().layout);
    Expect("length under the checksum", FindJson(*hashed, "length")->literal(), absl::StrCat(text.size()));
    Expect("checksum of the text", JsonText(*hashed, "checksum"), absl::StrCat(Fnv1a(text)));
    if (FindJson(*hashed, "text")) Expect("text under the checksum", JsonText(*hashed, "text"), text);
    if (FindJson(*hashed, "base64"))
      Expect("text under the checksum", JsonText(*hashed, "base64"), absl::Base64Escape(text));
  }

  const std::string_view file_;
  const JsonValue sidecar_;
  const JsonValue reader_;
  const std::string name_;
  const Personality* personality_ = nullptr;
  DeviceVerdict verdict_;
  std::vector<std::string> wrong_;
};

// Reading with all formats known agrees with the kubelet whose own format the file is in.
void CompareWithLatest(std::string_view file, JsonValue readers, std::vector<std::string>* wrong) {
  const DeviceFile read = ReadDevices(file);
  for (const JsonValue reader : readers.elements()) {
    const auto version = KubeletVersion::Parse(JsonText(reader, "reader"));
    CHECK(version.ok()) << version.status();
    const Personality& personality = **PersonalityOf(*version);
    if (read.format != personality.device_writes || personality.device_reads.size() > 1) continue;
    if (FindJson(reader, "accept")->boolean() == read.valid()) continue;
    wrong->push_back(absl::StrCat("latest: ", read.status.message(), ", unlike ", JsonText(reader, "reader")));
  }
}

}  // namespace

std::vector<std::string> DisagreementsWithGolden(std::string_view file, JsonValue sidecar) {
  std::vector<std::string> wrong;
  const std::optional<JsonValue> readers = FindJson(sidecar, "readers");
  if (!readers.has_value() || readers->size() == 0) return {"the sidecar has no readers"};
  bool is_first = true;
  for (const JsonValue reader : readers->elements()) {
    std::vector<std::string> found = Reader(file, sidecar, reader).Check(std::exchange(is_first, false));
    wrong.insert(wrong.end(), found.begin(), found.end());
  }
  CompareWithLatest(file, *readers, &wrong);
  const std::string checksum = JsonText(sidecar, "checksum");
  if (!checksum.empty() && ReadDevices(file).stored_checksum.value_or(0) != std::stoull(checksum)) {
    wrong.push_back(absl::StrCat("the checksum in the file is not ", checksum));
  }
  return wrong;
}

}  // namespace kubelet_cm::deviceplugin
