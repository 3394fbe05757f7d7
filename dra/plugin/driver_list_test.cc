#include "dra/plugin/driver_list.h"

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kDriver[] = "gpu.example.com";

DraDriverRules RulesOf(std::string_view version) { return (*ParsePersonality(version))->dra_drivers; }

class DriverListTest : public ::testing::Test {
 protected:
  void Add(DriverInstanceId id, const std::string& endpoint) {
    ASSERT_OK(list_.Add(kDriver, {.id = id, .endpoint = endpoint}));
  }
  DriverInstanceId Chosen() const { return list_.Choose(kDriver)->id; }

  DriverList list_{RulesOf("latest")};
};

TEST_F(DriverListTest, LookupsWithoutANameOrOfNobodyFailInUpstreamsWords) {
  EXPECT_THAT(list_.Choose("").status().message(), "DRA driver name is empty");
  EXPECT_THAT(list_.Choose("other.example.com").status().message(), "DRA driver other.example.com is not registered");
}

TEST_F(DriverListTest, NewestInstanceIsChosenWhenNoneIsConnected) {
  Add(1, "/a");
  Add(2, "/b");
  EXPECT_EQ(Chosen(), 2u);
}

TEST_F(DriverListTest, NewestConnectedInstanceIsChosenBeforeNewerOnesThatAreNot) {
  Add(1, "/a");
  Add(2, "/b");
  Add(3, "/c");
  ASSERT_TRUE(list_.SetConnected(kDriver, 1, true));
  EXPECT_EQ(Chosen(), 1u);
  ASSERT_TRUE(list_.SetConnected(kDriver, 2, true));
  EXPECT_EQ(Chosen(), 2u);
  ASSERT_TRUE(list_.SetConnected(kDriver, 2, false));
  EXPECT_EQ(Chosen(), 1u);
}

TEST_F(DriverListTest, SameEndpointAgainIsRefusedAndChangesNothing) {
  Add(1, "/a");
  EXPECT_THAT(list_.Add(kDriver, {.id = 2, .endpoint = "/a"}),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       "endpoint /a already registered for DRA driver plugin gpu.example.com"));
  EXPECT_EQ(Chosen(), 1u);
  EXPECT_OK(list_.Add("other.example.com", {.id = 3, .endpoint = "/a"}));
  EXPECT_EQ(list_.size(), 2u);
}

TEST_F(DriverListTest, ListsAllInstancesByDriverOldestFirst) {
  Add(1, "/a");
  ASSERT_OK(list_.Add("another.example.com", {.id = 2, .endpoint = "/b"}));
  Add(3, "/c");
  std::vector<std::string> all;
  for (const auto& [driver, instance] : list_.All()) all.push_back(absl::StrCat(driver, " ", instance.id));
  EXPECT_THAT(all, ElementsAre("another.example.com 2", "gpu.example.com 1", "gpu.example.com 3"));
}

