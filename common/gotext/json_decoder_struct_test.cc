// Decoding of structs, on the kubelet's device checkpoint; the expectations are what upstream readers said of such
// files.
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/gotext/json_decoder.h"
#include "common/gotext/json_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

struct Entry {
  std::string pod_uid;
  std::string container_name;
  std::optional<std::map<int64_t, GoSlice<std::string>>> device_ids;
};

struct Checkpoint {
  GoSlice<Entry> entries;
  std::optional<std::map<std::string, GoSlice<std::string>>> registered;
  uint64_t checksum = 0;
};

constexpr GoField kEntryFields[] = {{"PodUID"}, {"ContainerName"}, {"DeviceIDs"}};
constexpr GoField kDataFields[] = {{"PodDeviceEntries"}, {"RegisteredDevices"}};
constexpr GoField kFields[] = {{"Data"}, {"Checksum"}};

class Reader {
 public:
  absl::Status Read(std::string_view text, Checkpoint* out) {
    const auto document = JsonDocument::Parse(text);
    if (!document.ok()) return document.status();
    decoder_.Struct(document->root(), {"checkpoint.Data", kFields}, [&](size_t field, JsonValue value) {
      if (field == 0) return ReadData(value, out);
      decoder_.Uint(value, {"checksum.Checksum", std::numeric_limits<uint64_t>::max()}, &out->checksum);
    });
    return decoder_.status();
  }

 private:
  void ReadStrings(JsonValue value, GoSlice<std::string>* out) {
    decoder_.Slice(value, "[]string", out,
                   [this](JsonValue v, std::string* text) { decoder_.String(v, "string", text); });
  }

  void ReadData(JsonValue data, Checkpoint* out) {
    decoder_.Struct(data, {"checkpoint.checkpointData", kDataFields}, [&](size_t field, JsonValue value) {
      if (field == 0) {
        decoder_.Slice(value, "[]checkpoint.PodDevicesEntry", &out->entries,
                       [this](JsonValue v, Entry* entry) { ReadEntry(v, entry); });
      } else {
        decoder_.Map(value, {"map[string][]string"}, &out->registered,
                     [this](JsonValue v, GoSlice<std::string>* ids) { ReadStrings(v, ids); });
      }
    });
  }

  void ReadEntry(JsonValue json, Entry* entry) {
    decoder_.Struct(json, {"checkpoint.PodDevicesEntry", kEntryFields}, [&](size_t field, JsonValue value) {
      if (field == 0) return decoder_.String(value, "string", &entry->pod_uid);
      if (field == 1) return decoder_.String(value, "string", &entry->container_name);
      decoder_.Map(value, {"checkpoint.DevicesPerNUMA", "int64"}, &entry->device_ids,
                   [this](JsonValue v, GoSlice<std::string>* ids) { ReadStrings(v, ids); });
    });
  }

  JsonDecoder decoder_;
};

Checkpoint Decoded(std::string_view text) {
  Checkpoint checkpoint;
  const absl::Status status = Reader().Read(text, &checkpoint);
  EXPECT_TRUE(status.ok()) << status;
  return checkpoint;
}

std::string ErrorText(std::string_view text) {
  Checkpoint checkpoint;
  return std::string(Reader().Read(text, &checkpoint).message());
}

TEST(JsonDecoderStructTest, ReadsFieldsInAnyOrderAndCase) {
  const Checkpoint checkpoint = Decoded(
      R"({"CHECKSUM":5,"unknown":[{"Data":1}],"data":{"poddeviceentries":[{"DeviceIDs":{"-1":["d"]},"PodUID":"p"}]}})");
  EXPECT_EQ(checkpoint.checksum, 5u);
  ASSERT_EQ(checkpoint.entries.size(), 1u);
  EXPECT_EQ(checkpoint.entries[0].pod_uid, "p");
  EXPECT_THAT(*checkpoint.entries[0].device_ids, ElementsAre(Pair(-1, ElementsAre("d"))));
}

TEST(JsonDecoderStructTest, NullLeavesStructsAloneAndEmptiesLists) {
  const Checkpoint checkpoint =
      Decoded(R"({"Checksum":5,"Data":{"PodDeviceEntries":[{}]},"Data":null,"Checksum":null})");
  EXPECT_EQ(checkpoint.checksum, 5u);
  EXPECT_EQ(checkpoint.entries.size(), 1u);
  EXPECT_TRUE(Decoded(R"({"Data":{"PodDeviceEntries":[{}],"PodDeviceEntries":null}})").entries.is_nil());
  EXPECT_EQ(Decoded("null").checksum, 0u);
}

