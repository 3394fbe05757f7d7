#include "dra/checkpoint/dra_reading.h"

#include "absl/strings/str_replace.h"
#include "checkpointmanager/checkpoint_error.h"
#include "checkpointmanager/checksum/crc32.h"
#include "common/gotext/nested_json.h"
#include "common/status/check.h"
#include "common/status/status_matchers.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/legacy_codec.h"
#include "dra/checkpoint/part_budget.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Personality& Kubelet(std::string_view version) {
  const auto personality = ParsePersonality(version);
  CHECK(personality.ok()) << personality.status();
  return **personality;
}

// A file of 1.31 on around this inner JSON, with its checksum.
std::string Around(std::string_view inner) {
  std::string file = "{\"Data\":\"";
  AppendNestedJson(inner, &file);
  return file + "\",\"Checksum\":" + std::to_string(Crc32(inner)) + "}";
}

std::string AroundList(std::string_view list) { return Around(std::string(kInnerHead) + std::string(list) + "}"); }

constexpr std::string_view kDevice = R"([{"ClaimName":"c","DriverState":{"d":{"Devices":[{"PoolName":"p"}]}}}])";
constexpr std::string_view kShared =
    R"([{"ClaimName":"c","DriverState":{"d":{"Devices":[{"PoolName":"p","ShareID":null}]}}}])";
constexpr std::string_view kSkipping = R"([{"ClaimName":"c","DriverState":{"d":{"skipNodeOperations":["*"]}}}])";

constexpr std::string_view kOf130 =
    R"({"version":"v1","entries":[{"DriverName":"test-driver.cdi.k8s.io","ClassName":"class-name","ClaimUID":)"
    R"("067798be-454e-4be4-9047-1aa06aea63f7","ClaimName":"example","Namespace":"default","PodUIDs":)"
    R"({"139cdb46-f989-4f17-9561-ca10cfb509a6":{}},"ResourceHandles":[{"driverName":"test-driver.cdi.k8s.io",)"
    R"("data":"{\"a\": \"b\"}"}],"CDIDevices":{"test-driver.cdi.k8s.io":["example.com/example=cdi-example"]}}],)"
    R"("checksum":113577689})";

TEST(DraReadingTest, KeysShowWhichVersionsCanHaveWrittenAFile) {
  const DraReading plain = ReadDraCheckpoint(AroundList(kDevice));
  EXPECT_EQ(plain.oldest_writer, DraFormat::k131);
  EXPECT_EQ(plain.newest_writer, DraFormat::k131);
  const DraReading shared = ReadDraCheckpoint(AroundList(kShared));
  EXPECT_EQ(shared.oldest_writer, DraFormat::k135);
  EXPECT_EQ(shared.newest_writer, DraFormat::k137);
  const DraReading skipping = ReadDraCheckpoint(AroundList(kSkipping));
  EXPECT_EQ(skipping.oldest_writer, DraFormat::k137);
  const DraReading empty = ReadDraCheckpoint(AroundList("[]"));
  EXPECT_EQ(empty.oldest_writer, DraFormat::k131);
  EXPECT_EQ(empty.newest_writer, DraFormat::k137);
}

TEST(DraReadingTest, AFileOf130IsReadBy130AndByUsOnly) {
  EXPECT_OK(ReadDraCheckpointAs(Kubelet("1.30"), kOf130).status);
  for (const char* version : {"1.27", "1.28", "1.31", "1.35", "1.37"}) {
    EXPECT_THAT(ReadDraCheckpointAs(Kubelet(version), kOf130).status, StatusIs(absl::StatusCode::kDataLoss)) << version;
  }
  const DraReading ours = ReadDraCheckpointAs(LatestPersonality(), kOf130);
  EXPECT_OK(ours.status);
  EXPECT_EQ(ours.format, DraFormat::k130);
  EXPECT_EQ(ours.oldest_writer, DraFormat::k130);
  EXPECT_EQ(ours.claims[0].claim_name, "example");
  EXPECT_EQ(ours.losses.size(), 3u);
}

TEST(DraReadingTest, AnEmptyFileOfBefore131IsKnownByItsChecksum) {
  const DraReading reading = ReadDraCheckpoint(R"({"checksum":991151041})");
  EXPECT_OK(reading.status);
  EXPECT_EQ(reading.oldest_writer, DraFormat::k127);
  EXPECT_EQ(reading.newest_writer, DraFormat::k130);
  EXPECT_FALSE(reading.claims.is_nil());
}

