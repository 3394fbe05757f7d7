#include "dra/checkpoint/golden_case.h"

#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "checkpointmanager/checksum/crc32.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "common/gotext/json_compare.h"
#include "common/personality/kubelet_version.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::dra {
namespace {

const Personality& PersonalityNamed(const std::string& version_text) {
  const auto version = KubeletVersion::Parse(version_text);
  CHECK(version.ok()) << version.status();
  const auto personality = PersonalityOf(*version);
  CHECK(personality.ok()) << personality.status();
  return **personality;
}

const char* StageName(DraStage stage) { return stage == DraStage::kClaimList ? "GetClaimInfoStateList" : ""; }

class Reader {
 public:
  Reader(std::string_view file, JsonValue sidecar, JsonValue reader)
      : file_(file),
        sidecar_(sidecar),
        reader_(reader),
        name_(JsonText(reader, "reader")),
        kubelet_(PersonalityNamed(name_)),
        reading_(ReadDraCheckpointAs(kubelet_, file)) {}

  std::vector<std::string> Check() && {
    const std::optional<JsonValue> accept = FindJson(reader_, "accept");
    Expect("accept", accept.has_value() ? accept->literal() : "nothing", reading_.valid() ? "true" : "false");
    Expect("error", JsonText(reader_, "error"), std::string(reading_.status.message()));
    Expect("stage", JsonText(reader_, "stage"), StageName(reading_.stage));
    if (!reading_.valid()) return std::move(wrong_);
    Content();
    if (FindJson(reader_, "rewrite").has_value()) Rewrite();
    return std::move(wrong_);
  }

 private:
  void Expect(std::string_view what, std::string_view wanted, std::string_view got) {
    if (wanted == got) return;
    wrong_.push_back(
        absl::StrCat(name_, ": ", std::string(what), ": wanted ", std::string(wanted), ", got ", std::string(got)));
  }

  void Content() {
    std::optional<JsonValue> wanted = FindJson(reader_, "content");
    if (wanted.has_value() && wanted->type() == JsonType::kString) {
      if (wanted->text() != "same as the first reader") return;  // left out
      wanted = FindJson(*FindJson(sidecar_, "readers")->elements().begin(), "content");
    }
    const std::string text = DraContentJson(reading_);
    const auto got = JsonDocument::Parse(text);
    CHECK(got.ok()) << got.status();
    if (!wanted.has_value() || !SameJson(*wanted, got->root())) {
      Expect("content", wanted.has_value() ? wanted->literal() : "none", text);
    }
  }

  // The checksum in the sidecar is the one that the reader would write.
  void Rewrite() {
    const auto escapes = kubelet_.short_control_escapes ? ControlEscapes::kShort : ControlEscapes::kNumeric;
    std::string bytes;
    uint32_t checksum = 0;
    if (reading_.format < DraFormat::k131) {
      bytes = EncodeLegacy(reading_.legacy_claims, reading_.format, escapes);
      checksum = LegacyChecksum(kLegacyVersion, reading_.legacy_claims, reading_.format);
    } else {
      // All of 1.31 on were run with one Go.
      EncodedClaims encoded = EncodeClaims(reading_.claims, reading_.format, escapes);
      bytes = std::move(encoded.bytes);
      checksum = encoded.checksum;
    }
    Expect("rewrite", JsonText(reader_, "rewrite"), bytes == file_ ? "identical" : "different");
    Expect("checksum", JsonText(reader_, "computedChecksum"), absl::StrCat(checksum));
  }

  const std::string_view file_;
  const JsonValue sidecar_;
  const JsonValue reader_;
  const std::string name_;
  const Personality& kubelet_;
  const DraReading reading_;
  std::vector<std::string> wrong_;
};

// What stood under the checksum when the file was written.
void CompareHashed(std::string_view file, JsonValue sidecar, std::vector<std::string>* wrong) {
  const std::optional<JsonValue> hashed = FindJson(sidecar, "hashed");
  if (!hashed.has_value() || JsonText(sidecar, "kind") != "written") return;
  const Personality& writer = PersonalityNamed(JsonText(sidecar, "writer"));
  const DraReading reading = ReadDraCheckpointAs(writer, file);
  if (!reading.valid()) return;  // not UTF-8 when it was written, and so no longer what was hashed
  const auto escapes = writer.short_control_escapes ? ControlEscapes::kShort : ControlEscapes::kNumeric;
  const bool legacy = reading.format < DraFormat::k131;
  const std::string text = legacy ? LegacyDump(kLegacyVersion, reading.legacy_claims, reading.format)
                                  : EncodeInnerClaims(reading.claims, reading.format, escapes);
  const std::string checksum = absl::StrCat(legacy ? Fnv1a(text) : Crc32(text));
  // What was no UTF-8 is still right under CRC-32, but reads otherwise than it was written.
  if (!legacy && text.find("\xEF\xBF\xBD") != std::string::npos) return;
  if (FindJson(*hashed, "length")->literal() != absl::StrCat(text.size()) ||
      JsonText(*hashed, "checksum") != checksum || JsonText(sidecar, "checksum") != checksum ||
      (FindJson(*hashed, "text").has_value() && JsonText(*hashed, "text") != text) ||
      (FindJson(*hashed, "base64").has_value() && JsonText(*hashed, "base64") != absl::Base64Escape(text))) {
    wrong->push_back(absl::StrCat("under the checksum: wanted ", std::string(hashed->literal()), ", got ", text));
  }
}

// Reading with all formats known takes what the file's own kubelet takes, with nothing missing.
void CompareWithLatest(std::string_view file, JsonValue sidecar, std::vector<std::string>* wrong) {
  if (JsonText(sidecar, "kind") != "written") return;
  const DraReading own = ReadDraCheckpointAs(PersonalityNamed(JsonText(sidecar, "writer")), file);
  const DraReading latest = ReadDraCheckpoint(file);
  if (own.valid() != latest.valid() || latest.oldest_writer > own.format || latest.newest_writer < own.format) {
    wrong->push_back(absl::StrCat("latest: ", latest.status.ToString(), ", unlike its writer"));
  }
  if (own.legacy_claims.size() + own.claims.size() != latest.claims.size()) {
    wrong->push_back(absl::StrCat("latest: ", latest.claims.size(), " claims"));
  }
}

}  // namespace

std::vector<std::string> DisagreementsWithGolden(std::string_view file, JsonValue sidecar) {
  const std::optional<JsonValue> readers = FindJson(sidecar, "readers");
  if (!readers.has_value() || readers->size() == 0) return {"the sidecar has no readers"};
  std::vector<std::string> wrong;
  for (const JsonValue reader : readers->elements()) {
    std::vector<std::string> found = Reader(file, sidecar, reader).Check();
    wrong.insert(wrong.end(), found.begin(), found.end());
  }
  CompareHashed(file, sidecar, &wrong);
  CompareWithLatest(file, sidecar, &wrong);
  return wrong;
}

}  // namespace kubelet_cm::dra