TEST(JsonDecoderStructTest, ExactKeyAndOtherCaseAreTheSameField) {
  EXPECT_EQ(Decoded(R"({"Checksum":1,"checksum":2})").checksum, 2u);
  EXPECT_EQ(Decoded(R"({"checksum":2,"Checksum":1})").checksum, 1u);
}

TEST(JsonDecoderStructTest, SecondListIsDecodedOverTheFirst) {
  const Checkpoint checkpoint = Decoded(
      R"({"Data":{"PodDeviceEntries":[{"PodUID":"a","ContainerName":"x","DeviceIDs":{"0":["d1"]}},{"PodUID":"b"}]},)"
      R"("Data":{"PodDeviceEntries":[{"PodUID":"c","DeviceIDs":{"1":["d2"]}}]}})");
  ASSERT_EQ(checkpoint.entries.size(), 1u);
  EXPECT_EQ(checkpoint.entries[0].pod_uid, "c");
  EXPECT_EQ(checkpoint.entries[0].container_name, "x");
  EXPECT_THAT(*checkpoint.entries[0].device_ids, ElementsAre(Pair(0, ElementsAre("d1")), Pair(1, ElementsAre("d2"))));
}

TEST(JsonDecoderStructTest, MapsMerge) {
  const Checkpoint checkpoint =
      Decoded(R"({"Data":{"RegisteredDevices":{"a":["1","2"],"b":[]},"RegisteredDevices":{"a":["3"],"c":null}}})");
  EXPECT_THAT(*checkpoint.registered,
              ElementsAre(Pair("a", ElementsAre("3")), Pair("b", ElementsAre()), Pair("c", ElementsAre())));
  EXPECT_TRUE(checkpoint.registered->at("c").is_nil());
}

TEST(JsonDecoderStructTest, ErrorsNameTheWayToTheField) {
  EXPECT_EQ(ErrorText("[]"), "json: cannot unmarshal array into Go value of type checkpoint.Data");
  EXPECT_EQ(ErrorText(R"({"Data":"x"})"),
            "json: cannot unmarshal string into Go struct field Data.Data of type checkpoint.checkpointData");
  EXPECT_EQ(ErrorText(R"({"Data":{},"Checksum":"1"})"),
            "json: cannot unmarshal string into Go struct field Data.Checksum of type checksum.Checksum");
  EXPECT_EQ(ErrorText(R"({"Data":{"PodDeviceEntries":[7]}})"),
            "json: cannot unmarshal number into Go struct field checkpointData.Data.PodDeviceEntries of type "
            "checkpoint.PodDevicesEntry");
  EXPECT_EQ(ErrorText(R"({"Data":{"PodDeviceEntries":[{"PodUID":"a","DeviceIDs":["d1"]}]}})"),
            "json: cannot unmarshal array into Go struct field PodDevicesEntry.Data.PodDeviceEntries.DeviceIDs of type "
            "checkpoint.DevicesPerNUMA");
  EXPECT_EQ(ErrorText(R"({"Data":{"PodDeviceEntries":[{"DeviceIDs":{"٠":[]}}]}})"),
            "json: cannot unmarshal number ٠ into Go struct field PodDevicesEntry.Data.PodDeviceEntries.DeviceIDs of "
            "type int64");
  EXPECT_EQ(
      ErrorText(R"({"Data":{"RegisteredDevices":{"a":"d1"}}})"),
      "json: cannot unmarshal string into Go struct field checkpointData.Data.RegisteredDevices of type []string");
}

TEST(JsonDecoderStructTest, FirstErrorIsKeptAndTheRestIsDecoded) {
  Checkpoint checkpoint;
  const absl::Status status = Reader().Read(R"({"Data":true,"Checksum":-1,"Checksum":3})", &checkpoint);
  EXPECT_EQ(status.message(),
            "json: cannot unmarshal bool into Go struct field Data.Data of type checkpoint.checkpointData");
  EXPECT_EQ(JsonErrorOffset(status), 12);
  EXPECT_EQ(checkpoint.checksum, 3u);
}

TEST(JsonDecoderStructTest, FieldsOfEmbeddedStructsAreCalledByTheirPath) {
  constexpr GoField kInner[] = {{"kind", "TypeMeta.kind"}};
  const auto document = JsonDocument::Parse(R"({"kind":1})");
  JsonDecoder decoder;
  std::string kind;
  decoder.Struct(document->root(), {"state.CheckpointData", kInner},
                 [&](size_t, JsonValue value) { decoder.String(value, "string", &kind); });
  EXPECT_EQ(decoder.status().message(),
            "json: cannot unmarshal number into Go struct field CheckpointData.TypeMeta.kind of type string");
}

}  // namespace
}  // namespace kubelet_cm
