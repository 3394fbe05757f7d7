#include "kubelet_cm/config/kubelet_config_fields.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

bool AreSorted(absl::Span<const KubeletConfigField> fields) {
  const auto names_fall = [](const KubeletConfigField& a, const KubeletConfigField& b) { return a.name >= b.name; };
  return std::adjacent_find(fields.begin(), fields.end(), names_fall) == fields.end() &&
         std::all_of(fields.begin(), fields.end(), [](const KubeletConfigField& f) { return AreSorted(f.fields); });
}

TEST(KubeletConfigFieldsTest, NamesAreSortedAndThereOnce) {
  EXPECT_EQ(KubeletConfigFields().size(), 128u);
  EXPECT_TRUE(AreSorted(KubeletConfigFields()));
}

TEST(KubeletConfigFieldsTest, ObjectsHaveFieldsAndNothingElseHas) {
  for (const KubeletConfigField& field : KubeletConfigFields()) {
    const bool is_object = field.type == FieldType::kObject || field.type == FieldType::kObjects;
    EXPECT_EQ(is_object, !field.fields.empty()) << field.name;
  }
}

TEST(KubeletConfigFieldsTest, NamesAreExact) {
  ASSERT_NE(FindField(KubeletConfigFields(), "cpuCFSQuota"), nullptr);
  EXPECT_EQ(FindField(KubeletConfigFields(), "cpuCFSQuota")->type, FieldType::kBool);
  EXPECT_EQ(FindField(KubeletConfigFields(), "cpuCfsQuota"), nullptr);
}

}  // namespace
}  // namespace kubelet_cm::config
