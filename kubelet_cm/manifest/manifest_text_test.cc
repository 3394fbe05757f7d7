#include "kubelet_cm/manifest/manifest_text.h"

#include "absl/status/status.h"
#include "common/gotext/json_document.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using Place = ManifestPlace;

TEST(ManifestTextTest, CountsLinesAndColumnsWhereTheSourceIsJson) {
  const ManifestText text("{\n  \"a\": 1\n}");
  EXPECT_EQ(text.PlaceOf(0), (Place{1, 1}));
  EXPECT_EQ(text.PlaceOf(4), (Place{2, 3}));
  EXPECT_EQ(text.PlaceOf(1000), (Place{3, 2}));
  EXPECT_EQ(text.PlaceOf(-1), (Place{1, 1}));
}

TEST(ManifestTextTest, TakesTheLastMarkBeforeAnOffset) {
  const ManifestText text(R"({"a":1,"b":2})", {{0, {1, 1}}, {5, {7, 4}}, {11, {9, 4}}});
  EXPECT_EQ(text.PlaceOf(0), (Place{1, 1}));
  EXPECT_EQ(text.PlaceOf(5), (Place{7, 4}));
  EXPECT_EQ(text.PlaceOf(10), (Place{7, 4}));
  EXPECT_EQ(text.PlaceOf(99), (Place{9, 4}));
  EXPECT_EQ(ManifestText("{}", {}).PlaceOf(1), (Place{1, 1}));
}

TEST(ManifestTextTest, AddsThePlaceToErrorsOfTheJsonReader) {
  const ManifestText text("{\n  \"a\": tru }");
  EXPECT_THAT(text.WithPlace(JsonDocument::Parse(text.json()).status()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "line 2, column 11: invalid character ' ' in literal true (expecting 'e')"));
  EXPECT_EQ(text.WithPlace(absl::InternalError("other")), absl::InternalError("other"));
}

}  // namespace
}  // namespace kubelet_cm