TEST_F(DriverListTest, RemovalTakesTheInstanceAtThatEndpointAlone) {
  Add(1, "/a");
  Add(2, "/b");
  EXPECT_FALSE(list_.Remove(kDriver, "/c").has_value());
  EXPECT_FALSE(list_.Remove("other.example.com", "/a").has_value());
  const auto removal = list_.Remove(kDriver, "/b");
  ASSERT_TRUE(removal.has_value());
  EXPECT_EQ(removal->id, 2u);
  EXPECT_EQ(removal->instances, 1u);
  EXPECT_EQ(Chosen(), 1u);
  ASSERT_TRUE(list_.Remove(kDriver, "/a").has_value());
  EXPECT_THAT(list_.Choose(kDriver), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(list_.size(), 0u);
}

TEST_F(DriverListTest, DriverIsUsableWhileAnyInstanceIsConnected) {
  EXPECT_FALSE(list_.IsUsable(kDriver));
  Add(1, "/a");
  Add(2, "/b");
  EXPECT_FALSE(list_.IsUsable(kDriver));
  list_.SetConnected(kDriver, 1, true);
  EXPECT_TRUE(list_.IsUsable(kDriver));
  list_.Remove(kDriver, "/a");
  EXPECT_FALSE(list_.IsUsable(kDriver));
}

TEST_F(DriverListTest, WordOfAConnectionThatIsNoNewsOrOfNobodyChangesNothing) {
  Add(1, "/a");
  EXPECT_FALSE(list_.SetConnected(kDriver, 1, false));
  EXPECT_FALSE(list_.SetConnected(kDriver, 2, true));
  EXPECT_FALSE(list_.SetConnected("other.example.com", 1, true));
  EXPECT_FALSE(list_.IsUsable(kDriver));
}

TEST_F(DriverListTest, NamesThatNobodyCanHaveAreRefused) {
  EXPECT_THAT(list_.Add("", {.id = 1, .endpoint = "/a"}).status().message(), "DRA driver name is empty");
  EXPECT_THAT(list_.Add(std::string(254, 'x'), {.id = 1, .endpoint = "/a"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has 254 bytes, which is more than 253")));
  EXPECT_EQ(list_.size(), 0u);
}

TEST_F(DriverListTest, MoreInstancesThanTheLimitAreRefusedUntilOneGoes) {
  for (size_t i = 0; i < kMaxDriverInstances; ++i) {
    ASSERT_OK(list_.Add(absl::StrCat("d", i % 100), {.id = i, .endpoint = absl::StrCat("/", i)}));
  }
  EXPECT_THAT(list_.Add(kDriver, {.id = 5000, .endpoint = "/a"}), StatusIs(absl::StatusCode::kResourceExhausted));
  ASSERT_TRUE(list_.Remove("d0", "/0").has_value());
  EXPECT_OK(list_.Add(kDriver, {.id = 5000, .endpoint = "/a"}));
}

TEST(EmulatedDriverListTest, Until132ADriverHasOneInstanceWhichTheNextOneReplaces) {
  for (const char* version : {"1.26", "1.31", "1.32"}) {
    DriverList list(RulesOf(version));
    ASSERT_OK(list.Add(kDriver, {.id = 1, .endpoint = "/a"}));
    ASSERT_OK_AND_ASSIGN(const DriverList::Addition same, list.Add(kDriver, {.id = 2, .endpoint = "/a"}));
    EXPECT_THAT(same.replaced, ElementsAre(1));
    ASSERT_OK_AND_ASSIGN(const DriverList::Addition other, list.Add(kDriver, {.id = 3, .endpoint = "/b"}));
    EXPECT_THAT(other.replaced, ElementsAre(2));
    EXPECT_EQ(other.instances, 1u);
    EXPECT_EQ(list.size(), 1u);
    EXPECT_EQ(list.Choose(kDriver)->endpoint, "/b") << version;
  }
}

TEST(EmulatedDriverListTest, Until132WhicheverEndpointGoesTakesTheDriverWithIt) {
  DriverList list(RulesOf("1.32"));
  ASSERT_OK(list.Add(kDriver, {.id = 1, .endpoint = "/a"}));
  EXPECT_TRUE(list.Remove(kDriver, "/long-replaced").has_value());
  EXPECT_FALSE(list.IsUsable(kDriver));
}

TEST(EmulatedDriverListTest, Since133InstancesAreSideBySide) {
  for (const char* version : {"1.33", "1.34", "1.37"}) {
    DriverList list(RulesOf(version));
    ASSERT_OK(list.Add(kDriver, {.id = 1, .endpoint = "/a"}));
    ASSERT_OK_AND_ASSIGN(const DriverList::Addition second, list.Add(kDriver, {.id = 2, .endpoint = "/b"}));
    EXPECT_THAT(second.replaced, IsEmpty());
    EXPECT_EQ(second.instances, 2u) << version;
  }
}

TEST(EmulatedDriverListTest, Until133ADriverIsUsableWhileItIsRegistered) {
  for (const char* version : {"1.31", "1.32", "1.33"}) {
    DriverList list(RulesOf(version));
    ASSERT_OK(list.Add(kDriver, {.id = 1, .endpoint = "/a"}));
    EXPECT_TRUE(list.IsUsable(kDriver)) << version;
    list.Remove(kDriver, "/a");
    EXPECT_FALSE(list.IsUsable(kDriver)) << version;
  }
}

TEST(EmulatedDriverListTest, Until133ErrorsSpeakOfPlugins) {
  for (const char* version : {"1.26", "1.32", "1.33"}) {
    const DriverList list(RulesOf(version));
    EXPECT_EQ(list.Choose("").status().message(), "plugin name is empty") << version;
    EXPECT_EQ(list.Choose("gpu").status().message(), "plugin name gpu not found in the list of registered DRA plugins");
  }
  DriverList list(RulesOf("1.33"));
  ASSERT_OK(list.Add(kDriver, {.id = 1, .endpoint = "/a"}));
  EXPECT_EQ(list.Add(kDriver, {.id = 2, .endpoint = "/a"}).status().message(),
            "endpoint /a already registered for plugin gpu.example.com");
}

TEST(EmulatedDriverListTest, VersionOfADriverIsThatOfItsInstance) {
  DriverList list(RulesOf("1.30"));
  EXPECT_EQ(list.VersionOf(kDriver), std::nullopt);
  ASSERT_OK_AND_ASSIGN(const DriverVersion version, DriverVersion::Parse("1.2.0"));
  ASSERT_OK(list.Add(kDriver, {.id = 1, .endpoint = "/a", .version = version}));
  EXPECT_EQ(list.VersionOf(kDriver), version);
}

}  // namespace
}  // namespace kubelet_cm::dra