TEST(DraReadingTest, EntriesWithoutAChecksumAreNotTakenForAnEmptyState) {
  const std::string file = R"({"version":"v1","entries":[{"ClaimName":"c"}]})";
  EXPECT_OK(ReadDraCheckpointAs(Kubelet("1.37"), file).status);  // as upstream does
  const DraReading ours = ReadDraCheckpoint(file);
  EXPECT_THAT(ours.status, StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_EQ(ours.stored_checksum, std::nullopt);
  EXPECT_THAT(ours.problems, ElementsAre(testing::Field(&CheckpointProblem::text, HasSubstr("has no checksum"))));
}

TEST(DraReadingTest, SaysWhereTheChecksumStandsAndWhatItShouldBe) {
  std::string file = AroundList("[]");
  file.replace(file.rfind("2361995144"), 10, "7");
  const DraReading reading = ReadDraCheckpoint(file);
  EXPECT_EQ(reading.stage, DraStage::kChecksum);
  EXPECT_EQ(reading.stored_checksum, 7u);
  EXPECT_EQ(MismatchOf(reading.status), (ChecksumMismatch{.expected = 2361995144, .actual = 7}));
  EXPECT_EQ(reading.computed_checksum, 2361995144u);
  EXPECT_THAT(reading.problems,
              ElementsAre(CheckpointProblem{CheckpointProblemKind::kChecksumMismatch,
                                            "the checksum in the file is 7, but that of the content is 2361995144",
                                            static_cast<int64_t>(file.rfind('7'))}));
}

TEST(DraReadingTest, ErrorsOfTheInnerJsonPointIntoTheFile) {
  const std::string file = Around(R"({"ClaimInfoStateList":[{"ClaimUID":x}]})");
  const DraReading reading = ReadDraCheckpoint(file);
  EXPECT_EQ(reading.stage, DraStage::kClaimList);
  EXPECT_EQ(reading.status.message(), "invalid character 'x' looking for beginning of value");
  // Go counts the bytes read, the wrong one included.
  ASSERT_EQ(reading.problems.size(), 1u);
  EXPECT_EQ(reading.problems[0].offset, static_cast<int64_t>(file.find(":x}")) + 2);
}

TEST(DraReadingTest, ContentOfAWrongChecksumIsKept) {
  std::string file = AroundList(kDevice);
  absl::StrReplaceAll({{"\\\"c\\\"", "\\\"d\\\""}}, &file);
  const DraReading reading = ReadDraCheckpoint(file);
  EXPECT_EQ(reading.stage, DraStage::kChecksum);
  ASSERT_EQ(reading.claims.size(), 1u);
  EXPECT_EQ(reading.claims[0].claim_name, "d");
}

TEST(DraReadingTest, A127FileWithAnotherVersionIsReadBy128) {
  LegacyCheckpoint old;
  const std::string sum = std::to_string(LegacyChecksum("v1", old.claims, DraFormat::k127));
  const std::string file = R"({"version":"v9","entries":null,"checksum":)" + sum + "}";
  EXPECT_FALSE(ReadDraCheckpointAs(Kubelet("1.27"), file).valid());
  EXPECT_TRUE(ReadDraCheckpointAs(Kubelet("1.28"), file).valid());
  const DraReading ours = ReadDraCheckpoint(file);
  EXPECT_TRUE(ours.valid());
  EXPECT_EQ(ours.oldest_writer, DraFormat::k127);
}

// Files as kubelets write them go another way than others.
TEST(DraReadingTest, WhatIsReadDoesNotDependOnTheSpelling) {
  for (const std::string_view list : {kDevice, kShared, kSkipping, std::string_view("null"), std::string_view("5")}) {
    const std::string file = AroundList(list);
    std::string spelt = file + "\n";
    spelt.replace(spelt.find("\\\"kind"), 2, "\\u0022");
    for (const Personality& kubelet : AllPersonalities()) {
      const DraReading plain = ReadDraCheckpointAs(kubelet, file);
      const DraReading other = ReadDraCheckpointAs(kubelet, spelt);
      EXPECT_EQ(plain.status, other.status);
      EXPECT_EQ(plain.stored_checksum, other.stored_checksum);
      EXPECT_EQ(plain.computed_checksum, other.computed_checksum);
      EXPECT_EQ(plain.oldest_writer, other.oldest_writer);
      EXPECT_EQ(plain.newest_writer, other.newest_writer);
      EXPECT_EQ(DraContentJson(plain), DraContentJson(other));
    }
  }
}

TEST(DraReadingTest, KubeletsBefore127HaveNoSuchFile) {
  const DraReading reading = ReadDraCheckpointAs(Kubelet("1.26"), AroundList("[]"));
  EXPECT_EQ(reading.stage, DraStage::kNotRead);
  EXPECT_THAT(reading.status, StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(DraReadingTest, StartErrorsAreThoseOfTheKubelet) {
  const Personality& old = Kubelet("1.30");
  EXPECT_EQ(DraStartError(old, ReadDraCheckpointAs(old, "{")),
            "failed to create claimInfo cache: error calling GetOrCreate() on checkpoint state: failed to get "
            "checkpoint dra_manager_state: unexpected end of JSON input");
  const Personality& recent = Kubelet("1.36");
  EXPECT_EQ(DraStartError(recent, ReadDraCheckpointAs(recent, kOf130)),
            "create ResourceClaim cache: GetOrCreate() on checkpoint state: failed to get checkpoint "
            "dra_manager_state: checkpoint is corrupted");
  EXPECT_EQ(DraStartError(recent, ReadDraCheckpointAs(recent, Around("x"))),
            "create ResourceClaim cache: GetEntries() on checkpoint: invalid character 'x' looking for beginning of "
            "value");
}

TEST(DraReadingTest, ContentIsShownWithTheFieldsOfItsFormat) {
  const std::string file = AroundList(kShared);
  EXPECT_THAT(DraContentJson(ReadDraCheckpointAs(Kubelet("1.37"), file)), HasSubstr("ShareID"));
  EXPECT_THAT(DraContentJson(ReadDraCheckpointAs(Kubelet("1.31"), file)), Not(HasSubstr("ShareID")));
  EXPECT_EQ(DraContentJson(ReadDraCheckpoint(AroundList("null"))), R"({"claims":null})");
  EXPECT_THAT(ReadDraCheckpoint(file).problems, IsEmpty());
}

// A list with one element more than a file may hold.
std::string TooMany() {
  std::string list = "[{}";
  list.resize(list.size() + 3 * kMaxClaimParts + 1, ']');
  for (size_t at = 3; at + 1 < list.size(); at += 3) list.replace(at, 3, ",{}");
  return list;
}

TEST(DraReadingTest, AFileThatIsTooLargeIsNotRead) {
  const std::string bytes((size_t{256} << 20) + 1, ' ');
  const DraReading reading = ReadDraCheckpoint(bytes);
  EXPECT_THAT(reading.status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(std::string(reading.status.message()), HasSubstr("268435457 bytes, more than 268435456"));
  EXPECT_TRUE(reading.claims.is_nil());
}

TEST(DraReadingTest, MoreClaimsThanANodeCanHaveAreRefusedBeforeTheyAreMade) {
  std::string file = AroundList(TooMany());
  const DraReading reading = ReadDraCheckpoint(file);
  EXPECT_THAT(reading.status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(reading.stage, DraStage::kClaimList);
  EXPECT_EQ(reading.status.message(), "read claims: more than 2000000 claims, drivers and devices");
  EXPECT_TRUE(reading.claims.empty());
  file.insert(file.find(":[{}") + 2, " ");  // a wrong checksum is not worth knowing then
  EXPECT_THAT(ReadDraCheckpoint(file).status, StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(DraReadingTest, DevicesAndClaimsOfOldFilesAreCountedToo) {
  const std::string devices = R"([{"DriverState":{"d":{"Devices":)" + TooMany() + "}}}]";
  EXPECT_THAT(ReadDraCheckpoint(AroundList(devices)).status, StatusIs(absl::StatusCode::kResourceExhausted));
  for (const std::string_view start : {R"({"version":"v1","entries":)", R"({"entries":[{"ResourceHandles":)"}) {
    const std::string file = std::string(start) + TooMany() + (start.ends_with("Handles\":") ? "}]}" : "}");
    const DraReading reading = ReadDraCheckpointAs(Kubelet("1.28"), file);
    EXPECT_THAT(reading.status, StatusIs(absl::StatusCode::kResourceExhausted)) << start;
    EXPECT_TRUE(reading.legacy_claims.empty() || reading.legacy_claims[0].resource_handles.empty());
  }
}

// Just as many are read, given the memory; here only that the count is over the whole file, not over each list.
TEST(DraReadingTest, ListsAreCountedTogether) {
  PartBudget budget;
  EXPECT_TRUE(budget.Take(kMaxClaimParts - 1));
  EXPECT_TRUE(budget.Take(1));
  EXPECT_OK(budget.status());
  EXPECT_FALSE(budget.Take(1));
  EXPECT_THAT(budget.status(), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kubelet_cm::dra
